import type { EpochMs } from '../domain/clock.ts';
import type { Decision } from '../domain/decision.ts';
import type { BadListing, Listing } from '../domain/listing.ts';
import type { Lane, Purchase } from '../domain/purchase.ts';
import type { ListingHistory } from '../replay/tape-reader.ts';
import type { Refusal } from '../risk/caps.ts';
import { readListing } from '../strategy/read-listing.ts';
import type { ConditionReport, Strategy } from '../strategy/strategy.ts';
import { type Circumstances, refusalNow } from './admission.ts';
import { type ReferenceFacts, referenceFacts, surroundingsFor } from './reference-facts.ts';
import { type Offer, textOf } from './why-offers.ts';

/** What one strategy makes of a listing. */
export interface StrategyReport {
  readonly strategy: Strategy;
  /** Where its purchases go: in dry-run all go to paper. */
  readonly lane: Lane;
  readonly wants: boolean;
  readonly conditions: readonly ConditionReport[];
  /** What admission would say now; undefined where it would admit, or the strategy does not want it anyway. */
  readonly refusal: Refusal | undefined;
}

/** Everything that can be said about why a listing was bought or not. */
export interface Explanation {
  readonly id: string | undefined;
  readonly market: string | undefined;
  readonly name: string | undefined;
  readonly raw: unknown;
  readonly history: ListingHistory | undefined;
  /** The listing, or why it cannot be judged; undefined when nobody has kept the entry. */
  readonly listing: Listing | undefined;
  readonly bad: BadListing | undefined;
  /** What our own record says of its name; undefined when the listing cannot be judged. */
  readonly reference: ReferenceFacts | undefined;
  /** By priority, then name. Empty when the listing cannot be judged. */
  readonly strategies: readonly StrategyReport[];
  /** Newest first. */
  readonly decisions: readonly Decision[];
  /** Oldest first. */
  readonly purchases: readonly Purchase[];
  readonly at: EpochMs;
}

export function explain(
  offer: Offer,
  asked: { readonly id?: string; readonly market?: string },
  strategies: readonly Strategy[],
  where: Circumstances,
): Explanation {
  const { raw, history } = offer;
  const read = raw === undefined ? undefined : readListing(raw);
  const listing = read?.ok === true ? read.listing : undefined;
  const id = history?.id ?? textOf(raw, 'id') ?? asked.id;
  const market = history?.market ?? textOf(raw, 'market') ?? asked.market;
  const purchases = id === undefined ? [] : purchasesOf(id, market, where);
  const reference = listing && referenceFacts(listing, where);
  const decisions = id === undefined ? [] : (where.reader?.decisionsOf(id, { market }) ?? []);
  return {
    ...{ id, market, raw, history, listing, reference, decisions, purchases, at: where.now },
    name: listing?.name ?? textOf(raw, 'marketHashName') ?? purchases[0]?.marketHashName ?? decisions[0]?.marketHashName,
    bad: read?.ok === false ? read.bad : undefined,
    strategies:
      listing === undefined || reference === undefined
        ? []
        : byPriority(strategies).map((strategy) => reportOf(strategy, listing, { reference, purchases }, where)),
  };
}

function reportOf(
  strategy: Strategy,
  listing: Listing,
  { reference, purchases }: { readonly reference: ReferenceFacts; readonly purchases: readonly Purchase[] },
  where: Circumstances,
): StrategyReport {
  const around = surroundingsFor(reference, where);
  const wants = strategy.matches(listing, around);
  return {
    ...{ strategy, wants, lane: where.mode === 'live' ? strategy.lane : 'paper', conditions: strategy.explain(listing, around) },
    refusal: wants ? refusalNow(listing, strategy, { purchases, record: reference.record }, where) : undefined,
  };
}

function byPriority(strategies: readonly Strategy[]): readonly Strategy[] {
  return strategies.toSorted((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1));
}

function purchasesOf(id: string, market: string | undefined, { purchases }: Circumstances): readonly Purchase[] {
  return (purchases.get(id) ?? []).filter((purchase) => market === undefined || purchase.market === market);
}
