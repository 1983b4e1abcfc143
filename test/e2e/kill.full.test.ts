import { describe, expect, it } from 'vitest';
import { freshFolder } from './fresh-folder.ts';
import { killed } from './killing.ts';

describe('a daemon that is killed again and again, under load and with faults', () => {
  it.each([31, 32])('keeps its promises by the exchange’s own books (seed %i)', { timeout: 45 * 60_000 }, async (seed) => {
    const { wrong, posts } = await killed({ kills: 40, seed, folder: freshFolder() });
    // That something was bought, and caught between its record and its answer, is asked for there.
    expect(wrong).toEqual([]);
    expect(posts).toBeGreaterThanOrEqual(20);
  });
});
