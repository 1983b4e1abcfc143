import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../../src/domain/random.ts';
import { BLOCKS, normal } from '../../../src/replay/backtest/statistics.ts';
import { agreement, aheadOf, luckOf } from '../../../src/replay/sweep/luck.ts';

type Part = Parameters<typeof aheadOf>[0];

/** A variant that earns so much in each piece of the time, give or take one. */
function variant(random: Random, perBlock: number): Part {
  return { blocks: Float64Array.from({ length: BLOCKS }, () => perBlock + normal(random)) } as Part;
}

/** The chance that is stated of the best of twenty, whose own worth is `edge` a piece above that of all others. */
function stated(seed: number, edge: number): number {
  const random = seededRandom(seed, 'market');
  const base = variant(random, 1);
  const others = Array.from({ length: 20 }, (_, index) => variant(random, index === 7 ? 1 + edge : 1));
  return luckOf(base, others, seededRandom(seed, 'luck')).chance;
}

describe('how much of the best is luck', () => {
  it('is most of it where none is better: such a lead is called real about once in twenty times', () => {
    const called = Array.from({ length: 50 }, (_, seed) => stated(seed, 0)).filter((chance) => chance <= 0.05).length;
    expect(called).toBeLessThanOrEqual(7);
  });

  it('is little where one is far better', () => {
    for (const seed of [1, 2, 3]) expect(stated(seed, 2)).toBeLessThan(0.01);
  });

  it('grows with how many are tried, and not with how often one is tried again', () => {
    const random = seededRandom(5);
    const base = variant(random, 1);
    const others = Array.from({ length: 50 }, () => variant(random, 1));
    const byLuck = (of: readonly Part[]): number => luckOf(base, of, seededRandom(1)).byLuck;
    expect(byLuck(others)).toBeGreaterThan(1.5 * byLuck(others.slice(0, 2)));
    const [same] = others as [Part];
    expect(byLuck(Array.from({ length: 50 }, () => same))).toBeCloseTo(byLuck([same]), 9);
  });

  it('is nothing where all are the strategy as it is', () => {
    const base = variant(seededRandom(1), 1);
    expect(luckOf(base, [base, base], seededRandom(1))).toEqual({ tried: 2, lead: 0, byLuck: 0, byLuckHigh: 0, chance: 1 });
  });
});

describe('how one stands to another where it was not chosen', () => {
  it('is told with what it might have been', () => {
    const random = seededRandom(9);
    const { by, interval, chance } = aheadOf(variant(random, 3), variant(random, 1), seededRandom(1));
    expect(by).toBeGreaterThan(60);
    expect(interval.low).toBeLessThan(by);
    expect(interval.high).toBeGreaterThan(by);
    expect(chance).toBeGreaterThan(0.99);
  });
});

describe('how far two orders agree', () => {
  it('is 1 for the same, -1 for the reverse, and nothing without an order; equals share their places', () => {
    expect(agreement([1, 2, 3, 4], [10, 20, 30, 90])).toBeCloseTo(1, 9);
    expect(agreement([1, 2, 3, 4], [4, 3, 2, 1])).toBeCloseTo(-1, 9);
    expect(agreement([1, 1, 1], [1, 2, 3])).toBeUndefined();
    // By hand: ranks 0.5 0.5 2 against 0 1 2.
    expect(agreement([5, 5, 9], [1, 2, 3])).toBeCloseTo(Math.sqrt(3) / 2, 9);
  });
});
