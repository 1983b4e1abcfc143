import type { LifeResult } from './life.ts';
import type { Plan } from './plan.ts';

export type Live = (plan: Plan) => Promise<LifeResult>;

/** A plan that breaks the same promise with less. */
export interface Shrunk {
  readonly plan: Plan;
  readonly result: LifeResult;
  /** Lives that it took. */
  readonly lives: number;
}

type Lists = 'crashes' | 'disk' | 'acts' | 'clockSteps' | 'restores';
const lists: readonly Lists[] = ['crashes', 'disk', 'acts', 'clockSteps', 'restores'];

/**
 * Drops what is not needed for a promise to be broken: fault kinds, then crashes and other mishaps, then time, then listings; greedy,
 * so what is left is small rather than smallest. `lives` bounds how many lives may be lived for it.
 */
export async function shrink(failed: LifeResult, check: string, live: Live, lives: number): Promise<Shrunk> {
  const search = new Search(failed, check, live, lives);
  await search.dropKinds('faults');
  await search.dropNetworkKinds();
  for (const list of lists) await search.dropFrom(list);
  await search.shorten();
  await search.dropKinds('faults');
  return { plan: search.best.plan, result: search.best, lives: search.lived };
}

class Search {
  best: LifeResult;
  lived = 0;
  readonly #check: string;
  readonly #live: Live;
  readonly #livesMax: number;

  constructor(failed: LifeResult, check: string, live: Live, livesMax: number) {
    this.best = failed;
    this.#check = check;
    this.#live = live;
    this.#livesMax = livesMax;
  }

  async dropKinds(key: 'faults'): Promise<void> {
    for (const name of Object.keys(this.best.plan[key])) {
      const rates: Record<string, number> = { ...this.best.plan[key] };
      if (rates[name] === 0) continue;
      // Some are on by default: off must be said.
      rates[name] = 0;
      await this.#try({ ...this.best.plan, [key]: rates });
    }
  }

  async dropNetworkKinds(): Promise<void> {
    for (const name of Object.keys(this.best.plan.network.rates)) {
      const { plan } = this.best;
      const rates: Record<string, number> = { ...plan.network.rates };
      delete rates[name];
      await this.#try({ ...plan, network: { ...plan.network, rates } });
    }
  }

  /** Drops ever smaller pieces of a list: all, halves, quarters, single ones. */
  async dropFrom(list: Lists): Promise<void> {
    for (let size = this.best.plan[list].length; size >= 1; size = Math.floor(size / 2)) {
      for (let from = 0; from < this.best.plan[list].length;) {
        const all: readonly unknown[] = this.best.plan[list];
        const kept = [...all.slice(0, from), ...all.slice(from + size)];
        if (!(await this.#try({ ...this.best.plan, [list]: kept }))) from += size;
      }
    }
  }

  async shorten(): Promise<void> {
    for (let tries = 0; tries < 5; tries++) {
      const minutes = Math.ceil(this.best.plan.minutes / 2);
      if (minutes >= this.best.plan.minutes || !(await this.#try({ ...this.best.plan, minutes }))) break;
    }
    const { plan } = this.best;
    await this.#try({ ...plan, market: { ...plan.market, listings: Math.ceil(plan.market.listings / 2) } });
  }

  async #try(plan: Plan): Promise<boolean> {
    if (this.lived >= this.#livesMax) return false;
    this.lived++;
    const result = await this.#live(plan);
    if (!result.violations.some(({ check }) => check === this.#check)) return false;
    this.best = result;
    return true;
  }
}
