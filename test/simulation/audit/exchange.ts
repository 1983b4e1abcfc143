import { type PurchaseRow, type Rows, keyOf } from './rows.ts';
import type { TrueOrder } from './truth.ts';

const bought = new Set(['bought', 'completed', 'refunded']);

/**
 * Purchases of one item at one price, whose answers were lost or refusals and which no wear tells apart, may each have the other's order: nothing
 * shows which made which. Nor does anything where wears differ but the orders were made within the same second: only transactions show a
 * wear, and dates may be whole seconds. What was sold for each is then what it is held for, as long as each has one and no two the same.
 */
export function exchanged(sold: ReadonlyMap<number, TrueOrder>, rows: Rows): ReadonlyMap<number, TrueOrder> {
  const held = new Map(rows.orders.map((order) => [order.purchase_id, order.order_id]));
  const after = new Map(sold);
  for (const group of groupsOf(
    rows.purchases.filter((row) => isBlind(row)),
    sold,
  )) {
    const theirs = group.flatMap(({ id }) => sold.get(id) ?? []);
    const claimed = group.flatMap(({ id }) => theirs.find(({ order }) => order.id === held.get(id)) ?? []);
    if (new Set(claimed).size < group.length) continue;
    group.forEach(({ id }, index) => after.set(id, claimed[index] as TrueOrder));
  }
  return after;
}

/** No answer named its order. */
function isBlind({ was_unknown: wasUnknown, refusal_cause: refusal, state }: PurchaseRow): boolean {
  return (wasUnknown === 1 || refusal !== null) && bought.has(state);
}

function groupsOf(purchases: readonly PurchaseRow[], sold: ReadonlyMap<number, TrueOrder>): PurchaseRow[][] {
  const groups = new Map<string, PurchaseRow[]>();
  for (const row of purchases) {
    const own = sold.get(row.id);
    if (own === undefined) continue;
    const moment = row.wear === null ? 'any moment' : String(Math.floor(own.order.createdAt / 1_000));
    const key = `${row.market_hash_name} at ${row.price}, ${moment}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].filter((group) => group.length > 1 && new Set(group.map(keyOf)).size === group.length);
}
