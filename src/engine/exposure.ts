import type { EpochMs } from '../domain/clock.ts';
import { type Lags, noLags, windowStart } from '../domain/lag.ts';
import { windowMs } from '../domain/limits.ts';
import { type Micros, ZERO, add, micros } from '../domain/money.ts';
import { type Purchase, type PurchaseState, committedAmount, isCommitted, isOpen, isReserved } from '../domain/purchase.ts';
import type { Hold } from '../risk/balance.ts';
import { itemKey } from '../domain/text.ts';
import { ADOPTED_OPEN_MS, type CapRow, type Totals, type Usage, netAmount, usageOf } from '../risk/usage.ts';

/** What one row adds to the sums, kept so that it can be taken out again when the row changes. */
interface Contribution {
  readonly row: CapRow | undefined;
  readonly net: Micros;
  /** 1 while it counts in the totals of counts, else 0. */
  readonly counted: number;
  readonly open: number;
  readonly unknown: number;
  readonly hold: Hold | undefined;
}

/** How much of one lane's caps is used, kept up to date row by row. Equal, at any time, to a recount from the rows. */
export interface Exposure {
  readonly contributions: Map<string, Contribution>;
  readonly recent: Map<string, CapRow>;
  readonly holds: Map<string, Hold>;
  readonly sums: Map<string, number>;
  /** Orders of others that are on their way, with when each was first seen. */
  readonly strangers: Map<string, EpochMs>;
  /** Of the runs that have written what is counted. */
  readonly lags: Lags;
}

export function emptyExposure(lags: Lags = noLags): Exposure {
  return {
    ...{ contributions: new Map(), recent: new Map(), holds: new Map(), sums: new Map(), strangers: new Map() },
    lags,
  };
}

/** Puts a purchase's newest row in the place of its older one. */
export function withPurchase(exposure: Exposure, purchase: Purchase): void {
  const committed = isCommitted(purchase);
  const amount = committedAmount(purchase);
  const net = committed ? netAmount(amount, purchase.refunded) : ZERO;
  replace(exposure, String(purchase.id), {
    row: committed
      ? {
          at: purchase.createdAt,
          amount,
          strategy: purchase.strategy,
          marketHashName: purchase.marketHashName,
          item: itemKey(purchase.marketHashName),
          state: purchase.state,
        }
      : undefined,
    net,
    counted: committed && (amount === 0 || net > 0) ? 1 : 0,
    open: isOpen(purchase.state) ? 1 : 0,
    unknown: purchase.state === 'unknown' ? 1 : 0,
    hold: holdOf(purchase, amount, net),
  });
}

const paidFor: ReadonlySet<PurchaseState> = new Set(['bought', 'completed', 'refunded']);

/** Money that a reading of the balance does not show as gone: reserved in full, or paid for and not seen as debited. */
function holdOf(purchase: Purchase, amount: Micros, net: Micros): Hold | undefined {
  if (isReserved(purchase)) return { purchaseId: purchase.id, amount, answeredAt: undefined };
  if (!paidFor.has(purchase.state) || purchase.debitSeen) return undefined;
  return { purchaseId: purchase.id, amount: net, answeredAt: purchase.answeredAt ?? purchase.updatedAt };
}

/**
 * An order that nobody here made: it counts in the account's caps, in no strategy's, as what and from when it was first told. Told
 * again, it says whether it is still on its way.
 */
export function withAdopted(
  exposure: Exposure,
  orderId: string,
  { open, ...given }: Omit<CapRow, 'strategy' | 'state' | 'item'> & { readonly open: boolean },
): void {
  const id = `order:${orderId}`;
  const row: CapRow = exposure.contributions.get(id)?.row ?? {
    ...given,
    item: itemKey(given.marketHashName),
    strategy: undefined,
    state: 'adopted',
  };
  if (open) exposure.strangers.set(orderId, row.at);
  else exposure.strangers.delete(orderId);
  replace(exposure, id, {
    row,
    net: row.amount,
    counted: 1,
    open: 0,
    unknown: 0,
    hold: undefined,
  });
}

/** It is a purchase's own after all, which counts by itself. */
export function withoutAdopted(exposure: Exposure, orderId: string): void {
  exposure.strangers.delete(orderId);
  replace(exposure, `order:${orderId}`, undefined);
}

/**
 * An intent that has been handed on and has no row yet: counted at once, so that the next decision sees it, and in every window
 * however long its row takes, since the row's own time will be later.
 */
export function withPending(
  exposure: Exposure,
  key: string,
  row: Omit<CapRow, 'state' | 'at' | 'item'>,
  holdsBalance: boolean,
): void {
  replace(exposure, `pending:${key}`, {
    row: { ...row, item: itemKey(row.marketHashName), at: Number.MAX_SAFE_INTEGER, state: 'intended' },
    net: row.amount,
    counted: 1,
    open: 1,
    unknown: 0,
    hold: holdsBalance ? { purchaseId: -1, amount: row.amount, answeredAt: undefined } : undefined,
  });
}

export function withoutPending(exposure: Exposure, key: string): void {
  replace(exposure, `pending:${key}`, undefined);
}

function replace(exposure: Exposure, id: string, next: Contribution | undefined): void {
  const before = exposure.contributions.get(id);
  if (before !== undefined) addToSums(exposure.sums, before, -1);
  if (next === undefined) exposure.contributions.delete(id);
  else {
    exposure.contributions.set(id, next);
    addToSums(exposure.sums, next, 1);
  }
  if (next?.row === undefined) exposure.recent.delete(id);
  else exposure.recent.set(id, next.row);
  if (next?.hold === undefined) exposure.holds.delete(id);
  else exposure.holds.set(id, next.hold);
}

function addToSums(sums: Map<string, number>, contribution: Contribution, sign: 1 | -1): void {
  const { row, net, counted } = contribution;
  const bump = (key: string, by: number): void => {
    if (by === 0) return;
    const value = (sums.get(key) ?? 0) + sign * by;
    if (value === 0) sums.delete(key);
    else sums.set(key, value);
  };
  bump('open', contribution.open);
  bump('unknown', contribution.unknown);
  if (row === undefined) return;
  bump('spend', net);
  bump(`item\n${row.item}`, counted);
  if (row.strategy === undefined) return;
  bump(`spend\n${row.strategy}`, net);
  bump(`count\n${row.strategy}`, counted);
  bump(`item\n${row.strategy}\n${row.item}`, counted);
}

/** The use of every cap for one strategy and item, now. */
export function usage(
  exposure: Exposure,
  probe: { readonly strategy: string; readonly marketHashName: string },
  now: EpochMs,
): Usage {
  const sumOf = (key: string): number => exposure.sums.get(key) ?? 0;
  const item = itemKey(probe.marketHashName);
  const onTheirWay = [...exposure.strangers.values()].filter((at) => now - at < ADOPTED_OPEN_MS).length;
  const totals: Totals = {
    spend: micros(sumOf('spend')),
    item: sumOf(`item\n${item}`) + (item === '' ? 0 : sumOf('item\n')),
    strategySpend: micros(sumOf(`spend\n${probe.strategy}`)),
    strategyCount: sumOf(`count\n${probe.strategy}`),
    strategyItem: sumOf(`item\n${probe.strategy}\n${item}`),
    open: sumOf('open') + onTheirWay,
    unknown: sumOf('unknown'),
  };
  return usageOf(exposure.recent.values(), totals, probe, now, exposure.lags);
}

/** What was spent within the last hour, as `usage` counts it. */
export function spentInHour({ recent, lags }: Exposure, now: EpochMs): Micros {
  const hourAgo = windowStart(now - windowMs.hour, lags);
  let spent = ZERO;
  for (const { at, amount } of recent.values()) if (at > hourAgo) spent = add(spent, amount);
  return spent;
}

/** Forgets rows that have left every window; the sums keep them. Cheap enough for every snapshot. */
export function pruneRecent(exposure: Exposure, now: EpochMs): void {
  const dayAgo = windowStart(now - windowMs.day, exposure.lags);
  for (const [id, row] of exposure.recent) {
    if (row.at <= dayAgo) exposure.recent.delete(id);
  }
  for (const [id, at] of exposure.strangers) {
    if (now - at >= ADOPTED_OPEN_MS) exposure.strangers.delete(id);
  }
}
