import { configDefaults, defineConfig } from 'vitest/config';
import { seedOfLaws } from './test/support/change.ts';
import { longFirst } from './test/support/long-first.ts';
import { reportersTo } from './test/support/reporters.ts';

const long = ['docs/commands.test.ts', 'simulation/simulation.test.ts', 'app/metrics.test.ts', 'ledger/laws.test.ts'];

const seed = seedOfLaws(process.env['LAWS_SEED']);

/** `npm test`: everything that is quick. A test must not lean on another having run before it, hence the shuffle. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/**/*.full.test.ts'],
    env: { LAWS_SEED: String(seed) },
    globalSetup: 'test/support/temporary-folders.ts',
    setupFiles: ['test/support/laws-seed.ts', 'test/support/own-temporary-folder.ts'],
    sequence: { seed, shuffle: { tests: true, files: true }, sequencer: longFirst(long) },
    // Most of the time is waiting, for a process or a socket: one worker a core less one would leave the machine idle.
    maxWorkers: 4,
    // A worker keeps what it has loaded from one file to the next: loading it anew for each took half of the time. No file may lean on what
    // another left behind, nor leave anything: the shuffle shows it.
    isolate: false,
    testTimeout: 180_000,
    reporters: reportersTo(process.env['TEST_REPORT']),
  },
});
