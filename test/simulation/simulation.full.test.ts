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
});
