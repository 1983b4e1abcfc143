import { type Micros, ZERO, add, formatDollars, micros, subtract, sum } from '../../src/domain/money.ts';
import { printable } from '../../src/domain/text.ts';
import type { BooksView } from '../../src/sandbox/audit.ts';
import { type PurchaseJson, exact, keyOf, purchaseWords } from './purchase-json.ts';

type Order = BooksView['orders'][number];

/** What Magpie says, in its own words for programs. */
export interface Said {
  /** `magpie purchases --json`. */
  readonly purchases: readonly PurchaseJson[];
  /** `magpie status --json`. */
  readonly status: {
    readonly account: string | null;
    readonly balance: number | null;
    readonly reserved: number;
    readonly spend: { readonly hour: number; readonly day: number; readonly total: number };
  };
  /** Orders that no purchase explains, as Magpie has adopted them: by order id, what each counts in the caps. */
  readonly adopted: ReadonlyMap<string, Micros>;
  /**
   * Purchases that evidence had cleared before they turned out bought: two whole lists without their order confirmed a refusal, and
   * the order was hidden in both. By then their money had been given back to the caps, as promised; it is told, and counts again.
   */
  readonly turnedOut: ReadonlySet<number>;
  /** Refusals that no look has confirmed yet: their money is held, and nobody can say of them either whether they were bought. */
  readonly unconfirmed: ReadonlySet<number>;
}

export interface Comparison {
  /** How many orders and purchases were held against each other, by what they agree on. */
  readonly agreed: {
    /** Orders that are one purchase each. */
    readonly orders: number;
    /** Orders of others, adopted. */
    readonly adopted: number;
    /** Purchases without an order, which the exchange indeed has none for. */
    readonly withoutOrder: number;
    /** Purchases of which nobody can say yet whether they were bought. */
    readonly unknown: number;
  };
  /** What the exchange has debited and given back on our account. */
  readonly debited: Micros;
  readonly returned: Micros;
  /** In words; empty when the two books agree in full. */
  readonly differences: readonly string[];
}

/**
 * Holds the exchange's books against Magpie's, row by row and cent by cent: each order against exactly one purchase or one adopted
 * order, each purchase against its order or the lack of one, states, what was paid and what came back, the balance, and what counts
 * in the caps. A purchase that is still unknown agrees with both.
 */
export function compareBooks(books: BooksView, said: Said): Comparison {
  const account = books.accounts.find(({ id }) => id === said.status.account);
  if (account === undefined)
    return nothing(`Magpie knows account ${said.status.account ?? 'none'}, which the exchange does not have`);
  const orders = books.orders.filter((order) => order.account === account.id);
  const purchases = said.purchases.filter(({ mode }) => mode === 'live');
  const owners = ownersOf(purchases);
  const held = purchases.filter(({ id, state }) => state === 'unknown' || said.unconfirmed.has(id));
  const excused = excusedOrders(
    held,
    orders.filter(({ id }) => !owners.has(id) && !said.adopted.has(id)),
  );
  // Of a buy that the exchange executed twice, nothing tells which order was asked for.
  const twins = new Set(orders.filter(({ id, origin }) => origin === 'twin' && owners.has(id)).map(keyOf));
  const ofOrders = orders.map((order) => orderAgainst(order, owners.get(order.id) ?? [], said.adopted, excused, twins));
  const ofPurchases = purchases.map((purchase) => purchaseAgainst(purchase, orders, owners, held));
  const strangers = [...said.adopted.keys()].filter((id) => !orders.some((order) => order.id === id));
  const bookings = books.bookings.filter((booking) => booking.account === account.id);
  const moved = (kind: string): Micros =>
    sum(bookings.filter((each) => each.kind === kind).map(({ amount }) => micros(Math.abs(amount))));
  const count = (verdict: Verdict['as']): number => [...ofOrders, ...ofPurchases].filter((each) => each.as === verdict).length;
  return {
    agreed: {
      orders: count('order'),
      adopted: count('adopted'),
      withoutOrder: count('without-order'),
      unknown: purchases.filter(({ state }) => state === 'unknown').length,
    },
    debited: moved('purchase'),
    returned: moved('refund'),
    differences: [
      ...[...ofOrders, ...ofPurchases].flatMap(({ differences }) => differences),
      ...strangers.map((id) => `adopted order ${id} is not in the exchange's books`),
      ...balanceAgainst(account.balance, said),
      ...spendAgainst(purchases, said),
    ],
  };
}

interface Verdict {
  readonly as: 'order' | 'adopted' | 'without-order' | 'held' | 'seen';
  readonly differences: readonly string[];
}

function nothing(difference: string): Comparison {
  return {
    agreed: { orders: 0, adopted: 0, withoutOrder: 0, unknown: 0 },
    debited: ZERO,
    returned: ZERO,
    differences: [difference],
  };
}

function ownersOf(purchases: readonly PurchaseJson[]): Map<string, PurchaseJson[]> {
  const owners = new Map<string, PurchaseJson[]>();
  for (const purchase of purchases) {
    if (purchase.serviceOrderId === null) continue;
    owners.set(purchase.serviceOrderId, [...(owners.get(purchase.serviceOrderId) ?? []), purchase]);
  }
  return owners;
}

function orderWords({ id, origin, market, listingId, name, code, cost }: Order): string {
  return `order ${id} (${origin}, ${market} ${listingId}, ${printable(name, 100)}, ${code}, ${formatDollars(cost)})`;
}

/** Orders on no record that a purchase in doubt may have made: one each, that of its own listing before one of the same goods. */
function excusedOrders(held: readonly PurchaseJson[], unrecorded: readonly Order[]): ReadonlySet<string> {
  const excused = new Set<string>();
  const excuse =
    (fits: (purchase: PurchaseJson, order: Order) => boolean) =>
    (purchase: PurchaseJson): boolean => {
      const order = unrecorded.find((one) => !excused.has(one.id) && fits(purchase, one));
      if (order !== undefined) excused.add(order.id);
      return order === undefined;
    };
  const others = held.filter(excuse((purchase, order) => keyOf(purchase) === keyOf(order)));
  others.forEach(excuse(({ itemId }, order) => itemId === order.itemId));
  // What somebody else has bought waits with it, however many: nothing tells whose is whose while one of the same goods is in doubt.
  for (const { id, itemId, origin } of unrecorded)
    if (origin !== 'ours' && held.some((purchase) => purchase.itemId === itemId)) excused.add(id);
  return excused;
}

/** Each order is exactly one purchase, or one adopted order. A purchase in doubt holds the place of one. */
function orderAgainst(
  order: Order,
  owners: readonly PurchaseJson[],
  adopted: ReadonlyMap<string, Micros>,
  excused: ReadonlySet<string>,
  twins: ReadonlySet<string>,
): Verdict {
  const differences: string[] = [];
  const differ = (words: string): void => void differences.push(`${orderWords(order)} ${words}`);
  const counted = adopted.get(order.id);
  if (owners.length > 1) differ(`is claimed by ${owners.map(purchaseWords).join(' and ')}`);
  if (owners.length > 0 && counted !== undefined) differ('is adopted and a purchase at once');
  if (owners.length > 0) return { as: 'order', differences };
  if (counted !== undefined) {
    if (order.origin === 'ours' && !twins.has(keyOf(order)))
      differ('was asked for by a buy of ours and is adopted as somebody else’s');
    // Where the list shows amounts without the fee, nothing else is known of an order that is not ours.
    if (counted !== order.cost && counted !== order.price) differ(`counts as ${formatDollars(counted)} in the caps`);
    return { as: 'adopted', differences };
  }
  if (excused.has(order.id)) return { as: 'held', differences };
  differ('is on no record of Magpie');
  return { as: 'seen', differences };
}

/** The state that an order's course asks for. Money that never came back leaves a purchase as it was. */
function statesFor(order: Order): readonly string[] {
  if (order.refunded > 0) return ['refunded'];
  if (order.code === 'COMPLETED') return ['completed'];
  return order.code === 'REVERTED' ? ['bought', 'completed'] : ['bought'];
}

function purchaseAgainst(
  purchase: PurchaseJson,
  orders: readonly Order[],
  owners: ReadonlyMap<string, readonly PurchaseJson[]>,
  held: readonly PurchaseJson[],
): Verdict {
  const differences: string[] = [];
  const differ = (words: string): void => void differences.push(`${purchaseWords(purchase)} ${words}`);
  if (held.includes(purchase)) return { as: 'held', differences };
  if (purchase.state === 'intended') differ('is still intended');
  const order = orders.find(({ id }) => id === purchase.serviceOrderId);
  if (order === undefined) {
    if (purchase.state !== 'rejected' && purchase.state !== 'expired')
      differ(`has order ${purchase.serviceOrderId ?? 'none'}, which the exchange does not have`);
    const own = orders.find((each) => each.origin === 'ours' && keyOf(each) === keyOf(purchase) && !owners.has(each.id));
    if (own !== undefined) differ(`was bought: ${orderWords(own)}`);
    return { as: 'without-order', differences };
  }
  const states = statesFor(order);
  if (!states.includes(purchase.state)) differ(`should be ${states.join(' or ')}: ${orderWords(order)}`);
  // Another buyer with the same key who takes the very listing that a lost buy of ours had asked for leaves nothing to tell it by.
  if (keyOf(order) !== keyOf(purchase) && !isInterchangeable(purchase, order, owners))
    differ(`has the order of another listing: ${orderWords(order)}`);
  // Names are not compared: the feed may have damaged them, and the goods are what the item id says.
  if (order.itemId !== purchase.itemId) differ(`is of other goods than ${orderWords(order)}`);
  if (order.price !== exact(purchase.price)) differ(`was sent at another price than ${orderWords(order)}`);
  const returned = micros(Math.min(order.refunded, order.cost));
  const exchanged = isRefundExchangeable(purchase, orders, owners) || isRefundOfTwin(purchase, order, orders, owners);
  if (exact(purchase.refunded) !== returned && !exchanged)
    differ(`says $${purchase.refunded ?? 0} came back, which is ${formatDollars(returned)}`);
  // Of two of the same goods, a debit of what either costs, with the fee or without, cannot be told while the other is in doubt.
  const alike = held.some(
    ({ itemId, price, priceWithFee }) =>
      itemId === purchase.itemId &&
      [price, priceWithFee].some((amount) => amount === purchase.price || amount === purchase.priceWithFee),
  );
  if (purchase.paid === null && alike && exact(purchase.priceWithFee) === order.cost) return { as: 'seen', differences };
  if (purchase.paid === null) differ(`does not say what was paid, which is ${formatDollars(order.cost)}`);
  else if (exact(purchase.paid) !== order.cost) differ(`says $${purchase.paid} was paid, which is ${formatDollars(order.cost)}`);
  return { as: 'seen', differences };
}

/**
 * Of two purchases of the same goods at the same price, whose answers were both lost, nobody can tell which made which order where
 * the goods have no wear to tell them by: each has one, and the sums are right.
 */
function isInterchangeable(purchase: PurchaseJson, order: Order, owners: ReadonlyMap<string, readonly PurchaseJson[]>): boolean {
  const others = [...owners.values()].flat().filter((other) => keyOf(other) === keyOf(order));
  return others.some(
    ({ itemId, price, wear }) =>
      wear === null && itemId === purchase.itemId && price === purchase.price && purchase.wear === null,
  );
}

/** Of orders of the same goods without a wear that failed, nothing tells whose money came back, as long as the sum is right. */
function isRefundExchangeable(
  purchase: PurchaseJson,
  orders: readonly Order[],
  owners: ReadonlyMap<string, readonly PurchaseJson[]>,
): boolean {
  const alike = orders.flatMap((order) => {
    const [owner] = owners.get(order.id) ?? [];
    return owner?.wear === null && owner.itemId === purchase.itemId && order.refunded > 0 ? [{ order, owner }] : [];
  });
  const ours = sum(alike.map(({ owner }) => exact(owner.refunded)));
  const theirs = sum(alike.map(({ order }) => micros(Math.min(order.refunded, order.cost))));
  return purchase.wear === null && alike.length > 1 && ours === theirs;
}

/** Of a buy that the exchange executed twice, nothing tells which of the two failed orders the money that came back was for. */
function isRefundOfTwin(
  purchase: PurchaseJson,
  order: Order,
  orders: readonly Order[],
  owners: ReadonlyMap<string, readonly PurchaseJson[]>,
): boolean {
  const twins = orders.filter((other) => keyOf(other) === keyOf(order) && !owners.has(other.id));
  return twins.some(({ refunded, cost }) => refunded > 0 && exact(purchase.refunded) === Math.min(refunded, cost));
}

function balanceAgainst(balance: Micros, { status }: Said): string[] {
  if (status.balance !== null && exact(status.balance) === balance) return [];
  return [
    `the balance is ${formatDollars(balance)}, Magpie says ${status.balance === null ? 'nothing of it' : `$${status.balance}`}`,
  ];
}

/** What the caps count: everything that was or may have been paid; of what came back, only `total` takes note. */
function spendAgainst(purchases: readonly PurchaseJson[], { status, adopted, unconfirmed }: Said): string[] {
  const paid = purchases.filter(({ id, state }) => (state !== 'rejected' || unconfirmed.has(id)) && state !== 'expired');
  const gross = add(sum(paid.map((each) => exact(each.paid ?? each.priceWithFee))), sum([...adopted.values()]));
  const net = subtract(gross, sum(paid.map(({ refunded }) => exact(refunded))));
  const doubtful = purchases.filter(({ id, state }) => state === 'unknown' || unconfirmed.has(id));
  const reserved = sum(doubtful.map(({ priceWithFee }) => exact(priceWithFee)));
  const differ = (what: string, figure: number, expected: Micros): string[] =>
    exact(figure) === expected
      ? []
      : [`${what} is $${figure} by its own account, and ${formatDollars(expected)} by its purchases`];
  return [
    ...differ('spend.day', status.spend.day, gross),
    ...differ('spend.total', status.spend.total, net),
    ...differ('what is reserved', status.reserved, reserved),
  ];
}
