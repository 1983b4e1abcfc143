import { expect, it } from 'vitest';
import { freshFolder } from './fresh-folder.ts';
import { killed } from './killing.ts';

it(
  'kill -9 at random moments: nothing is bought twice, nothing is lost, no cap is exceeded, and the books agree [P5 P6 P7 P8 P11]',
  // Ten starts of a minute at most, and four minutes to settle: what is wrong then is told, not cut off.
  { timeout: 1_800_000 },
  async () => {
    const { wrong, posts } = await killed({ kills: 10, seed: 21, folder: freshFolder() });
    expect(wrong).toEqual([]);
    // A busy machine gets no more than a buy or so done from one start to the next kill.
    expect(posts).toBeGreaterThanOrEqual(5);
  },
);
