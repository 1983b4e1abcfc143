import type { EpochMs } from '../domain/clock.ts';
import { type Lags, noLags, windowStart } from '../domain/lag.ts';
import { type Window, windowMs } from '../domain/limits.ts';
import { type Micros, ZERO, add, micros } from '../domain/money.ts';
import type { PurchaseState } from '../domain/purchase.ts';
import { itemKey } from '../domain/text.ts';

/** What the caps need to know of one purchase, or of an adopted order (which has no strategy). */
export interface CapRow {
  readonly at: EpochMs;
  /** What was paid, or what it is expected to cost. */
  readonly amount: Micros;
  readonly strategy: string | undefined;
  readonly marketHashName: string;
  /** `itemKey` of the name; empty where an order shows none: it may be any item, and counts as each. */
  readonly item: string;
  readonly state: PurchaseState | 'adopted';
}

/** An order of somebody else in such a state will not move any more. */
export const finalStatuses: readonly string[] = ['COMPLETED', 'FAILED', 'REVERTED'];

export function isOnItsWay(statusCode: string): boolean {
  return !finalStatuses.includes(statusCode);
}

/**
 * An order of somebody else counts as open no longer than this: a trade hold takes a week or so, and a list that shows only the newest
 * orders may never say how it ended.
 */
export const ADOPTED_OPEN_MS = 10 * windowMs.day;

/** Sums over everything ever committed, narrowed to one strategy and one item where the name says so. */
export interface Totals {
  /** Committed minus what came back. */
  readonly spend: Micros;
  /** Purchases of the item that were not wholly returned. */
  readonly item: number;
  readonly strategySpend: Micros;
  readonly strategyCount: number;
  readonly strategyItem: number;
  /** Intended, unknown or bought, and orders of others on their way. */
  readonly open: number;
  readonly unknown: number;
}

/** How much of every cap is used, for one strategy and one item at one instant. */
export interface Usage {
  readonly spend: Readonly<Record<Window, Micros>>;
  readonly item: Readonly<Record<Window, number>>;
  readonly strategySpend: Readonly<Record<Window, Micros>>;
  readonly strategyCount: Readonly<Record<Window, number>>;
  readonly strategyItem: Readonly<Record<Window, number>>;
  readonly open: number;
  readonly unknown: number;
  /** Purchases committed in the last hour, for the breaker: adopted orders are not ours to count here. */
  readonly committedInHour: number;
}

interface Mutable {
  spend: Micros;
  item: number;
  strategySpend: Micros;
  strategyCount: number;
  strategyItem: number;
  committed: number;
}

const empty = (): Mutable => ({ spend: ZERO, item: 0, strategySpend: ZERO, strategyCount: 0, strategyItem: 0, committed: 0 });

/**
 * The use of every cap. `recent` holds the committed rows of the last 24 hours at least (older ones are passed over; a refund
 * does not refill a window, so rows count whole), `totals` the sums over all time. Where earlier runs were slow, `recent` reaches back
 * as much further.
 */
export function usageOf(
  recent: Iterable<CapRow>,
  totals: Totals,
  probe: { readonly strategy: string; readonly marketHashName: string },
  now: EpochMs,
  lags: Lags = noLags,
): Usage {
  const hour = empty();
  const day = empty();
  const one = { strategy: probe.strategy, item: itemKey(probe.marketHashName) };
  const [hourAgo, dayAgo] = [windowStart(now - windowMs.hour, lags), windowStart(now - windowMs.day, lags)];
  for (const row of recent) {
    if (row.at <= dayAgo) continue;
    count(day, row, one);
    if (row.at > hourAgo) count(hour, row, one);
  }
  return {
    spend: { hour: hour.spend, day: day.spend, total: totals.spend },
    item: { hour: hour.item, day: day.item, total: totals.item },
    strategySpend: { hour: hour.strategySpend, day: day.strategySpend, total: totals.strategySpend },
    strategyCount: { hour: hour.strategyCount, day: day.strategyCount, total: totals.strategyCount },
    strategyItem: { hour: hour.strategyItem, day: day.strategyItem, total: totals.strategyItem },
    open: totals.open,
    unknown: totals.unknown,
    committedInHour: hour.committed,
  };
}

function count(into: Mutable, row: CapRow, probe: { readonly strategy: string; readonly item: string }): void {
  const sameItem = row.item === '' || row.item === probe.item;
  into.spend = add(into.spend, row.amount);
  if (sameItem) into.item += 1;
  if (row.state !== 'adopted') into.committed += 1;
  if (row.strategy !== probe.strategy) return;
  into.strategySpend = add(into.strategySpend, row.amount);
  into.strategyCount += 1;
  if (sameItem) into.strategyItem += 1;
}

/** What a purchase still counts in `total`: what was committed minus what came back, never below zero. */
export function netAmount(amount: Micros, refunded: Micros): Micros {
  return micros(Math.max(0, amount - refunded));
}
