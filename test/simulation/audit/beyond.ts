import type { Plan } from '../plan.ts';
import { type Violation, violation } from '../violation.ts';
import { type Rows, keyOf } from './rows.ts';
import type { Truth } from './truth.ts';

const CENT = 10_000;

/**
 * What holds even there once faults are over: no order of ours is forgotten. Which of several alike is whose cannot be told where the
 * service sells one thing twice or another client buys look-alikes, and what a stranger moved keeps a balance from being explained. A
 * refusal that is held may be any of them: its money is reserved, and the user is asked.
 */
export function forgotten(rows: Rows, truth: Truth): Violation[] {
  const known = new Set(rows.orders.map(({ order_id }) => order_id));
  const bought = new Set(
    rows.purchases
      .filter(({ state, held }) => held === 1 || ['bought', 'completed', 'refunded', 'unknown'].includes(state))
      .map(keyOf),
  );
  const orders = [...truth.ours].flatMap(([listing, all]) => all.map(({ order }) => ({ listing, order })));
  return orders.flatMap(({ listing, order }) => {
    if (known.has(order.id) || bought.has(listing)) return [];
    return [
      violation('lost', `order ${order.id} was made by a buy of ours and nothing here knows of it`, {
        at: order.createdAt,
        listing,
      }),
    ];
  });
}

/** What breaks an assumption must be noticed: orders that nobody here asked for, debits above the price. Each cause by itself is in halts.ts. */
export function undetected(rows: Rows, truth: Truth, { bot }: Pick<Plan, 'bot'>): Violation[] {
  const told = (kind: string): number => rows.alerts.filter((alert) => alert.kind === kind).length;
  const halted = rows.halts.filter(({ by_whom }) => by_whom !== 'person').length;
  const found: Violation[] = [];
  const doubtful = new Set(
    rows.purchases.filter(({ state, held }) => state === 'unknown' || held === 1).map((row) => row.market_hash_name),
  );
  for (const { order } of truth.byId.values()) {
    // While a purchase of the same item is in doubt, or its refusal unconfirmed, an order may be its.
    if (order.origin === 'ours' || doubtful.has(order.name) || rows.orders.some(({ order_id }) => order_id === order.id))
      continue;
    found.push(violation('undetected', `order ${order.id} (${order.origin}) is not known`, { at: order.createdAt }));
  }
  const adopted = rows.orders.filter(({ known_as }) => known_as === 'adopted').length;
  if (adopted > 0 && told('adopted') === 0) found.push(violation('undetected', `${adopted} orders adopted without an alert`));
  if (adopted > 0 && bot.dedicated && halted === 0)
    found.push(violation('undetected', `${adopted} orders of others on a dedicated account, and buying never halted`));
  const dear = overcharged(rows, truth);
  if (dear > 0 && (told('debit') === 0 || halted === 0))
    found.push(violation('undetected', `${dear} debits above the price, ${told('debit')} alerts, ${halted} halts`));
  return found;
}

/** Purchases that cost more than a cent above what was expected, and whose transaction anybody has seen. */
function overcharged(rows: Rows, truth: Truth): number {
  return rows.purchases.filter((row) => {
    const sold = truth.sold.get(row.id);
    return sold !== undefined && row.paid !== null && sold.debited > row.cost + CENT;
  }).length;
}
