import { describe, expect, it } from 'vitest';
import { counted } from '../../src/domain/text.ts';

describe('a count with its noun', () => {
  it('is of one or of several', () => {
    expect([0, 1, 2].map((count) => counted(count, 'listing'))).toEqual(['0 listings', '1 listing', '2 listings']);
    expect(counted(1, 'strategy', 'strategies')).toBe('1 strategy');
  });
});
