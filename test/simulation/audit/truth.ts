import type { BooksView } from '../../../src/sandbox/audit.ts';
import { type Violation, violation } from '../violation.ts';
import { type PurchaseRow, keyOf } from './rows.ts';

/** What an auditor asks of an order. */
export type SoldOrder = Pick<
  BooksView['orders'][number],
  'id' | 'market' | 'listingId' | 'name' | 'price' | 'createdAt' | 'code' | 'origin'
>;

/** The part of an exchange's books that tells what became of each order. Orders are the oldest first. */
export interface Sales {
  readonly orders: readonly SoldOrder[];
  readonly bookings: readonly Pick<BooksView['bookings'][number], 'orderId' | 'kind' | 'amount'>[];
}

/** What really happened to one order, by the exchange's own books. Amounts in micro-dollars. */
export interface TrueOrder {
  readonly order: SoldOrder;
  readonly debited: number;
  readonly cameBack: number;
  /** Nothing more will come of it. */
  readonly final: boolean;
}

/** The exchange's books in the order that an auditor asks for. */
export interface Truth {
  /** Orders that were asked for by buys of ours, by `market:listing id`, oldest first: more than one of a listing is one too many. */
  readonly ours: ReadonlyMap<string, readonly TrueOrder[]>;
  /** All orders by their id. */
  readonly byId: ReadonlyMap<string, TrueOrder>;
  /** What the exchange sold for a purchase of ours, by the purchase's number. */
  readonly sold: ReadonlyMap<number, TrueOrder>;
}

export function truthOf(books: Sales, purchases: readonly PurchaseRow[]): Truth {
  const debited = new Map<string, number>();
  const cameBack = new Map<string, number>();
  for (const { orderId, kind, amount } of books.bookings) {
    if (orderId === null) continue;
    const sums = kind === 'refund' ? cameBack : debited;
    sums.set(orderId, (sums.get(orderId) ?? 0) + Math.abs(amount));
  }
  const byId = new Map<string, TrueOrder>();
  const ours = new Map<string, TrueOrder[]>();
  for (const order of books.orders) {
    const back = cameBack.get(order.id) ?? 0;
    const one = { order, debited: debited.get(order.id) ?? 0, cameBack: back, final: isFinal(order, back) };
    byId.set(order.id, one);
    const listing = `${order.market}:${order.listingId}`;
    if (order.origin === 'ours') ours.set(listing, [...(ours.get(listing) ?? []), one]);
  }
  return { ours, byId, sold: soldTo(purchases, ours) };
}

/** A listing may be tried again after a refusal: what was sold then is the last try's at the price at which it was sold. */
function soldTo(purchases: readonly PurchaseRow[], ours: ReadonlyMap<string, readonly TrueOrder[]>): Map<number, TrueOrder> {
  const sold = new Map<number, TrueOrder>();
  const latestFirst = purchases.filter(({ state }) => state !== 'expired').toReversed();
  for (const [listing, orders] of ours) {
    for (const one of orders.toReversed()) {
      const owner = latestFirst.find(
        (row) => keyOf(row) === listing && Math.round(row.price * 1e6) === one.order.price && !sold.has(row.id),
      );
      if (owner !== undefined) sold.set(owner.id, one);
    }
  }
  return sold;
}

/** Whatever else goes wrong, no listing is bought twice. */
export function soldTwice({ ours }: Truth): Violation[] {
  return [...ours].flatMap(([listing, orders]) => {
    const [, second] = orders;
    if (second === undefined) return [];
    const ids = orders.map(({ order }) => order.id).join(', ');
    return [
      violation('twice', `buys of ours made ${orders.length} orders of it: ${ids}`, { at: second.order.createdAt, listing }),
    ];
  });
}

function isFinal(order: SoldOrder, cameBack: number): boolean {
  if (order.code === 'COMPLETED') return true;
  return (order.code === 'FAILED' || order.code === 'REVERTED') && cameBack > 0;
}
