import { type Purchase, wasAccepted, wasBought } from '../../domain/purchase.ts';
import type { Finding, OrderSeen } from '../../engine/evidence.ts';
import { amountAgrees } from './agree.ts';
import { apart } from './dates.ts';
import type { Matching } from './match.ts';
import { isBroken } from './order-status.ts';
import { LIST_LAG_MS } from './policy.ts';
import type { Scene } from './scene.ts';
import { rowsOfPurchases } from './tracking.ts';

/** A purchase of which no answer named the order, with the row that was taken for it. */
interface Held {
  readonly purchase: Purchase;
  readonly row: OrderSeen;
}

/**
 * Orders of the same goods at one price that bear one date (lists may cut them to seconds), held by each other's purchases: money came
 * back for one whose order did not fail, long enough ago for every list to show that it did, and none for the other, whose order failed.
 */
export function exchangeFindings(scene: Scene, matching: Matching): Finding[] {
  const held = [...rowsOfPurchases(scene, matching)].flatMap(([id, row]) => {
    const purchase = scene.purchases.get(id);
    return purchase !== undefined && scene.known.listed.has(id) && isBlind(purchase) ? [{ purchase, row }] : [];
  });
  const owed = new Set(held.filter(isOwed));
  return held
    .filter((one) => !isBroken(one.row.statusCode) && isLongRepaid(scene, one.purchase))
    .flatMap((one) => {
      const other = [...owed].find((candidate) => areAlike(one, candidate));
      if (other === undefined) return [];
      owed.delete(other);
      return exchange(scene, one.purchase, other.purchase);
    });
}

/** No answer named its order. */
function isBlind(purchase: Purchase): boolean {
  return purchase.upstreamOrderId === undefined && wasBought(purchase) && !wasAccepted(purchase);
}

function isOwed({ purchase, row }: Held): boolean {
  return isBroken(row.statusCode) && purchase.state !== 'refunded';
}

function isLongRepaid({ known, now }: Scene, { id, state }: Purchase): boolean {
  const dates = known.refunds.get(id)?.map(({ bookedAt }) => bookedAt) ?? [];
  return state === 'refunded' && dates.length > 0 && dates.every((date) => date !== undefined && now - date >= LIST_LAG_MS);
}

function areAlike(one: Held, other: Held): boolean {
  return (
    apart(one.row.timestampMs, other.row.timestampMs) === 0 &&
    one.purchase.itemId === other.purchase.itemId &&
    one.purchase.cost === other.purchase.cost &&
    amountAgrees(one.purchase, other.row.amount) === 'exact' &&
    amountAgrees(other.purchase, one.row.amount) === 'exact'
  );
}

function exchange({ now }: Scene, repaid: Purchase, owed: Purchase): Finding[] {
  const note = `orders of one moment were exchanged: the one that failed is of purchase ${repaid.id}, whose money came back`;
  const message = `The order that failed is of purchase ${repaid.id} (${repaid.marketHashName}), whose money has come back, not of purchase ${owed.id}: both were made within one second`;
  return [
    { kind: 'exchanged', purchaseId: repaid.id, withId: owed.id, note },
    { kind: 'alert', alert: { kind: 'refund', at: now, message, next: undefined, purchaseId: owed.id } },
  ];
}
