import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/domain/random.ts';
import { type Axis, decimalsBetween, draws, grid, gridSize, stepped, valueAt, varied } from '../../src/strategy/vary.ts';

const share: Axis = { path: ['price', 'maxOfSteam'], name: 'price.maxOfSteam', choice: { kind: 'values', values: [0.6, 0.65] } };
const wear: Axis = { path: ['when', 'wear', 'max'], name: 'when.wear.max', choice: { kind: 'values', values: [0.1, 0.2, 0.3] } };
const any: Axis = { path: ['price', 'max'], name: 'price.max', choice: { kind: 'between', from: 5, to: 30, decimals: 2 } };

describe('the settings of a sweep', () => {
  it('are every value with every other, the last axis fastest', () => {
    expect(gridSize([share, wear])).toBe(6);
    expect(grid([share, wear])).toEqual([
      [0.6, 0.1],
      [0.6, 0.2],
      [0.6, 0.3],
      [0.65, 0.1],
      [0.65, 0.2],
      [0.65, 0.3],
    ]);
    expect(gridSize([share, any])).toBe(Infinity);
  });

  it('are the same whenever they are drawn with the same seed, others with another, and the first of more are those of fewer', () => {
    const drawn = (samples: number, seed: number): readonly unknown[] =>
      draws([share, any], samples, seededRandom(seed, 'variants'));
    expect(drawn(50, 3)).toEqual(drawn(50, 3));
    expect(drawn(50, 3)).not.toEqual(drawn(50, 4));
    expect(drawn(50, 3).slice(0, 20)).toEqual(drawn(20, 3));
    for (const [ratio, max] of drawn(50, 3) as [number, number][]) {
      expect([0.6, 0.65]).toContain(ratio);
      expect(max).toBeGreaterThanOrEqual(5);
      expect(max).toBeLessThanOrEqual(30);
      expect(max).toBe(Number(max.toFixed(2)));
    }
  });

  it('are never drawn twice, and end where there are no more', () => {
    const drawn = draws([share, wear], 100, seededRandom(1));
    expect(drawn).toHaveLength(6);
    expect(new Set(drawn.map((each) => JSON.stringify(each))).size).toBe(6);
  });

  it('hold the numbers of a range as a person would write them', () => {
    expect(stepped(0.6, 0.75, 0.05)).toEqual([0.6, 0.65, 0.7, 0.75]);
    expect(stepped(1, 10, 4)).toEqual([1, 5, 9]);
    expect([decimalsBetween(0.5, 0.7), decimalsBetween(1, 51), decimalsBetween(0, 5_000)]).toEqual([4, 2, 0]);
  });
});

describe('a varied document', () => {
  const base = { name: 'a', price: { maxOfSteam: 0.5 }, when: { any: [{ name: 'x' }, { name: 'y' }] } };

  it('has the values on its axes and is else as it was, the first one untouched', () => {
    const made = varied(base, [share, { ...wear, path: ['when', 'any', 1, 'name'] }], [0.6, 'z']);
    expect(made).toEqual({ name: 'a', price: { maxOfSteam: 0.6 }, when: { any: [{ name: 'x' }, { name: 'z' }] } });
    expect(Object.keys(made)).toEqual(['name', 'price', 'when']);
    expect(base.price.maxOfSteam).toBe(0.5);
  });

  it('is given the blocks that it lacks', () => {
    const made = varied(base, [wear], [0.2]);
    expect(valueAt(made, ['when', 'wear', 'max'])).toBe(0.2);
    expect(valueAt(base, ['when', 'wear', 'max'])).toBeUndefined();
  });
});
