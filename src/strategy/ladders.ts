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
 * Finds for each of some items the strategies that may want listings of it, each by the bound that keeps most of them out. Strategy by
 * strategy: asking one about many items in a row is several times faster than asking many about one, and a strategy that was just
 * compiled takes longest to answer for the first time.
 */
export class LadderWork {
  readonly samples: readonly Sample[];
  readonly #strategies: readonly Strategy[];
  readonly #drafts: readonly Draft[];
  /** The next strategy to ask. */
  #next = 0;

  constructor(strategies: readonly Strategy[], samples: readonly Sample[]) {
    this.samples = samples;
    this.#strategies = strategies;
    this.#drafts = samples.map(() => ({ cost: [], share: [], loss: [] }));
  }

  /** Asks until so many questions or a few more were asked, or all of them; returns how many. */
  askOn(questions: number): number {
    let asked = 0;
    for (; asked < questions && this.#next < this.#strategies.length; this.#next++) {
      this.#ask(this.#next);
      asked += this.samples.length;
    }
    return asked;
  }

  /** For each item; undefined while there is still somebody to be asked. */
  get ladders(): readonly Ladders[] | undefined {
    if (this.#next < this.#strategies.length) return undefined;
    return this.#drafts.map(({ cost, share, loss }) =>
      cost.length + share.length + loss.length === 0
        ? unwanted
        : { cost: ladder(cost), share: ladder(share), loss: ladder(loss) },
    );
  }

  #ask(position: number): void {
    const { foresight } = this.#strategies[position] as Strategy;
    for (const [at, sample] of this.samples.entries()) {
      if (!foresight.mayWant(sample)) continue;
      const { measure, limit } = tightest(foresight.bounds, sample.steam);
      this.#drafts[at]?.[measure].push({ limit, position });
    }
  }
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

/** Of an item that no strategy can want. */
export const unwanted: Ladders = { cost: nothing, share: nothing, loss: nothing };

function ladder(steps: readonly Step[]): Ladder {
  if (steps.length === 0) return nothing;
  const falling = steps.toSorted((a, b) => b.limit - a.limit);
  return { limits: falling.map(({ limit }) => limit), positions: falling.map(({ position }) => position) };
}
