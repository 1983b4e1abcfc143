import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { Figure } from '../../scripts/soak/verdict.ts';

const script = fileURLToPath(new URL('../../scripts/soak.ts', import.meta.url));

interface Soaked {
  readonly holds: boolean;
  readonly figures: readonly Figure[];
}

async function soaked(...args: string[]): Promise<Soaked> {
  const given = ['--import', 'tsx', script, '--json', ...args];
  const { stdout } = await promisify(execFile)(process.execPath, given, { maxBuffer: 1e8 }).catch(
    (error: { readonly code?: unknown; readonly stdout: string }) => {
      if (error.code !== 1) throw error;
      return error;
    },
  );
  return JSON.parse(stdout) as Soaked;
}

it('a day of polls under faults, with all that happens in a day, keeps every bound', async () => {
  const { holds, figures } = await soaked('--days', '1', '--http', '1000');
  expect(figures.filter((figure) => !figure.holds)).toEqual([]);
  expect(holds).toBe(true);
});

it('an hour that leaves four kilobytes behind at each poll does not', async () => {
  const { figures } = await soaked('--days', '0.02', '--http', '0', '--plant', '4000');
  expect(figures.find(({ what }) => what.startsWith('buffers'))).toMatchObject({ holds: false });
});
