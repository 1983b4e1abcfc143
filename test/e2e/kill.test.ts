import { expect, it } from 'vitest';
import { freshFolder } from './fresh-folder.ts';
import { killed } from './killing.ts';

it(
  'kill -9 at random moments: nothing is bought twice, nothing is lost, no cap is exceeded, and the books agree [P5 P6 P7 P8 P11]',
  { timeout: 170_000 },
  async () => {
    const { broken, comparison, posts } = await killed({ kills: 10, seed: 21, folder: freshFolder() });
    expect(broken).toEqual([]);
    expect(comparison.differences).toEqual([]);
    expect(posts).toBeGreaterThan(20);
  },
);
