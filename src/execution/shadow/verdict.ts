import type { EpochMs } from '../../domain/clock.ts';
import { formatDollars, microsFromDollars } from '../../domain/money.ts';
import type { Purchase } from '../../domain/purchase.ts';
import type { BuyLatency, Shadow, ShadowReason } from '../../domain/shadow.ts';
import type { Detail } from '../details.ts';

/**
 * An answer that ends later than this after it was due says nothing, whatever it says: were only what still stands believed late, the
 * share won would look better than it is.
 */
const LATE_MS = 3_000;

/** A purchase on paper and when its listing is to be looked at again. */
export interface Awaiting {
  readonly purchase: Purchase;
  readonly latency: BuyLatency;
  /** By then a buy would have been answered. */
  readonly dueAt: EpochMs;
  /** What has not been said by then is not known. */
  readonly lateAt: EpochMs;
}

export function awaiting(purchase: Purchase, latency: BuyLatency, marginMs: number): Awaiting {
  const dueAt = purchase.createdAt + latency.ms + marginMs;
  return { purchase, latency, dueAt, lateAt: dueAt + LATE_MS };
}

/** When the question left that an answer belongs to, or since when the answer lay in a cache; and when it had come. */
interface Asked {
  readonly beganAt: EpochMs;
  readonly endedAt: EpochMs;
}

/** What an answer shows of one of them; undefined where it shows nothing that counts: asked too early, answered too late, not told. */
export function judged(one: Awaiting, detail: Detail | undefined, { beganAt, endedAt }: Asked): Shadow | undefined {
  if (detail === undefined || beganAt < one.dueAt || endedAt > one.lateAt) return undefined;
  const askedAfterMs = beganAt - one.purchase.createdAt;
  const told = (reason: ShadowReason, words?: string): Shadow => ({ ...shadowOf(one, reason, words, endedAt), askedAfterMs });
  if (detail.kind === 'gone') return told('gone');
  const { price, priceWithFee } = one.purchase;
  const isSame = detail.price === price && (detail.priceWithFee === undefined || detail.priceWithFee === priceWithFee);
  return isSame ? told('standing') : told('repriced', newPrice(detail));
}

/** One of which nothing was learnt. */
export function shadowOf(one: Awaiting, reason: ShadowReason, detail: string | undefined, at: EpochMs): Shadow {
  return { purchaseId: one.purchase.id, reason, detail, latency: one.latency, at, askedAfterMs: undefined };
}

function newPrice({ price, priceWithFee }: Extract<Detail, { kind: 'standing' }>): string {
  const dollars = (amount: number): string => {
    const exact = microsFromDollars(amount, 'up');
    return exact === undefined ? String(amount) : formatDollars(exact);
  };
  return priceWithFee === undefined ? `${dollars(price)} without the fee` : `${dollars(priceWithFee)} with the fee`;
}
