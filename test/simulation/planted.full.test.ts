import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mutants } from '../../scripts/mutants/all.ts';
import { Tree } from '../../scripts/mutants/tree.ts';

/** Lived soundly by the hundred lives of the long tests: what it shows here, the planted fault has done. */
const SEED = 1;
const MINUTE = 60_000;

/** Planted faults that one life is enough for, and by which check of the auditor they are shown. */
const planted = [
  ['sync-unset', 'intent-synced'],
  ['sent-uncommitted', 'intent-first'],
  ['retry-unknown', 'resent'],
  ['max-price-ignored', 'cap'],
  ['paper-buys', 'strategy'],
] as const;

describe('a life with a planted fault', () => {
  let tree: Tree;

  beforeAll(() => void (tree = new Tree()));
  afterAll(() => tree.remove());

  it.each(planted)(
    '%s is shown by %s',
    async (name, check) => {
      const mutant = mutants.find((one) => one.name === name);
      if (mutant === undefined) throw new RangeError(`no planted fault ${name}`);
      const takeOut = tree.plant(mutant);
      try {
        expect(await checksShown(tree.folder)).toContain(check);
      } finally {
        takeOut();
      }
    },
    5 * MINUTE,
  );
});

/** The command tells each broken promise at the beginning of a line, and what led to it in lines that are set in. */
async function checksShown(folder: string): Promise<readonly string[]> {
  const tsx = join(folder, 'node_modules/.bin/tsx');
  const args = ['test/simulation/cli.ts', '--seed', String(SEED), '--short'];
  const { stdout, stderr, code } = await new Promise<{ stdout: string; stderr: string; code: unknown }>((resolve) => {
    execFile(tsx, args, { cwd: folder, maxBuffer: 2 ** 28 }, (error, out, err) =>
      resolve({ stdout: out, stderr: err, code: error?.code ?? 0 }),
    );
  });
  if (code !== 1) throw new Error(`a life that breaks a promise ends with 1, this one with ${String(code)}:\n${stdout}${stderr}`);
  return [...new Set([...stdout.matchAll(/^([\w-]+): /gm)].map(([, check]) => check ?? ''))];
}
