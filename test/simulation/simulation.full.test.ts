import { describe, expect, it } from 'vitest';
import { live } from './life.ts';
import { planOf } from './plan.ts';
import { Figures, summaryOf } from './report.ts';
import { kindOf } from './seeds.ts';

const LIVES = 100;

describe('a hundred lives', () => {
  it('break no promise, and none of the faults that they mean to meet is missing', async () => {
    const figures = new Figures();
    for (let seed = 1; seed <= LIVES; seed++) figures.add(summaryOf(await live(planOf(seed, kindOf(seed), 'short'))));
    expect(figures.failed.map(({ seed, violations }) => ({ seed, violations }))).toEqual([]);
    expect(figures.neverStruck).toEqual([]);
    expect(figures.accepted).toBeGreaterThan(20 * LIVES);
  });

  it('go the same way each time they are lived, within our assumptions and beyond', async () => {
    for (const seed of [101, 110]) {
      const plan = planOf(seed, kindOf(seed), 'short');
      const [one, other] = [await live(plan), await live(plan)];
      expect(other.hash).toBe(one.hash);
      expect(other.events).toBe(one.events);
    }
  });
});
