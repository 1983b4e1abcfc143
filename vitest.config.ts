import { defineConfig } from 'vitest/config';

/** `npm test`: everything that is quick. A test must not lean on another having run before it, hence the shuffle. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.full.test.ts'],
    sequence: { shuffle: true },
    testTimeout: 20_000,
  },
});
