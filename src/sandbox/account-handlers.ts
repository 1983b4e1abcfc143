import { dollarsFromMicros } from '../domain/money.ts';
import type { Call } from './api.ts';
import type { Booking } from './books.ts';
import { orderLabels, type Order } from './orders.ts';
import { paged } from './paging.ts';

/** The newest orders that one answer holds; the document names no limit and no paging. */
const ORDERS_SHOWN = 500;

export function user({ exchange, account, view, now }: Call<'user'>): unknown {
  const profile = {
    id: account.id,
    balance: dollarsFromMicros(exchange.books.balanceAt(account.id, view.balanceMoment(now))),
    twoFactor: { enabled: false, method: null },
    subscription: { active: false, nextBilling: null, cancelAtPeriodEnd: false },
    chatAccount: null,
  };
  return { type: account.kind === 'child' ? 'apiKey' : 'user', message: 'profile', profile };
}

export function fees({ exchange, account }: Call<'fees'>): unknown {
  const { feeRate } = exchange.settings;
  const spent = exchange.books.orders(account.id).reduce((sum, order) => sum + order.cost, 0);
  const rates = { reduction: 0, currentFee: feeRate, platformFee: feeRate, partnerFee: 0, withdrawFee: 0 };
  const standing = {
    totalSpent: spent / 1_000_000,
    tier: 0,
    progress: 0,
    isCustom: false,
    isSubscribed: false,
    inheritedFrom: null,
  };
  return { message: 'fees', fees: { ...standing, ...rates } };
}

export function orders({ exchange, account, view, now }: Call<'orders'>): unknown {
  const all = exchange.books.orders(account.id).filter((order) => view.showsOrder(order, now));
  const rows = all.slice(-ORDERS_SHOWN).toReversed().map(orderRow);
  return { total: all.length, returned: rows.length, orders: rows, message: 'orders' };
}

/** An order as the account is shown it. */
export function orderRow(order: Order): Record<string, unknown> {
  return {
    id: order.id,
    item: order.name,
    itemId: order.itemId,
    amount: dollarsFromMicros(order.cost),
    currency: 'USD',
    status: { code: order.code, label: orderLabels[order.code] },
    timestamp: order.createdAt,
    cancelType: order.code === 'FAILED' || order.code === 'REVERTED' ? 1 : 0,
    cancelReason: order.cancelReason,
    settlementTime: order.settlementAt === null ? null : new Date(order.settlementAt).toISOString(),
    protectedCauser: 0,
  };
}

export function transactions({ exchange, account, query, view, now }: Call<'transactions'>): unknown {
  const shown = exchange.books.bookings(account.id).filter((booking) => view.showsBooking(booking, now));
  const moves = shown.filter((booking) => booking.orderId !== null).toReversed();
  const { page } = paged(moves, query);
  return {
    total: moves.length,
    transactions: page.map((booking) => transactionRow(booking, exchange.books.order(booking.orderId ?? ''))),
    message: 'transactions',
  };
}

function transactionRow(booking: Booking, order: Order | undefined): Record<string, unknown> {
  const amount = Math.abs(booking.amount);
  const price = booking.kind === 'purchase' ? (order?.price ?? amount) : Math.min(amount, order?.price ?? amount);
  return {
    id: booking.id,
    itemId: order?.itemId ?? '',
    itemName: order?.name ?? '',
    float: order?.wear ?? null,
    price: price / 1_000_000,
    fee: (amount - price) / 1_000_000,
    amount: amount / 1_000_000,
    type: booking.kind,
    status: booking.kind === 'refund' ? 'completed' : statusOf(order),
    timestamp: booking.at,
  };
}

function statusOf(order: Order | undefined): string {
  if (order?.code === 'FAILED' || order?.code === 'REVERTED') return 'failed';
  return order?.code === 'COMPLETED' ? 'completed' : 'pending';
}

export function transactionStats({ exchange, account }: Call<'transactionStats'>): unknown {
  const codes = exchange.books.orders(account.id).map(statusOf);
  const count = (status: string): number => codes.filter((code) => code === status).length;
  return { stats: { completed: count('completed'), failed: count('failed') }, message: 'stats' };
}

export function ledger({ exchange, account, query, view, now }: Call<'ledger'>): unknown {
  const kinds = query.type?.split(',');
  const shown = exchange.books.bookings(account.id).filter((booking) => view.showsBooking(booking, now));
  const entries = shown.toReversed().map(ledgerEntry);
  const chosen = kinds === undefined ? entries : entries.filter(({ type }) => kinds.includes(type));
  const { page, limit, number } = paged(chosen, query);
  return { page: number, limit, total: chosen.length, items: page, message: 'ledger' };
}

/** The document shows no fields of an entry; these are ours. */
function ledgerEntry(booking: Booking): { readonly type: string } & Readonly<Record<string, unknown>> {
  const type = booking.amount < 0 ? 'debit' : 'credit';
  const [amount, balance] = [Math.abs(booking.amount) / 1_000_000, dollarsFromMicros(booking.balanceAfter)];
  return {
    id: `l${booking.id}`,
    type,
    reason: booking.kind,
    amount,
    balance,
    currency: 'USD',
    orderId: booking.orderId,
    timestamp: booking.at,
  };
}
