import type { StrategyLimits } from '../domain/limits.ts';
import type { Listing } from '../domain/listing.ts';
import type { Lane } from '../domain/purchase.ts';
import type { CostBound } from './cost-bounds.ts';
import type { Item } from './item.ts';
import type { Surroundings } from './surroundings.ts';

/** Three-valued, as in SQL: a condition on a value that the listing lacks is absent, and only true buys. */
export type Verdict = 'true' | 'false' | 'absent';

/** One condition of a strategy held against one listing, for `magpie why`. */
export interface ConditionReport {
  /** Where it stands in the file: `when.wear.below`, `when.any[0].name`, `price.maxOfSteam`. */
  readonly path: string;
  /** 0: must hold for the strategy to buy; more: it counts only through the group (any, all, not) that it stands in. */
  readonly depth: number;
  /** What it asks for, in words: `below 0.18`. */
  readonly wants: string;
  /** What the listing has, in words; `absent` when it has none. */
  readonly has: string;
  readonly verdict: Verdict;
}

/** What can be told of a strategy without the listing: enough to pass a listing over, never to want it. */
export interface Foresight {
  /** false: it wants no listing of the item, whatever its price, wear or seed. */
  readonly mayWant: (item: Item) => boolean;
  /** What it wants keeps every one of these. */
  readonly bounds: readonly CostBound[];
  /** All that it asks of an item, so that what is left to ask of the item's listings may be asked of thousands of them; missing: `matches` asks it all. */
  readonly items?: ItemForesight;
}

/** What a strategy asks of an item. */
export interface ItemForesight {
  /** How the names begin that it may want (as `foldCase` makes them); undefined: any name. */
  readonly heads: readonly string[] | undefined;
  /** false: it wants no item that is alike in all but its name. */
  readonly mayWantKind: (item: Item) => boolean;
  /** Whether it wants a listing of an item, asked of what is the listing's own; undefined: it wants none of that item. */
  readonly asks: (item: Item) => ((listing: Listing) => boolean) | undefined;
}

/** record: it asks for the record of the name only. floor: for the cheapest other listing, and perhaps the record. */
export type LooksAround = 'record' | 'floor';

/** Nothing can be told. */
export const anyListing: Foresight = { mayWant: () => true, bounds: [] };

/** A strategy, checked and compiled. Compiling closes over nothing outside, so the same text always decides the same. */
export interface Strategy {
  readonly name: string;
  /** SHA-256 of the file's text, hex: which wording bought something. */
  readonly hash: string;
  readonly text: string;
  /** Where its purchases go when Magpie itself is live. */
  readonly lane: Lane;
  readonly priority: number;
  readonly limits: StrategyLimits;
  /** It judges by steamPrice, so an absurd reference price must not be believed. */
  readonly usesReference: boolean;
  /** It asks for more than the listing itself says, so that its answer may become another while the listing stays as it is. */
  readonly looksAround: LooksAround | undefined;
  /** Items, by their whole names, whose own listings it asks to be looked at beside the live ones. */
  readonly watches: readonly string[];
  readonly foresight: Foresight;
  /** Without surroundings nothing is known of them, and no condition on them holds. */
  matches(listing: Listing, around?: Surroundings): boolean;
  /** The one condition that does not hold, by its place in the file; undefined where more do not, or none; as `explain` would tell, and sooner. */
  misses(listing: Listing, around?: Surroundings): number | undefined;
  /** Every condition with its verdict, in the order of the file. */
  explain(listing: Listing, around?: Surroundings): readonly ConditionReport[];
}
