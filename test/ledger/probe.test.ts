import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { JournalFailure } from '../../src/engine/journal.ts';
import { NOON } from '../support/values.ts';
import { freshFolder, freshLedger } from './support.ts';

const child = fileURLToPath(new URL('./child.ts', import.meta.url));

it('a journal that takes a row, but nothing of real size, is not well yet [P17]', () => {
  const folder = freshFolder();
  freshLedger(folder).close();
  // No file may grow beyond 600 KB: what a disk with a little room looks like to one process.
  const limited = ['--fsize=600000:unlimited', process.execPath, '--import', 'tsx', child, 'probe', folder];
  const said = execFileSync('prlimit', limited, { encoding: 'utf8' }).trim().split('\n');
  expect(said).toEqual(['a row is written', expect.stringMatching(/^JournalFailure: .*EFBIG/)]);
  expect(readdirSync(folder)).not.toContain('magpie.trial');
});

it('a journal that is well leaves nothing of its trial; without its folder it is not well', () => {
  const folder = freshFolder();
  const ledger = freshLedger(folder);
  ledger.probe(NOON);
  expect(readdirSync(folder)).not.toContain('magpie.trial');
  rmSync(folder, { recursive: true });
  expect(() => ledger.probe(NOON)).toThrow(JournalFailure);
});
