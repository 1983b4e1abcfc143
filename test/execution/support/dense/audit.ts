import type { Purchase } from '../../../../src/domain/purchase.ts';
import { finalViolations } from '../../../simulation/audit/final.ts';
import type { OrderRow, PurchaseRow, Rows } from '../../../simulation/audit/rows.ts';
import { soldTwice, truthOf } from '../../../simulation/audit/truth.ts';
import { type Violation, violation } from '../../../simulation/violation.ts';
import type { DenseBook } from './book.ts';
import type { Life } from './life.ts';

/** The book at the end of a life against the exchange's own, as simulated lives are audited. A halt is one too many: nobody else buys. */
export function audit({ world, book, skipped }: Omit<Life, 'violations'>): Violation[] {
  const rows = rowsOf(book);
  const truth = truthOf(
    {
      orders: world.orders.filter(({ attempt }) => !skipped.has(attempt)).map(({ order }) => order),
      bookings: world.bookings.filter(({ of }) => !skipped.has(of.attempt)).map(({ booking }) => booking),
    },
    rows.purchases,
  );
  return [
    ...finalViolations(rows, truth, { faults: {} }),
    ...soldTwice(truth),
    ...book.halts.map((reason) => violation('false-halt', reason)),
  ];
}

function rowsOf(book: DenseBook): Rows {
  const orders = [...book.orders.values()].map(({ seq, orderId, as, purchaseId, amount }): OrderRow => ({
    ...{ seq, order_id: orderId, known_as: as, purchase_id: purchaseId ?? null, amount, name: '' },
    first_seen: book.seenAt.get(orderId) ?? 0,
  }));
  return { purchases: [...book.purchases.values()].map(purchaseRow), orders, evidence: [], halts: [], alerts: [] };
}

function purchaseRow(one: Purchase): PurchaseRow {
  return {
    id: one.id,
    state: one.state,
    held: one.held ? 1 : 0,
    was_unknown: one.wasUnknown ? 1 : 0,
    refusal_cause: one.refusalCause ?? null,
    strategy: one.strategy,
    market: one.market,
    listing_id: one.listingId,
    market_hash_name: one.marketHashName,
    wear: one.wear ?? null,
    price: one.price,
    cost: one.cost,
    paid: one.paid ?? null,
    refunded: one.refunded,
    service_order_id: one.serviceOrderId ?? null,
    order_status: one.orderStatus ?? null,
    reason: one.reason ?? null,
    base_seq: one.baseSeq,
    created_at: one.createdAt,
  };
}
