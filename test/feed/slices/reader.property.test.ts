import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nothingTried, readsAsWhole } from './law.ts';

describe('an answer that is read by what is new in it', () => {
  it('is what JSON.parse makes of it, by then and in the end, however it comes in pieces, whatever befalls it', () => {
    const tried = nothingTried();
    fc.assert(readsAsWhole(tried), { numRuns: 500 });
    // The law says little unless each way was gone.
    expect(tried.cut).toBeGreaterThan(tried.answers / 4);
    expect(tried.whole).toBeGreaterThan(0);
    expect(tried.unreadable).toBeGreaterThan(0);
    expect(tried.again).toBeGreaterThan(tried.entries / 4);
    expect(tried.early).toBeGreaterThan(tried.parts);
  });
});
