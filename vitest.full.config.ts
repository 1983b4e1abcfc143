import { configDefaults, defineConfig } from 'vitest/config';
import { seedOfLaws } from './test/support/change.ts';
import { longFirst } from './test/support/long-first.ts';
import { reportersTo } from './test/support/reporters.ts';
import { triedTwice } from './test/support/second-tries.ts';

const long = [
  'simulation/simulation.full.test.ts',
  'e2e/storage.full.test.ts',
  'execution/evidence/laws.full.test.ts',
  'ledger/laws.full.test.ts',
  'replay/backtest/weeks.full.test.ts',
  'docs/commands.full.test.ts',
];

const seed = seedOfLaws(process.env['LAWS_SEED']);

/** `npm run test:full`: what takes longer than `npm test` may. Much of it waits for processes and disks, so two files go on at a time. */
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'once', include: ['test/**/*.full.test.ts'], exclude: [...configDefaults.exclude, ...triedTwice] },
      },
      { extends: true, test: { name: 'twice', include: [...triedTwice], retry: 1 } },
    ],
    env: { LAWS_SEED: String(seed) },
    globalSetup: 'test/support/temporary-folders.ts',
    setupFiles: ['test/support/laws-seed.ts', 'test/support/own-temporary-folder.ts'],
    sequence: { seed, shuffle: { tests: true, files: true }, sequencer: longFirst(long) },
    maxWorkers: 2,
    reporters: reportersTo(process.env['TEST_REPORT']),
    testTimeout: 60 * 60_000,
    hookTimeout: 120_000,
  },
});
