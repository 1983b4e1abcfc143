import { defineConfig } from 'vitest/config';

/** `npm test`: everything that is quick. A test must not lean on another having run before it, hence the shuffle. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.full.test.ts'],
    sequence: { shuffle: true },
    // Most of the time is waiting, for a process or a socket: one worker a core less one would leave the machine idle.
    maxWorkers: 4,
    testTimeout: 60_000,
  },
});
