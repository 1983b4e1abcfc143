import type { Lived } from '../lived.ts';
import { type Violation, violation } from '../violation.ts';
import { type Rows, keyOf } from './rows.ts';
import type { Truth } from './truth.ts';

/** Faults under which a first look cannot show every order that was made before it. */
const hiding = ['ordersLate', 'ordersNever', 'ordersPartial'] as const;

/**
 * An older copy of the ledger was put in its place: orders of what was forgotten must be accounted for before anything is bought.
 * Only where the service shows them at the first look can it be held to that.
 */
export function overlooked({ purchases, orders }: Rows, { ours }: Truth, { restored, plan }: Lived): Violation[] {
  if (hiding.some((name) => (plan.faults[name] ?? 0) > 0)) return [];
  const known = new Map(orders.map(({ order_id, seq }) => [order_id, seq]));
  const sold = [...ours].flatMap(([listing, all]) => all.map(({ order }) => ({ listing, order })));
  return restored.flatMap(({ copiedAt, at, lastId }) => {
    const first = purchases.find(({ id }) => id > lastId);
    if (first === undefined) return [];
    const missed = sold.filter(
      ({ order }) => order.createdAt >= copiedAt && order.createdAt < at && (known.get(order.id) ?? Infinity) > first.base_seq,
    );
    const about = { at: first.created_at, listing: keyOf(first), purchaseId: first.id };
    return missed.map(({ order }) =>
      violation('overlooked', `bought before order ${order.id} of a time that was forgotten was accounted for`, about),
    );
  });
}
