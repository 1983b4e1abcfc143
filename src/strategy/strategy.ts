import type { StrategyLimits } from '../domain/limits.ts';
import type { Listing } from '../domain/listing.ts';
import type { Lane } from '../domain/purchase.ts';
import type { CostBound } from './cost-bounds.ts';
import type { Item } from './item.ts';

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
}

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
  readonly foresight: Foresight;
  matches(listing: Listing): boolean;
  /** Every condition with its verdict, in the order of the file. */
  explain(listing: Listing): readonly ConditionReport[];
}
