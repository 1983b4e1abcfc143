import type { Listing } from '../domain/listing.ts';
import { type CostBound, mostWithin } from './cost-bounds.ts';
import type { Item } from './item.ts';
import type { Strategy } from './strategy.ts';

/** An item, and the reference price that one of its listings had. */
export type Sample = Item & Pick<Listing, 'steam'>;

/** Limits in one measure, highest first, each with the place in the order of strategies of the one that sets it. */
export interface Ladder {
  readonly limits: readonly number[];
  readonly positions: readonly number[];
}

export type Ladders = Readonly<Record<CostBound['measure'], Ladder>>;

/**
 * For each of some items the strategies that may want listings of it, each by the bound that keeps most of them out. Strategy by
 * strategy: asking one about many items in a row is several times faster than asking many about one.
 */
export function laddersOf(strategies: readonly Strategy[], samples: readonly Sample[]): readonly Ladders[] {
  const drafts = samples.map((sample) => ({ sample, steps: { cost: [], share: [], loss: [] } as Draft }));
  for (const [position, { foresight }] of strategies.entries()) {
    for (const { sample, steps } of drafts) {
      if (!foresight.mayWant(sample)) continue;
      const { measure, limit } = tightest(foresight.bounds, sample.steam);
      steps[measure].push({ limit, position });
    }
  }
  return drafts.map(({ steps }) => ({ cost: ladder(steps.cost), share: ladder(steps.share), loss: ladder(steps.loss) }));
}

type Draft = Readonly<Record<CostBound['measure'], Step[]>>;

interface Step {
  readonly limit: number;
  readonly position: number;
}

const unbounded: CostBound = { measure: 'cost', limit: Infinity };

function tightest(bounds: readonly CostBound[], steam: Sample['steam']): CostBound {
  const most = (bound: CostBound): number => mostWithin(bound, steam);
  return bounds.reduce((best, bound) => (most(bound) < most(best) ? bound : best), unbounded);
}

const nothing: Ladder = { limits: [], positions: [] };

function ladder(steps: readonly Step[]): Ladder {
  if (steps.length === 0) return nothing;
  const falling = steps.toSorted((a, b) => b.limit - a.limit);
  return { limits: falling.map(({ limit }) => limit), positions: falling.map(({ position }) => position) };
}
