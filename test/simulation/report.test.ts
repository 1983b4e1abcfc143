import { describe, expect, it } from 'vitest';
import { planOf } from './plan.ts';
import { Figures, type LifeSummary, summaryOf } from './report.ts';
import { violation } from './violation.ts';

const life: LifeSummary = {
  ...{ seed: 1, kind: 'safety', violations: [], livedMs: 86_400_000, posts: 3, early: 1, accepted: 2, boots: 1, hash: '' },
  ...{ struck: { tooMany: 2, 'crash: buy:send': 1, crash: 1 }, on: ['tooMany', 'crash'] },
  ...{ states: { completed: 2 }, tripped: ['evidence'] },
};

function figuresOf(...lives: readonly Partial<LifeSummary>[]): Figures {
  const figures = new Figures();
  for (const given of lives) figures.add({ ...life, ...given });
  return figures;
}

describe('the figures of many lives', () => {
  it('are in order where something was bought, no promise broken, and every fault that was on has struck', () => {
    const figures = figuresOf({}, { seed: 2, on: ['tooMany', 'power'], struck: { power: 1 } });
    expect([figures.ok, figures.neverStruck, figures.failed]).toEqual([true, [], []]);
    expect(figures.json()).toMatchObject({ seeds: 2, simulatedDays: 2, purchases: 4, violations: 0, neverStruck: [] });
  });

  it.each([
    ['a promise was broken', [{}, { seed: 7, violations: [violation('twice', 'bought two times')] }]],
    ['nothing was bought', [{ accepted: 0 }]],
    ['no life was lived', []],
    ['a fault that was on never struck', [{ on: ['tooMany', 'power'] }]],
    ['a fault that was on struck no times', [{ on: ['tooMany'], struck: { tooMany: 0 } }]],
  ])('are not where %s', (_, lives) => {
    expect(figuresOf(...lives).ok).toBe(false);
  });

  it('name the seeds that failed, and the faults that were on in one life and struck in none', () => {
    const figures = figuresOf({ seed: 7, violations: [violation('twice', 'bought two times')] }, { on: ['power', 'clock'] });
    expect(figures.failed.map(({ seed }) => seed)).toEqual([7]);
    expect(figures.neverStruck).toEqual(['clock', 'power']);
    expect(figures.text()).toContain('never struck although they were on: clock, power');
  });

  it('know of each kind of fault that a plan means to inject', () => {
    const drawn = planOf(1, 'safety', 'short');
    const plan: typeof drawn = {
      ...drawn,
      faults: { tooMany: 0.1, orderFails: 0 },
      network: { ...drawn.network, rates: { requestLost: 0.1 } },
      crashes: [{ at: 1, kind: 'power', point: undefined, downMs: 1 }],
      disk: [{ at: 1, ms: 1, share: 1 }],
      clockSteps: [{ at: 1, byMs: 1 }],
      acts: [
        { at: 1, do: 'halt', forMs: 1 },
        { at: 1, do: 'buy' },
      ],
    };
    const { on, tripped } = summaryOf({
      ...{ ...life, plan, tripped: [{ reason: 'r', by: 'evidence' }], events: 0, timeline: () => [] },
    });
    expect([...on].sort()).toEqual(['clock', 'disk', 'halt', 'power', 'requestLost', 'tooMany']);
    expect(tripped).toEqual(['evidence']);
  });
});
