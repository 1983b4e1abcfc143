import type { EpochMs } from '../domain/clock.ts';
import type { Micros } from '../domain/money.ts';
import type { Account } from './accounts.ts';
import type { AuditEvent, Booking, Books } from './books.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { Order } from './orders.ts';
import type { Transfer } from './treasury.ts';

/** The truth, for an auditor who compares it with another program's ledger. Amounts in micro-dollars. */
export interface BooksView {
  readonly at: EpochMs;
  readonly accounts: readonly { readonly id: string; readonly kind: Account['kind']; readonly balance: Micros }[];
  /** Oldest first. */
  readonly orders: readonly Omit<Order, 'plan'>[];
  readonly bookings: readonly Booking[];
  /** What each idempotency key has moved, oldest first. */
  readonly transfers: readonly Transfer[];
  readonly events: readonly AuditEvent[];
  /** By `market:listing id`: how many buys arrived, and how many orders they became. */
  readonly posts: Readonly<Record<string, number>>;
  readonly accepted: Readonly<Record<string, number>>;
  /** How often each fault has struck since the start. */
  readonly faults: Readonly<Record<string, number>>;
}

export function booksView(
  books: Books,
  treasury: { readonly transfers: readonly Transfer[] },
  plan: FaultPlan,
  at: EpochMs,
): BooksView {
  const accepted: Record<string, number> = {};
  for (const { market, listingId } of books.orders()) {
    const key = `${market}:${listingId}`;
    accepted[key] = (accepted[key] ?? 0) + 1;
  }
  return {
    at,
    accounts: books.accounts.map(({ id, kind, balance }) => ({ id, kind, balance })),
    orders: books.orders().map(({ plan: _, ...order }) => order),
    bookings: [...books.bookings()],
    transfers: treasury.transfers,
    events: [...books.events()],
    posts: Object.fromEntries(books.posts()),
    accepted,
    faults: plan.struck(),
  };
}
