import { describe, expect, it } from 'vitest';
import { forbidAmbient } from './ambient.ts';
import { live } from './life.ts';
import { planOf } from './plan.ts';
import { Figures, summaryOf } from './report.ts';
import { kindOf } from './seeds.ts';

const LIVES = 4;
const minute = 60_000;

describe('simulated lives', () => {
  it(
    'break no promise, whatever befalls them',
    async () => {
      const figures = new Figures();
      for (let seed = 1; seed <= LIVES; seed++) figures.add(summaryOf(await live(planOf(seed, kindOf(seed), 'short'))));
      expect(figures.failed.map(({ seed, violations }) => ({ seed, violations }))).toEqual([]);
      expect(figures.accepted).toBeGreaterThan(10 * LIVES);
    },
    10 * minute,
  );

  it('cannot reach the time of day, real timers, randomness or the network', () => {
    const restore = forbidAmbient();
    try {
      expect(() => Date.now()).toThrow('Date.now in a simulated life');
      expect(() => new Date()).toThrow('new Date in a simulated life');
      expect(new Date(0).toISOString()).toBe('1970-01-01T00:00:00.000Z');
      expect(() => Math.random()).toThrow('random in a simulated life');
      expect(() => setTimeout(() => undefined, 1)).toThrow('setTimeout in a simulated life');
      expect(() => performance.now()).toThrow('now in a simulated life');
    } finally {
      restore();
    }
    expect(Date.now()).toBeGreaterThan(0);
  });
});
