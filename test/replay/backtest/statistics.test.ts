import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/domain/random.ts';
import { BLOCKS, mean, middle, normal, redrawn } from '../../../src/replay/backtest/statistics.ts';

/** What one time brings: purchases at random, each with a profit about 1. */
function time(seed: number, perBlock: number): Float64Array {
  const random = seededRandom(seed);
  return Float64Array.from({ length: BLOCKS }, () => {
    let profit = 0;
    for (let at = -Math.log(1 - random.next()); at < perBlock; at -= Math.log(1 - random.next())) profit += 1 + normal(random);
    return profit;
  });
}

describe('the interval of a profit', () => {
  it('holds what another time like this brings nineteen times in twenty', () => {
    const perBlock = 2;
    let held = 0;
    for (let seed = 0; seed < 200; seed++) {
      const [totals] = redrawn([[time(seed, perBlock)]], seededRandom(seed, 'draw'));
      const { low, high } = middle([...(totals as Float64Array)]);
      const other = time(seed + 1_000, perBlock).reduce((sum, block) => sum + block, 0);
      if (low <= other && other <= high) held += 1;
    }
    expect(held).toBeGreaterThanOrEqual(180);
    expect(held).toBeLessThan(200);
  });

  it('tells two series of one time apart as well as they can be told', () => {
    const [better, worse] = redrawn([[time(1, 4), time(2, 1)]], seededRandom(3)) as [Float64Array, Float64Array];
    const ahead = better.filter((value, index) => value > (worse[index] as number)).length / better.length;
    expect(ahead).toBeGreaterThan(0.99);
  });
});

describe('a number from the normal distribution', () => {
  it('has mean 0 and deviation 1', () => {
    const random = seededRandom(5);
    const drawn = Array.from({ length: 20_000 }, () => normal(random));
    expect(Math.abs(mean(drawn))).toBeLessThan(0.03);
    expect(Math.abs(mean(drawn.map((value) => value ** 2)) - 1)).toBeLessThan(0.05);
  });
});
