import { type Micros, ZERO, micros, subtract, sum } from '../../../src/domain/money.ts';
import { type Purchase, committedAmount } from '../../../src/domain/purchase.ts';
import type {
  Movement,
  OrderRow,
  OurBooks,
  OurOrder,
  OurTransaction,
  TheirBooks,
  TransactionRow,
} from '../../../src/risk/audit/books.ts';
import { wasBought } from '../../../src/risk/audit/same.ts';
import { NOON, dollars, purchase } from '../../support/values.ts';

export const MINUTE = 60_000;
/** When the service was asked: a day after everything began. */
export const ASKED_AT = NOON + 24 * 60 * MINUTE;

/** Both sides of the books of one account, to be changed by a test before they are compared. */
export interface Pair {
  ours: { -readonly [K in keyof OurBooks]: OurBooks[K] };
  theirs: { -readonly [K in keyof TheirBooks]: TheirBooks[K] };
}

/** A purchase of an hour after the start, bought unless told otherwise, of an item of its own. */
export function bought(id: number, given: Partial<Purchase> = {}): Purchase {
  const createdAt = NOON + id * MINUTE + 60 * MINUTE;
  return purchase({
    id,
    listingId: String(800_000_000 + id),
    itemId: String(id).padStart(16, '0'),
    marketHashName: `Item ${id}`,
    wear: id / 1_000,
    createdAt,
    answeredAt: createdAt + 100,
    updatedAt: createdAt + 100,
    serviceOrderId: `order-${id}`,
    orderStatus: 'COMPLETED',
    ...given,
  });
}

export function orderOf(own: Purchase, given: Partial<OrderRow> = {}): OrderRow {
  return {
    orderId: own.serviceOrderId ?? `order-${own.id}`,
    itemId: own.itemId,
    itemName: own.marketHashName,
    amount: committedAmount(own),
    currency: 'USD',
    statusCode: own.orderStatus ?? 'PENDING',
    timestampMs: own.createdAt,
    ...given,
  };
}

export function debitOf(own: Purchase, given: Partial<TransactionRow> = {}): TransactionRow {
  return {
    transactionId: `debit-${own.id}`,
    itemId: own.itemId,
    itemName: own.marketHashName,
    float: own.wear,
    price: own.priceMicros,
    amount: committedAmount(own),
    type: 'purchase',
    timestampMs: own.createdAt,
    ...given,
  };
}

export function refundOf(own: Purchase, amount: Micros, given: Partial<TransactionRow> = {}): TransactionRow {
  const timestampMs = own.createdAt + MINUTE;
  return debitOf(own, { transactionId: `refund-${own.id}`, type: 'refund', amount, timestampMs, ...given });
}

/** What an account of $1,000 looks like on both sides when nobody has made a mistake. */
export function agreeing(purchases: readonly Purchase[]): Pair {
  const spent = purchases.filter(wasBought);
  const debits = spent.map((own) => debitOf(own));
  const refunds = spent.filter(({ refunded }) => refunded > 0).map((own) => refundOf(own, own.refunded));
  const transactions = [...debits, ...refunds];
  const left = 1_000_000_000 - sum(spent.map(committedAmount)) + sum(spent.map(({ refunded }) => refunded));
  const linked = (as: OurTransaction['as'], prefix: string) => (own: Purchase) => ({
    transactionId: `${prefix}-${own.id}`,
    as,
    purchaseId: own.id,
  });
  const whole = { ok: true, beganAt: ASKED_AT, whole: true } as const;
  return {
    ours: {
      readAt: ASKED_AT + 1_000,
      purchases,
      orders: spent.map((own): OurOrder => ({
        orderId: `order-${own.id}`,
        as: 'ours',
        purchaseId: own.id,
        amount: own.cost,
        firstSeen: own.createdAt,
      })),
      transactions: [
        ...spent.map(linked('paid', 'debit')),
        ...spent.filter(({ refunded }) => refunded > 0).map(linked('refund', 'refund')),
      ],
      baselineAt: NOON + 1_000,
      firstBalance: { amount: dollars(1_000), beganAt: NOON, endedAt: NOON + 10 },
    },
    theirs: {
      orders: { ...whole, rows: spent.map((own) => orderOf(own)) },
      transactions: { ...whole, rows: transactions },
      movements: { ...whole, rows: movementsOf(transactions) },
      balance: { ok: true, reading: { amount: micros(left), beganAt: ASKED_AT + 500, endedAt: ASKED_AT + 600 } },
    },
  };
}

export function negative(amount: Micros): Micros {
  return subtract(ZERO, amount);
}

function movementsOf(transactions: readonly TransactionRow[]): Movement[] {
  return transactions.map(({ amount, type, timestampMs }) => ({
    change: type === 'refund' ? amount : negative(amount),
    at: timestampMs ?? 0,
  }));
}

/** Adds to the lists of the service, and to its ledger what is a transaction. */
export function serviceAlsoShows(
  { theirs }: Pair,
  more: { orders?: readonly OrderRow[]; transactions?: readonly TransactionRow[] },
): void {
  const { orders = [], transactions = [] } = more;
  if (theirs.orders.ok) theirs.orders = { ...theirs.orders, rows: [...theirs.orders.rows, ...orders] };
  if (theirs.transactions.ok)
    theirs.transactions = { ...theirs.transactions, rows: [...theirs.transactions.rows, ...transactions] };
  if (theirs.movements.ok)
    theirs.movements = { ...theirs.movements, rows: [...theirs.movements.rows, ...movementsOf(transactions)] };
  moveBalance({ theirs }, sum(movementsOf(transactions).map(({ change }) => change)));
}

export function moveBalance({ theirs }: Pick<Pair, 'theirs'>, change: Micros): void {
  const { balance } = theirs;
  if (!balance.ok) return;
  const { reading } = balance;
  theirs.balance = { ok: true, reading: { ...reading, amount: micros(reading.amount + change) } };
}
