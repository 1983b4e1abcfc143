import type { Purchase } from '../../domain/purchase.ts';
import { foldCase } from '../../domain/text.ts';
import type { OrderRow, OurBooks, OurOrder, TransactionRow } from './books.ts';
import { type Fit, pairUp } from './pairing.ts';
import { floatOf, isItsAmount, isItsDebit, isSameItem, namesListing, sameToTheCent, wasBought } from './same.ts';

/** An order that belongs to no purchase of ours, with what the ledger knows of it; undefined when it has never seen it. */
export interface StrangerOrder {
  readonly row: OrderRow;
  readonly known: OurOrder | undefined;
}

/** Which rows of the service belong to which purchase of ours, and which to nobody. */
export interface Attribution {
  readonly orders: ReadonlyMap<number, OrderRow>;
  readonly debits: ReadonlyMap<number, TransactionRow>;
  readonly refunds: ReadonlyMap<number, readonly TransactionRow[]>;
  readonly strangers: {
    readonly orders: readonly StrangerOrder[];
    readonly debits: readonly TransactionRow[];
    readonly refunds: readonly TransactionRow[];
  };
}

/** Rows that the ledger has linked go where it linked them; the others to the purchase that they fit, each purchase once. */
export function attribute(ours: OurBooks, orderRows: readonly OrderRow[], transactions: readonly TransactionRow[]): Attribution {
  const alike = shelf(ours.purchases);
  const { orders, strangers } = attributeOrders(ours, orderRows, alike);
  const isBroken = (purchase: Purchase): boolean =>
    isBrokenStatus(orders.get(purchase.id)?.statusCode ?? purchase.orderStatus ?? '');
  const debits = attributeDebits(
    ours,
    transactions.filter(({ type }) => type === 'purchase'),
    alike,
  );
  const refunds = attributeRefunds(
    ours,
    transactions.filter(({ type }) => type === 'refund'),
    alike,
    isBroken,
  );
  return {
    orders,
    debits: debits.owned,
    refunds: refunds.owned,
    strangers: { orders: strangers, debits: debits.strangers, refunds: refunds.strangers },
  };
}

/** The order came to nothing: what was paid for it is due back. */
export function isBrokenStatus(statusCode: string): boolean {
  return statusCode === 'FAILED' || statusCode === 'REVERTED';
}

type Alike = (row: { readonly itemId: string | undefined; readonly itemName: string | undefined }) => readonly Purchase[];

/** Finds purchases of the same item without looking at all of them. */
function shelf(purchases: readonly Purchase[]): Alike {
  const places = new Map<string, Purchase[]>();
  const put = (key: string, purchase: Purchase): void => {
    const there = places.get(key);
    if (there === undefined) places.set(key, [purchase]);
    else there.push(purchase);
  };
  for (const purchase of purchases) {
    if (purchase.state === 'expired') continue;
    put(`id ${purchase.itemId.toLowerCase()}`, purchase);
    put(`id ${purchase.listingId}`, purchase);
    put(`name ${foldCase(purchase.marketHashName)}`, purchase);
  }
  return (row) => {
    const byId = row.itemId === undefined ? [] : (places.get(`id ${row.itemId.toLowerCase()}`) ?? []);
    const byName = row.itemName === undefined ? [] : (places.get(`name ${foldCase(row.itemName)}`) ?? []);
    return [...new Set([...byId, ...byName])].filter((purchase) => isSameItem(row, purchase));
  };
}

function attributeOrders(
  ours: OurBooks,
  rows: readonly OrderRow[],
  alike: Alike,
): { readonly orders: Map<number, OrderRow>; readonly strangers: StrangerOrder[] } {
  const known = new Map(ours.orders.map((order) => [order.orderId, order]));
  const owners = new Map<string, number>();
  for (const { id, upstreamOrderId, serviceOrderId } of ours.purchases) {
    if (upstreamOrderId !== undefined) owners.set(upstreamOrderId, id);
    if (serviceOrderId !== undefined) owners.set(serviceOrderId, id);
  }
  for (const { orderId, purchaseId } of ours.orders) if (purchaseId !== undefined) owners.set(orderId, purchaseId);
  const orders = new Map<number, OrderRow>();
  const left: OrderRow[] = [];
  for (const row of rows) {
    const owner = owners.get(row.orderId);
    if (owner === undefined) left.push(row);
    else if (!orders.has(owner)) orders.set(owner, row);
  }
  const found = pairUp(left, (row) =>
    known.has(row.orderId) ? [] : fitting(alike(row), orders, (purchase) => orderRank(row, purchase)),
  );
  for (const [owner, row] of found) orders.set(owner.id, row);
  const given = new Set(found.values());
  const strangers = left.filter((row) => !given.has(row)).map((row) => ({ row, known: known.get(row.orderId) }));
  return { orders, strangers };
}

/** Those of some purchases that have nothing yet and that a row fits, what was bought before what is in doubt. */
function fitting(
  purchases: readonly Purchase[],
  owned: ReadonlyMap<number, unknown>,
  rankOf: (purchase: Purchase) => number | undefined,
): Fit<Purchase>[] {
  return purchases.flatMap((owner) => {
    const rank = owned.has(owner.id) ? undefined : rankOf(owner);
    return rank === undefined ? [] : [{ owner, rank: wasBought(owner) ? rank : rank + 0.5 }];
  });
}

/** How surely an order is a purchase's. What was disproved takes an order back only where that names its very listing. */
function orderRank(row: OrderRow, purchase: Purchase): number | undefined {
  if (namesListing(row, purchase)) return 1;
  if (purchase.state === 'rejected' && !purchase.held) return undefined;
  if (isItsDebit(row.amount, purchase)) return 2;
  return isItsAmount(row.amount, purchase) ? 3 : undefined;
}

interface Owned<T> {
  readonly owned: Map<number, T>;
  readonly strangers: TransactionRow[];
}

function attributeDebits(ours: OurBooks, rows: readonly TransactionRow[], alike: Alike): Owned<TransactionRow> {
  const used = new Map(ours.transactions.map((each) => [each.transactionId, each]));
  const owned = new Map<number, TransactionRow>();
  const left: TransactionRow[] = [];
  for (const row of rows) {
    const owner = used.get(row.transactionId)?.purchaseId;
    if (owner === undefined || owned.has(owner)) left.push(row);
    else owned.set(owner, row);
  }
  const found = pairUp(left, (row) => {
    const isUsed = used.has(row.transactionId);
    return fitting(alike(row), owned, (purchase) => (isUsed ? surelyRank(row, purchase) : debitRank(row, purchase)));
  });
  for (const [owner, row] of found) owned.set(owner.id, row);
  const given = new Set(found.values());
  return { owned, strangers: left.filter((row) => !given.has(row)) };
}

/** A row dated this long before a purchase is about something else; clocks may differ by less. */
const DATE_MARGIN_MS = 600_000;

function surelyRank(row: TransactionRow, purchase: Purchase): number | undefined {
  if (row.timestampMs !== undefined && row.timestampMs < purchase.createdAt - DATE_MARGIN_MS) return undefined;
  return namesListing(row, purchase) || floatOf(row, purchase) === 'same' ? 1 : undefined;
}

/** How surely a transaction is a purchase's debit. A float that differs disproves nothing by itself: upstreams print it as they like. */
function debitRank(row: TransactionRow, purchase: Purchase): number | undefined {
  const surely = surelyRank(row, purchase);
  if (surely !== undefined) return surely;
  if (purchase.state === 'rejected' && !purchase.held) return undefined;
  const byAmounts = rankOfAmounts(row, purchase);
  if (byAmounts === undefined) return undefined;
  return floatOf(row, purchase) === 'other' ? byAmounts + 10 : byAmounts;
}

/** What was paid, and of which price; else one of the two; at last an amount that is the price without the fee. */
function rankOfAmounts({ amount, price }: TransactionRow, purchase: Purchase): number | undefined {
  const isPrice = price !== undefined && sameToTheCent(price, purchase.priceMicros);
  if (isItsDebit(amount, purchase)) return isPrice || price === undefined ? 2 : 4;
  if (isPrice) return 3;
  return isItsAmount(amount, purchase) ? 5 : undefined;
}

function attributeRefunds(
  ours: OurBooks,
  rows: readonly TransactionRow[],
  alike: Alike,
  isBroken: (purchase: Purchase) => boolean,
): Owned<TransactionRow[]> {
  const used = new Map(ours.transactions.map((each) => [each.transactionId, each]));
  const owned = new Map<number, TransactionRow[]>();
  const give = (owner: number, row: TransactionRow): void => void owned.set(owner, [...(owned.get(owner) ?? []), row]);
  const left = rows.filter((row) => {
    const owner = used.get(row.transactionId)?.purchaseId;
    if (owner !== undefined) give(owner, row);
    return owner === undefined;
  });
  const strangers = left.filter((row) => {
    const bought = alike(row).filter(wasBought);
    const surely = bought.find((each) => namesListing(row, each) || floatOf(row, each) === 'same');
    const free = bought.filter((each) => !owned.has(each.id) && floatOf(row, each) !== 'other' && isItsAmount(row.amount, each));
    const owner = surely ?? (used.has(row.transactionId) ? undefined : free.find(isBroken));
    if (owner !== undefined) give(owner.id, row);
    return owner === undefined;
  });
  return { owned, strangers };
}
