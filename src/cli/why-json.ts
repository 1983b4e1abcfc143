import type { EpochMs } from '../domain/clock.ts';
import type { Decision } from '../domain/decision.ts';
import { dollarsFromMicros } from '../domain/money.ts';
import { purchaseJson } from '../domain/purchase.ts';
import type { ListingHistory } from '../replay/tape-reader.ts';
import { referenceJson } from './reference-facts.ts';
import type { Explanation, StrategyReport } from './why-facts.ts';

/** `why --json`, for one listing: dollars as numbers, times ISO 8601 in UTC, absent values null. */
export function explanationJson(about: Explanation): Record<string, unknown> {
  const { id, market, name, history, bad, raw } = about;
  return {
    listingId: id ?? null,
    market: market ?? null,
    marketHashName: name ?? null,
    bad: bad?.reason ?? null,
    matched: about.strategies.filter(({ wants }) => wants).map(({ strategy }) => strategy.name),
    seen: history === undefined ? null : seenJson(history),
    reference: about.reference === undefined ? null : referenceJson(about.reference),
    strategies: about.strategies.map(strategyJson),
    decisions: about.decisions.map(decisionJson),
    purchases: about.purchases.map(purchaseJson),
    listing: raw ?? null,
  };
}

function seenJson({ firstSeenAt, lastSeenAt, goneAt, standing, events }: ListingHistory): Record<string, unknown> {
  const course = events.map(({ kind, at, reason }) => ({ kind, at: iso(at), reason: reason ?? null }));
  return {
    first: iso(firstSeenAt),
    last: iso(lastSeenAt),
    gone: goneAt === undefined ? null : iso(goneAt),
    standing,
    events: course,
  };
}

function strategyJson({ strategy, lane, wants, conditions, refusal }: StrategyReport): Record<string, unknown> {
  return {
    name: strategy.name,
    mode: lane === 'live' ? 'live' : 'dry-run',
    matches: wants,
    conditions: conditions.map(({ path, depth, wants: threshold, has, verdict }) => ({
      path,
      depth,
      threshold,
      value: has,
      verdict,
    })),
    admission: wants
      ? { admitted: refusal === undefined, reason: refusal?.reason ?? null, detail: refusal?.detail ?? null }
      : null,
  };
}

function decisionJson({ at, lane, strategy, cost, verdict, reason, detail }: Decision): Record<string, unknown> {
  return {
    ...{ at: iso(at), mode: lane === 'live' ? 'live' : 'dry-run', strategy, priceWithFee: dollarsFromMicros(cost), verdict },
    ...{ reason: reason ?? null, detail: detail ?? null },
  };
}

function iso(at: EpochMs): string {
  return new Date(at).toISOString();
}
