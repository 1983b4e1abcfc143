import type { Listing } from '../../domain/listing.ts';
import { netOfSteam } from '../../strategy/steam-fee.ts';
import type { Strategy } from '../../strategy/strategy.ts';

/** Offers that one condition alone kept from a strategy: what it would have added to be looser there, before any cap. */
export interface NearMiss {
  readonly strategy: string;
  /** Where the condition stands in the file, and what it asks for. */
  readonly path: string;
  readonly wants: string;
  readonly offers: number;
  /** What they cost, and what a sale on Steam would leave on top, as far as they have a steamPrice. Micro-dollars. */
  readonly cost: number;
  readonly profit: number;
}

/** To hold a listing against every condition takes longer than to pass it over: no more than so many times. */
const EXPLAINED_MAX = 200_000;

/** Gathers them while a recording is read. */
export class NearMissTally {
  readonly #strategies: readonly Strategy[];
  readonly #found = new Map<string, { -readonly [K in keyof NearMiss]: NearMiss[K] }>();
  readonly #seen = new Set<string>();
  #explained = 0;

  /** Those that ask for what is around a listing are passed over: that is not known here. */
  constructor(strategies: readonly Strategy[]) {
    this.#strategies = strategies.filter(({ looksAround }) => looksAround === undefined);
  }

  /** Whether all that was shown was looked at. */
  get isWhole(): boolean {
    return this.#explained < EXPLAINED_MAX;
  }

  note(listing: Listing): void {
    for (const strategy of this.#strategies) {
      if (!this.isWhole) return;
      if (strategy.matches(listing)) continue;
      this.#explained += 1;
      if (!strategy.misses(listing)) continue;
      const missing = strategy.explain(listing).filter(({ depth, verdict }) => depth === 0 && verdict !== 'true');
      const [only] = missing;
      if (only === undefined || missing.length > 1) continue;
      this.#add(strategy.name, only, listing);
    }
  }

  /** The most worth first. */
  get found(): readonly NearMiss[] {
    return [...this.#found.values()].sort((a, b) => b.profit - a.profit);
  }

  #add(strategy: string, { path, wants }: Pick<NearMiss, 'path' | 'wants'>, { key, cost, steam }: Listing): void {
    const id = `${strategy}\n${path}`;
    const offer = `${id}\n${key}@${cost}`;
    if (this.#seen.has(offer)) return;
    this.#seen.add(offer);
    const miss = this.#found.get(id) ?? { strategy, path, wants, offers: 0, cost: 0, profit: 0 };
    this.#found.set(id, miss);
    miss.offers += 1;
    miss.cost += cost;
    if (steam !== undefined) miss.profit += netOfSteam(steam) - cost;
  }
}
