import { type Purchase, wasAccepted, wasBought } from '../../domain/purchase.ts';
import type { Known, OrderSeen, TransactionSeen } from '../../engine/evidence.ts';
import { floatAgrees, itemAgrees } from './agree.ts';
import { DATE_MARGIN_MS } from './policy.ts';

/** What our own rows have taught about the service's lists; undefined until one has. */
export interface Learnt {
  /** Whether rows of orders bear the id that the buy answered with. */
  readonly ownIds: boolean | undefined;
  /** A row of our own named its listing id, so a number in `itemId` is a listing. */
  readonly numbersAreListings: boolean;
  /** A transaction of our own showed the wear that the listing had, so floats can tell items apart. */
  readonly floatsAgree: boolean;
  /** The dates of our own rows lie where the purchases do. */
  readonly datesAgree: boolean | undefined;
}

export const nothingLearnt: Learnt = { ownIds: undefined, numbersAreListings: false, floatsAgree: false, datesAgree: undefined };

/** The answer to the buy itself named its order: no evidence was needed. */
function answeredWithId(purchase: Purchase): boolean {
  return purchase.serviceOrderId !== undefined && !purchase.wasUnknown && purchase.refusalCause === undefined;
}

/** What was learnt before, and what the rows of our own orders (each with its purchase's id) and the transactions of this look add. */
export function learn(
  before: Learnt,
  known: Known,
  own: ReadonlyMap<OrderSeen, number>,
  transactions: readonly TransactionSeen[],
): Learnt {
  const { purchases } = known;
  const byId = new Map(purchases.map((purchase) => [purchase.id, purchase]));
  const ownRows = [...own].flatMap(([row, id]) => {
    const purchase = byId.get(id);
    return purchase === undefined ? [] : [{ row, purchase }];
  });
  const listedIds = purchases.filter(answeredWithId).flatMap((purchase) => {
    const shown = ownRows.find(({ row, purchase: owner }) => owner === purchase && row.orderId === purchase.serviceOrderId);
    const id = shown?.row.orderId ?? known.listed.get(purchase.id);
    return id === undefined ? [] : [id === purchase.serviceOrderId];
  });
  const numbersAreListings = before.numbersAreListings || ownRows.some(({ row, purchase }) => row.itemId === purchase.listingId);
  const dated = ownRows.filter(({ row, purchase }) => row.timestampMs !== undefined && purchase.answeredAt !== undefined);
  return {
    ownIds: listedIds.length === 0 ? before.ownIds : listedIds.includes(true),
    numbersAreListings,
    floatsAgree: before.floatsAgree || purchases.some((purchase) => hasOwnFloat(purchase, transactions, numbersAreListings)),
    datesAgree: dated.length === 0 ? before.datesAgree : dated.every(({ row, purchase }) => dateFits(row, purchase)),
  };
}

function hasOwnFloat(purchase: Purchase, transactions: readonly TransactionSeen[], numbersAreListings: boolean): boolean {
  if (!wasBought(purchase)) return false;
  return transactions.some((row) => {
    if (row.type !== 'purchase' || floatAgrees(purchase, row) !== 'same') return false;
    return itemAgrees(purchase, row, numbersAreListings) !== 'other';
  });
}

function dateFits(row: OrderSeen, purchase: Purchase): boolean {
  const at = row.timestampMs ?? 0;
  if (at < purchase.createdAt - DATE_MARGIN_MS) return false;
  return !wasAccepted(purchase) || at <= (purchase.answeredAt ?? 0) + DATE_MARGIN_MS;
}
