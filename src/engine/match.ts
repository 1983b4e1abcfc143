import type { EpochMs } from '../domain/clock.ts';
import type { Listing } from '../domain/listing.ts';
import type { Lane } from '../domain/purchase.ts';
import { type Strategy, anyListing } from '../strategy/strategy.ts';
import type { StrategyIndex } from '../strategy/strategy-index.ts';
import { type Surroundings, nothingAround } from '../strategy/surroundings.ts';
import type { Match } from './state.ts';

/** What a purchase by hand is called where a strategy's name stands. */
export const BY_HAND = 'by-hand';

/** The strategies that want a listing, as a match; undefined when none does. */
export function matchOf(
  listing: Listing,
  strategies: StrategyIndex,
  seen: { readonly at: EpochMs; readonly position: number },
  around: Surroundings = nothingAround,
): Match | undefined {
  const live: Strategy[] = [];
  const paper: Strategy[] = [];
  for (const strategy of strategies.wanting(listing, around)) (strategy.lane === 'live' ? live : paper).push(strategy);
  const first = live[0] ?? paper[0];
  if (first === undefined) return undefined;
  return newMatch(listing, { live, paper }, first.priority, seen, undefined);
}

/** A match that a person asked for: before all others, without a strategy's own limits. */
export function matchByHand(listing: Listing, lane: Lane, seenAt: EpochMs, requestId: number): Match {
  const strategy: Strategy = {
    name: BY_HAND,
    hash: BY_HAND,
    text: '',
    lane,
    priority: Number.POSITIVE_INFINITY,
    limits: { spend: {}, count: {}, perItem: {} },
    usesReference: false,
    looksAround: undefined,
    watches: [],
    foresight: anyListing,
    matches: () => true,
    misses: () => undefined,
    explain: () => [],
  };
  const strategies = lane === 'live' ? { live: [strategy], paper: [] } : { live: [], paper: [strategy] };
  return newMatch(listing, strategies, strategy.priority, { at: seenAt, position: 0 }, requestId);
}

function newMatch(
  listing: Listing,
  strategies: Match['strategies'],
  priority: number,
  seen: { readonly at: EpochMs; readonly position: number },
  requestId: number | undefined,
): Match {
  return {
    key: listing.key,
    listing,
    strategies,
    position: seen.position,
    priority,
    discount: listing.steam === undefined ? 0 : 1 - listing.cost / listing.steam,
    seenAt: seen.at,
    noted: new Map(),
    requestId,
  };
}

/** Strategy priority, then discount, then the feed's own order. */
export function inOrder(a: Match, b: Match): number {
  // Two infinities would give NaN, so equal priorities are told first.
  if (a.priority !== b.priority) return b.priority - a.priority;
  return b.discount - a.discount || a.position - b.position;
}
