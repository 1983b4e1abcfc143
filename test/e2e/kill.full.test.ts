import { describe, expect, it } from 'vitest';
import { freshFolder } from './fresh-folder.ts';
import { killed } from './killing.ts';

describe('a daemon that is killed again and again, under load and with faults', () => {
  it.each([31, 32])('keeps its promises by the exchange’s own books (seed %i)', { timeout: 45 * 60_000 }, async (seed) => {
    const { broken, comparison, posts, caught } = await killed({ kills: 40, seed, folder: freshFolder() });
    expect(broken).toEqual([]);
    expect(comparison.differences).toEqual([]);
    expect(posts).toBeGreaterThanOrEqual(20);
    // Otherwise no kill ever fell between a record and its answer, and nothing was shown.
    expect(caught).toBeGreaterThan(0);
  });
});
