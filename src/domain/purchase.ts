import type { EpochMs } from './clock.ts';
import type { Micros } from './money.ts';
import { MICROS_PER_DOLLAR } from './money.ts';

export const purchaseStates = {
  intended: 'durably written, no answer yet',
  unknown: 'sent; nobody can say yet whether it was bought',
  bought: 'the service accepted it, or evidence shows it',
  completed: 'its order is completed',
  refunded: 'paid and returned: failed or reverted',
  rejected: 'the service refused it, or evidence shows that it was never bought',
  expired: 'recorded, but its request provably never left',
  simulated: 'dry-run: would have been bought',
} as const;

export type PurchaseState = keyof typeof purchaseStates;

export function isPurchaseState(text: string): text is PurchaseState {
  return Object.hasOwn(purchaseStates, text);
}

/** Where a purchase goes: the real account, or paper. */
export type Lane = 'live' | 'paper';

/**
 * The legal moves. Evidence of an order outranks age, proof of absence and a person's verdict, so `rejected` may still
 * become `bought`; nothing leaves `simulated` or `expired`.
 */
const moves: Readonly<Record<PurchaseState, readonly PurchaseState[]>> = {
  intended: ['unknown', 'bought', 'rejected', 'expired'],
  unknown: ['bought', 'rejected'],
  bought: ['completed', 'refunded'],
  completed: ['refunded'],
  refunded: [],
  rejected: ['bought'],
  expired: [],
  simulated: [],
};

export function mayMove(from: PurchaseState, to: PurchaseState): boolean {
  return moves[from].includes(to);
}

/** One purchase as the ledger keeps it. Amounts in micro-dollars, times in steady epoch milliseconds. */
export interface Purchase {
  readonly id: number;
  readonly account: string;
  readonly lane: Lane;
  readonly state: PurchaseState;
  /** Name of the strategy; `by-hand` for `magpie buy`. */
  readonly strategy: string;
  readonly strategyHash: string;
  readonly market: string;
  readonly listingId: string;
  readonly itemId: string;
  readonly marketHashName: string;
  readonly wear: number | undefined;
  readonly paintSeed: number | undefined;
  /** Base price in dollars exactly as received and sent. */
  readonly price: number;
  readonly priceMicros: Micros;
  readonly priceWithFee: number;
  /** Expected debit: priceWithFee rounded up. */
  readonly cost: Micros;
  readonly steam: Micros | undefined;
  readonly serviceOrderId: string | undefined;
  readonly upstreamOrderId: string | undefined;
  /** Newest status code the service showed for the order. */
  readonly orderStatus: string | undefined;
  /** What was really debited once that is known; undefined before. */
  readonly paid: Micros | undefined;
  /** What was seen coming back so far. */
  readonly refunded: Micros;
  readonly reason: string | undefined;
  /** Refused or disproved, but its money stays held until two complete looks have confirmed it. */
  readonly held: boolean;
  /** It has been unknown at some time: its listing is closed for ever. */
  readonly wasUnknown: boolean;
  /** The cause of a refusal, as a FaultCause; undefined otherwise. */
  readonly refusalCause: string | undefined;
  /** A balance reading has shown its debit (or must have by now). */
  readonly debitSeen: boolean;
  /** Sequence of the newest order known when the intent was written: an order with a higher one is novel. */
  readonly baseSeq: number;
  /**
   * How many orders the service's `total` counted besides ours, at the last look before the intent was
   * written: if that grows, an order exists which no list has shown. Undefined while no look could say.
   */
  readonly baseTotal: number | undefined;
  /** Balance expected when the intent was written, before its own debit; undefined when there was no reading. */
  readonly baseBalance: Micros | undefined;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
  /** When the outcome of the request was recorded (or the crash was found); undefined while intended. */
  readonly answeredAt: EpochMs | undefined;
  readonly completedAt: EpochMs | undefined;
  /** When the service says the order settles; undefined while it does not. */
  readonly settlementAt: EpochMs | undefined;
}

/** The amount a cap counts for a purchase, without refunds: what was paid, or what it is expected to cost. */
export function committedAmount(purchase: Pick<Purchase, 'paid' | 'cost'>): Micros {
  return purchase.paid ?? purchase.cost;
}

const open: ReadonlySet<PurchaseState> = new Set(['intended', 'unknown', 'bought']);

/** Counts against `openPurchases`: not yet completed, refunded, rejected or expired. */
export function isOpen(state: PurchaseState): boolean {
  return open.has(state);
}

/** Whether a purchase still claims money in the windows of the caps. */
export function isCommitted(purchase: Pick<Purchase, 'state' | 'held'>): boolean {
  if (purchase.state === 'expired') return false;
  return purchase.state !== 'rejected' || purchase.held;
}

/** Money of which nobody can say yet whether it was spent. */
export function isReserved(purchase: Pick<Purchase, 'state' | 'held'>): boolean {
  return purchase.state === 'intended' || purchase.state === 'unknown' || (purchase.state === 'rejected' && purchase.held);
}

/** It was bought, whatever became of it since. */
export function wasBought({ state }: Pick<Purchase, 'state'>): boolean {
  return state === 'bought' || state === 'completed' || state === 'refunded';
}

/** Its own answer said that it was bought. Of any other nobody knows how long after its answer the service made the order. */
export function wasAccepted(purchase: Pick<Purchase, 'state' | 'wasUnknown' | 'refusalCause'>): boolean {
  return wasBought(purchase) && !purchase.wasUnknown && purchase.refusalCause === undefined;
}

/** A person's word may settle it: nobody can say whether it was bought, and its request is over. */
export function isResolvable(purchase: Pick<Purchase, 'state' | 'held'>): boolean {
  return purchase.state !== 'intended' && isReserved(purchase);
}

/** Bought, or once unknown: its listing is never bought again, whatever became of it. */
export function closesListing(purchase: Pick<Purchase, 'state' | 'held' | 'wasUnknown'>): boolean {
  if (purchase.state === 'expired') return false;
  return purchase.state !== 'rejected' || purchase.wasUnknown || purchase.held;
}

/** The form in which purchases leave Magpie: dollars as numbers, ISO times, absent values null. */
export function purchaseJson(purchase: Purchase): Record<string, unknown> {
  const dollars = (amount: Micros | undefined): number | null => (amount === undefined ? null : amount / MICROS_PER_DOLLAR);
  return {
    id: purchase.id,
    state: purchase.state,
    mode: purchase.lane === 'live' ? 'live' : 'dry-run',
    strategy: purchase.strategy,
    market: purchase.market,
    listingId: purchase.listingId,
    itemId: purchase.itemId,
    marketHashName: purchase.marketHashName,
    wear: purchase.wear ?? null,
    price: purchase.price,
    priceWithFee: purchase.priceWithFee,
    steamPrice: dollars(purchase.steam),
    serviceOrderId: purchase.serviceOrderId ?? null,
    orderStatus: purchase.orderStatus ?? null,
    paid: dollars(purchase.paid),
    refunded: purchase.refunded === 0 ? null : dollars(purchase.refunded),
    reason: purchase.reason ?? null,
    createdAt: new Date(purchase.createdAt).toISOString(),
    updatedAt: new Date(purchase.updatedAt).toISOString(),
  };
}
