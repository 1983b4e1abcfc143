import type { Listing, ListingKey } from '../../domain/listing.ts';
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

/** A listing of which not all is known. */
export type PartOfListing = Listing & {
  /** Whether it was asked for what it does not know since this was last false. */
  wasAsked: boolean;
};

/** To hold a listing against every condition takes longer than to pass it over: no more than so many times. */
const EXPLAINED_MAX = 200_000;

interface Found {
  readonly miss: { -readonly [K in keyof NearMiss]: NearMiss[K] };
  /** Offers that it counts. */
  readonly seen: Set<string>;
}

/** Gathers them while a recording is read. */
export class NearMissTally {
  readonly #strategies: readonly Strategy[];
  readonly #found = new Map<string, Found>();
  /** The same by strategy and condition: what is held against hundreds of thousands of listings is not named anew each time. */
  readonly #known: readonly Found[][];
  readonly #max: number;
  #explained = 0;

  /** Those that ask for what is around a listing are passed over: that is not known here. */
  constructor(strategies: readonly Strategy[], max = EXPLAINED_MAX) {
    this.#max = max;
    this.#strategies = strategies.filter(({ looksAround }) => looksAround === undefined);
    this.#known = this.#strategies.map(() => []);
  }

  /** Whether all that was shown was looked at. */
  get isWhole(): boolean {
    return this.#explained < this.#max;
  }

  note(listing: Listing): void {
    for (const [index, strategy] of this.#strategies.entries()) {
      if (!this.isWhole) return;
      if (strategy.matches(listing)) continue;
      this.#miss(index, strategy.misses(listing), listing, listing.key);
    }
  }

  /** Notes a listing that no strategy wants by as much of it as `told` knows. false: not enough, and nothing was noted. */
  noteTold(told: PartOfListing, keyOf: () => ListingKey): boolean {
    if (!this.isWhole) return true;
    told.wasAsked = false;
    const missing = this.#strategies.map((strategy) => strategy.misses(told));
    if (told.wasAsked) return false;
    const key = missing.some((each) => each !== undefined) ? keyOf() : '';
    for (let index = 0; index < missing.length && this.isWhole; index++) this.#miss(index, missing[index], told, key);
    return true;
  }

  /** The most worth first. */
  get found(): readonly NearMiss[] {
    return [...this.#found.values()].map(({ miss }) => miss).sort((a, b) => b.profit - a.profit);
  }

  /** A strategy does not want a listing; `missing`: by that condition alone. */
  #miss(index: number, missing: number | undefined, listing: Listing, key: ListingKey): void {
    this.#explained += 1;
    if (missing === undefined) return;
    const known = this.#known[index] as Found[];
    const found = (known[missing] ??= this.#foundBy(this.#strategies[index] as Strategy, missing, listing));
    const { cost, steam } = listing;
    const offer = `${key}@${cost}`;
    if (found.seen.has(offer)) return;
    found.seen.add(offer);
    const { miss } = found;
    miss.offers += 1;
    miss.cost += cost;
    if (steam !== undefined) miss.profit += netOfSteam(steam) - cost;
  }

  #foundBy(strategy: Strategy, missing: number, listing: Listing): Found {
    const { path = '', wants = '' } = strategy.explain(listing).filter(({ depth }) => depth === 0)[missing] ?? {};
    const id = `${strategy.name}\n${path}`;
    const known = this.#found.get(id);
    if (known !== undefined) return known;
    const found = { miss: { strategy: strategy.name, path, wants, offers: 0, cost: 0, profit: 0 }, seen: new Set<string>() };
    this.#found.set(id, found);
    return found;
  }
}
