import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { changeTried } from '../support/change.ts';
import { live } from './life.ts';
import { type Plan, planOf, shortPaceOf } from './plan.ts';
import { Figures, summaryOf } from './report.ts';
import { kindOf, regressions, seedsOf } from './seeds.ts';

const LIVES = 100;

/** Lives that no change before this one has lived. */
const CHOSEN = 50;

async function lived(seeds: readonly number[], planFor = shortLife): Promise<Figures> {
  const figures = new Figures();
  for (const seed of seeds) figures.add(summaryOf(await live(planFor(seed))));
  expect(figures.failed.map(({ seed, violations }) => ({ seed, violations }))).toEqual([]);
  return figures;
}

function shortLife(seed: number): Plan {
  return planOf(seed, kindOf(seed), 'short');
}

/** As it was when it showed its fault, before lives met what they meet now. */
function asItWas(seed: number, reloads: boolean): Plan {
  const kind = kindOf(seed);
  const plan = planOf(seed, kind, 'short', shortPaceOf(seed, kind));
  const acts = reloads ? plan.acts : plan.acts.filter((act) => act.do !== 'reload');
  return { ...plan, acts, faults: { ...plan.faults, ordersNever: 0 }, restores: [] };
}

describe('a hundred lives', () => {
  it('break no promise, and none of the faults that they mean to meet is missing', async () => {
    const figures = await lived(Array.from({ length: LIVES }, (_, index) => index + 1));
    expect(figures.neverStruck).toEqual([]);
    expect(figures.accepted).toBeGreaterThan(20 * LIVES);
  });

  it('go the same way each time they are lived, within our assumptions and beyond', async () => {
    for (const seed of [101, 110]) {
      const drawn = planOf(seed, kindOf(seed), 'short');
      for (const parse of ['stream', 'slices', 'whole'] as const) {
        const plan = { ...drawn, bot: { ...drawn.bot, parse } };
        const [one, other] = [await live(plan), await live(plan)];
        expect(other.hash).toBe(one.hash);
        expect(other.events).toBe(one.events);
      }
    }
  });
});

describe('lives that the commit chooses', () => {
  const seeds = seedsOf(changeTried(), CHOSEN);

  it(`break no promise (seeds ${seeds[0]} to ${seeds.at(-1)})`, async () => {
    expect((await lived(seeds)).accepted).toBeGreaterThan(10 * CHOSEN);
  });
});

describe('a life that once showed a fault', () => {
  it.each(regressions)('breaks no promise any more: $showed (seed $seed)', async ({ seed, test, reloads = false }) => {
    expect(existsSync(test), `${test}, which holds the fault itself`).toBe(true);
    await lived([seed], () => asItWas(seed, reloads));
  });
});
