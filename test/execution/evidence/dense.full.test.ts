import { describe, expect, it } from 'vitest';
import { live } from '../support/dense/life.ts';
import { faultOf, storyOf } from '../support/dense/story.ts';
import { worldOf } from '../support/dense/world.ts';

describe('among purchases that look alike', { timeout: 3_600_000 }, () => {
  it.each([
    { from: 10_000, seeds: 270 },
    { from: 20_000, seeds: 110 },
    { from: 1_000_240, seeds: 400 },
  ])('each order and its money end up with the purchase that made it, in $seeds worlds from seed $from', ({ from, seeds }) => {
    const faults = Array.from({ length: seeds }, (_, index) => faultOf(from + index));
    expect(faults.filter((fault) => fault !== undefined).join('\n\n')).toBe('');
  });

  it('a seed lives the same life each time', () => {
    expect(storyOf(live(worldOf(20_001)))).toBe(storyOf(live(worldOf(20_001))));
  });
});
