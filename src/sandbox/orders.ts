import type { EpochMs } from '../domain/clock.ts';
import type { Micros } from '../domain/money.ts';
import { chance, pick, type Random } from '../domain/random.ts';

export const orderLabels = {
  INITIATED: 'Order placed',
  PENDING: 'Waiting for the seller',
  ACTIVE: 'Trade offer sent',
  HOLD: 'Trade protection',
  COMPLETED: 'Completed',
  FAILED: 'Failed, refunded',
  REVERTED: 'Reverted, refunded',
} as const;

export type OrderCode = keyof typeof orderLabels;

/** One order as the exchange keeps it. Amounts in micro-dollars, times in epoch milliseconds. Saved as it is. */
export interface Order {
  /** The service's own order id, 24 hex characters. */
  readonly id: string;
  readonly upstreamId: string;
  readonly account: string;
  readonly market: string;
  readonly listingId: string;
  readonly itemId: string;
  readonly name: string;
  readonly wear: number | null;
  readonly price: Micros;
  /** What was debited. */
  readonly cost: Micros;
  readonly createdAt: EpochMs;
  readonly code: OrderCode;
  readonly updatedAt: EpochMs;
  readonly settlementAt: EpochMs | null;
  readonly cancelReason: string;
  readonly refunded: Micros;
  /** ours: asked for by a buy; foreign: by another client of the account; twin: the second order of one buy. */
  readonly origin: 'ours' | 'foreign' | 'twin';
  /** What is still to come, in order. */
  readonly plan: readonly OrderStep[];
}

export interface OrderStep {
  readonly at: EpochMs;
  readonly code: OrderCode;
}

export type OrderEnd = 'completes' | 'fails' | 'reverts';

/** How long an order stays in each state on average, milliseconds. */
export interface OrderTimes {
  readonly initiated: number;
  readonly pending: number;
  readonly active: number;
  readonly hold: number;
  /** From completion to a reversal after it. */
  readonly protection: number;
}

/** The sandbox's: all of it within a minute, so that one can watch. On the real service HOLD alone takes a week. */
export const quickTimes: OrderTimes = { initiated: 2000, pending: 3000, active: 6000, hold: 15_000, protection: 30_000 };

/** The way of an order from its start, drawn beforehand: each state lasts from half to one and a half of its usual time. */
export function planOrder(random: Random, start: EpochMs, times: OrderTimes, end: OrderEnd): OrderStep[] {
  let at = start;
  const after = (ms: number): EpochMs => (at += Math.max(1, Math.round(ms * (0.5 + random.next()))));
  const way: OrderStep[] = [
    { code: 'PENDING', at: after(times.initiated) },
    { code: 'ACTIVE', at: after(times.pending) },
    { code: 'HOLD', at: after(times.active) },
    { code: 'COMPLETED', at: after(times.hold) },
  ];
  if (end === 'completes') return way;
  if (end === 'reverts') {
    const inHold = chance(random, 0.5);
    const from = way[inHold ? 2 : 3]?.at ?? at;
    const wait = inHold ? times.hold * 0.4 * random.next() : times.protection * (0.2 + random.next());
    return [...way.slice(0, inHold ? 3 : 4), { code: 'REVERTED', at: from + Math.max(1, Math.round(wait)) }];
  }
  const kept = pick(random, [0, 1, 2]);
  const failsAt = way[kept]?.at ?? at;
  return [...way.slice(0, kept), { code: 'FAILED', at: failsAt }];
}

export const cancelReasons: Partial<Record<OrderCode, string>> = {
  FAILED: 'the seller did not deliver',
  REVERTED: 'the trade was reversed under trade protection',
};
