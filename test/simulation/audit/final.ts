import type { Plan } from '../plan.ts';
import { exchanged } from './exchange.ts';
import { type Violation, violation } from '../violation.ts';
import { type PurchaseRow, type Rows, keyOf } from './rows.ts';
import type { TrueOrder, Truth } from './truth.ts';

/** What of a life's plan bears on how its end is judged. */
type Struck = Pick<Plan, 'faults'>;

const bought = new Set(['bought', 'completed', 'refunded']);

/** How the ledger and the exchange's books stand to each other once everything should have resolved. */
export function finalViolations(rows: Rows, books: Truth, plan: Struck): Violation[] {
  const truth: Truth = { ...books, sold: exchanged(books.sold, rows) };
  const alike = undecidable(rows, truth);
  const exchangeable = exchangeableRefunds(rows, truth);
  const ofEach = (row: PurchaseRow): Violation[] =>
    ofPurchase(row, rows, truth, plan).filter(({ check }) => !exchangeable.has(row.id) || !['state', 'refund'].includes(check));
  return [
    ...lost(rows, truth, alike),
    ...rows.purchases.flatMap((row) => (alike.has(row.id) ? [] : ofEach(row))),
    ...ofOrders(rows, truth, alike),
  ];
}

/** Purchases of one item without a wear at about one price: nothing that the service shows tells them apart. */
function alikeOf(rows: Rows, truth: Truth): PurchaseRow[][] {
  const groups: PurchaseRow[][] = [];
  for (const row of rows.purchases) {
    if (row.wear !== null || row.state === 'expired') continue;
    const like = groups.find(([one]) => one?.market_hash_name === row.market_hash_name && isNear(one.cost, row.cost));
    if (like) like.push(row);
    else groups.push([row]);
  }
  // Where all or none were bought there is nothing to mix up.
  return groups.filter((group) => new Set(group.map(({ id }) => truth.sold.has(id))).size === 2);
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= 0.12 * Math.min(a, b);
}

/**
 * Of purchases that nothing tells apart, some may wait for a person while one of them has made an order, or one may be taken for the
 * other, as long as no more are held for bought than were.
 */
function undecidable(rows: Rows, truth: Truth): Set<number> {
  const mixed = alikeOf(rows, truth).filter((group) => {
    const claimed = group.filter(({ state }) => bought.has(state));
    const unconfirmed = group.filter(({ state, held }) => state === 'rejected' && held === 1);
    const doubtful = [...group.filter(({ state }) => state === 'unknown'), ...unconfirmed];
    const sold = group.filter(({ id }) => truth.sold.has(id));
    const swapped = claimed.some(({ id }) => !truth.sold.has(id));
    const waiting = doubtful.length > 0 && sold.length > claimed.length;
    const mayMix = unconfirmed.length > 0 || group.some(({ was_unknown }) => was_unknown === 1);
    if (!mayMix || claimed.length > sold.length) return false;
    return (swapped || waiting) && claimed.length + doubtful.length >= sold.length;
  });
  return new Set(mixed.flat().map(({ id }) => id));
}

/**
 * Of orders of one item without a wear that failed, nothing tells whose money came back: one may have got another's, as long as the
 * sum is right.
 */
function exchangeableRefunds(rows: Rows, truth: Truth): Set<number> {
  const failed = rows.purchases.filter(
    ({ id, wear, state }) => wear === null && bought.has(state) && /FAILED|REVERTED/.test(truth.sold.get(id)?.order.code ?? ''),
  );
  const names = new Set(failed.map(({ market_hash_name }) => market_hash_name));
  const groups = [...names].map((name) => failed.filter(({ market_hash_name }) => market_hash_name === name));
  const mixed = groups.filter((group) => {
    const ours = group.reduce((sum, { refunded }) => sum + refunded, 0);
    const theirs = group.reduce((sum, row) => sum + Math.min(row.paid ?? row.cost, truth.sold.get(row.id)?.cameBack ?? 0), 0);
    return group.length > 1 && ours === theirs;
  });
  return new Set(mixed.flat().map(({ id }) => id));
}

/** Each order that a buy of ours made is explained by exactly one purchase of its listing. */
function lost(rows: Rows, truth: Truth, alike: ReadonlySet<number>): Violation[] {
  const orders = [...truth.ours].flatMap(([listing, all]) => all.map((one) => ({ listing, ...one })));
  return orders.flatMap(({ listing, order, debited }) => {
    if (rows.purchases.some((row) => keyOf(row) === listing && alike.has(row.id))) return [];
    const owners = rows.purchases.filter((row) => keyOf(row) === listing && bought.has(row.state));
    if (owners.length === 1) return [];
    const states = rows.purchases.filter((row) => keyOf(row) === listing).map(({ id, state }) => `${id} ${state}`);
    const detail = `order ${order.id} of ${debited} was made by a buy of ours; purchases of the listing: ${states.join(', ') || 'none'}`;
    return [violation(owners.length === 0 ? 'lost' : 'twice', detail, { at: order.createdAt, listing })];
  });
}

function ofPurchase(row: PurchaseRow, rows: Rows, truth: Truth, plan: Struck): Violation[] {
  const about = { at: row.created_at, listing: keyOf(row), purchaseId: row.id };
  const sold = truth.sold.get(row.id);
  if (row.state === 'intended' || row.state === 'unknown') {
    return [
      violation(
        'unresolved',
        `still ${row.state} (${row.reason ?? ''}); in truth ${sold ? sold.order.code : 'not bought'}`,
        about,
      ),
    ];
  }
  if (row.held === 1)
    return [
      violation('unresolved', `its refusal is still unconfirmed; in truth ${sold ? sold.order.code : 'not bought'}`, about),
    ];
  if (!bought.has(row.state)) return [];
  if (sold === undefined)
    return [violation('invented', `${row.state}, but the exchange sold it to nobody of ours (${row.reason ?? ''})`, about)];
  return [...stateOf(row, sold), ...moneyOf(row, sold, plan), ...ownOrder(row, sold, rows)].map((one) =>
    violation(one.check, one.detail, about),
  );
}

interface Finding {
  readonly check: string;
  readonly detail: string;
}

function stateOf(row: PurchaseRow, { order, final, cameBack }: TrueOrder): Finding[] {
  if (!final) return [];
  const expected = cameBack > 0 ? 'refunded' : 'completed';
  if (row.state === expected) return [];
  return [{ check: 'state', detail: `${row.state}, but its order is ${order.code} and ${cameBack} came back` }];
}

function moneyOf(row: PurchaseRow, { debited, cameBack, final }: TrueOrder, plan: Struck): Finding[] {
  const found: Finding[] = [];
  const paid = row.paid ?? row.cost;
  const drifts = plan.faults.feeDrift !== undefined;
  if (paid !== debited && !(drifts && row.paid === null))
    found.push({ check: 'money', detail: `paid ${paid}, debited ${debited}` });
  const expected = Math.min(paid, cameBack);
  if (final && row.refunded !== expected)
    found.push({ check: 'refund', detail: `refunded ${row.refunded}, came back ${cameBack}` });
  return found;
}

function ownOrder(row: PurchaseRow, { order }: TrueOrder, rows: Rows): Finding[] {
  const known = rows.orders.find(({ order_id }) => order_id === order.id);
  if (known?.purchase_id === row.id) return [];
  return [
    { check: 'matching', detail: `order ${order.id} is ${known ? `${known.known_as} of ${known.purchase_id}` : 'not known'}` },
  ];
}

/** No order that is known belongs to another purchase than it does in truth, and none of ours is called a stranger's. */
function ofOrders(rows: Rows, truth: Truth, alike: ReadonlySet<number>): Violation[] {
  return rows.orders.flatMap((row) => {
    const real = truth.byId.get(row.order_id);
    const owner = rows.purchases.find(({ id }) => id === row.purchase_id);
    const about = { at: row.first_seen, listing: owner && keyOf(owner), purchaseId: owner?.id };
    if (real === undefined) return [violation('matching', `order ${row.order_id} does not exist at the exchange`, about)];
    const { order } = real;
    const listing = `${order.market}:${order.listingId}`;
    if (order.origin === 'ours' && row.known_as !== 'ours') {
      return [violation('stranger', `our own order ${order.id} is ${row.known_as}`, { ...about, listing })];
    }
    if (row.known_as !== 'ours' || owner === undefined) return [];
    const isOwn = keyOf(owner) === listing || truth.sold.get(owner.id)?.order === order;
    if (order.origin === 'ours' && (isOwn || alike.has(owner.id))) return [];
    return [
      violation(
        'matching',
        `order ${order.id} (${order.origin}, ${listing}) belongs to purchase ${owner.id} of ${keyOf(owner)}`,
        about,
      ),
    ];
  });
}
