import { defineConfig } from 'vitest/config';

/** `npm run test:full`: what takes longer than `npm test` may, one file at a time so that timings mean something. */
export default defineConfig({
  test: {
    include: ['test/**/*.full.test.ts'],
    sequence: { shuffle: true },
    fileParallelism: false,
    testTimeout: 20 * 60_000,
  },
});
