import type { EpochMs } from '../domain/clock.ts';
import { add, subtract, ZERO, type Micros } from '../domain/money.ts';
import type { Account } from './accounts.ts';
import type { Order } from './orders.ts';
import type { Changes, RecordStore } from './records.ts';

/** One movement of an account's balance; amounts in micro-dollars. Saved as it is. */
export interface Booking {
  readonly id: string;
  readonly seq: number;
  readonly account: string;
  readonly kind: 'deposit' | 'purchase' | 'refund' | 'withdrawal' | 'transfer';
  /** Added to the balance: negative for what leaves it. */
  readonly amount: Micros;
  readonly balanceAfter: Micros;
  readonly at: EpochMs;
  readonly orderId: string | null;
}

/** What happened that an auditor needs, in order. Amounts in micro-dollars. Saved as it is. */
export type AuditEvent = { readonly seq: number; readonly at: EpochMs } & (
  | {
      readonly kind: 'post';
      readonly account: string;
      readonly market: string;
      readonly listingId: string;
      readonly price: number;
      readonly verdict: string;
    }
  | {
      readonly kind: 'accepted';
      readonly account: string;
      readonly market: string;
      readonly listingId: string;
      readonly orderId: string;
      readonly cost: Micros;
      readonly origin: Order['origin'];
    }
  | { readonly kind: 'status'; readonly orderId: string; readonly code: Order['code'] }
  | { readonly kind: 'refund'; readonly orderId: string; readonly amount: Micros }
);

type WithoutPlace<T> = T extends unknown ? Omit<T, 'seq' | 'at'> : never;

/** Accounts, orders, bookings and the auditor's events: in memory, and every change handed on to be kept. */
export class Books {
  #heard: (event: AuditEvent) => void = () => undefined;
  readonly #changes: Changes;
  readonly #accounts = new Map<string, Account>();
  readonly #orders = new Map<string, Order>();
  readonly #bookings: Booking[] = [];
  readonly #events: AuditEvent[] = [];
  readonly #posts = new Map<string, number>();

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  load(store: RecordStore): void {
    for (const account of store.load('account') as Account[]) this.#accounts.set(account.id, account);
    const orders = (store.load('order') as Order[]).sort((a, b) => a.createdAt - b.createdAt);
    for (const order of orders) this.#orders.set(order.id, order);
    this.#bookings.push(...(store.load('booking') as Booking[]).sort(bySeq));
    for (const event of (store.load('event') as AuditEvent[]).sort(bySeq)) this.#remember(event);
  }

  /** Adds accounts that are not there yet, each with its first deposit. */
  open(accounts: readonly Account[], at: EpochMs): void {
    for (const account of accounts) {
      if (this.#accounts.has(account.id)) continue;
      this.#accounts.set(account.id, { ...account, balance: ZERO });
      this.book(account.id, 'deposit', account.balance, at, null);
    }
  }

  /** Adds an account with nothing on it. */
  admit(account: Account): void {
    this.#accounts.set(account.id, account);
    this.#changes.put('account', account.id, account);
  }

  get accounts(): readonly Account[] {
    return [...this.#accounts.values()];
  }

  account(id: string): Account | undefined {
    return this.#accounts.get(id);
  }

  order(id: string): Order | undefined {
    return this.#orders.get(id);
  }

  /** Oldest first. */
  orders(account?: string): readonly Order[] {
    const all = [...this.#orders.values()];
    return account === undefined ? all : all.filter((order) => order.account === account);
  }

  /** Oldest first. */
  bookings(account?: string): readonly Booking[] {
    return account === undefined ? this.#bookings : this.#bookings.filter((booking) => booking.account === account);
  }

  booking(id: string): Booking | undefined {
    return this.#bookings[Number(id.slice(1)) - 1];
  }

  events(): readonly AuditEvent[] {
    return this.#events;
  }

  /** How many buys reached the exchange, by listing key. */
  posts(): ReadonlyMap<string, number> {
    return this.#posts;
  }

  putOrder(order: Order): void {
    this.#orders.set(order.id, order);
    this.#changes.put('order', order.id, order);
  }

  /** Moves money: `amount` is added to the balance. */
  book(accountId: string, kind: Booking['kind'], amount: Micros, at: EpochMs, orderId: string | null): void {
    const account = this.#accounts.get(accountId);
    if (!account) throw new RangeError(`no account ${accountId}`);
    const balance = add(account.balance, amount);
    this.#accounts.set(accountId, { ...account, balance });
    this.#changes.put('account', accountId, { ...account, balance });
    const seq = this.#bookings.length + 1;
    const booking: Booking = {
      id: `t${String(seq).padStart(9, '0')}`,
      seq,
      account: accountId,
      kind,
      amount,
      balanceAfter: balance,
      at,
      orderId,
    };
    this.#bookings.push(booking);
    this.#changes.put('booking', booking.id, booking);
  }

  /** Gives money back for an order. */
  refund(orderId: string, amount: Micros, at: EpochMs): void {
    const order = this.#orders.get(orderId);
    if (!order || amount <= 0) return;
    this.putOrder({ ...order, refunded: add(order.refunded, amount) });
    this.book(order.account, 'refund', amount, at, orderId);
    this.note({ kind: 'refund', orderId, amount }, at);
  }

  /** Tells of each event from now on. */
  listen(heard: (event: AuditEvent) => void): void {
    this.#heard = heard;
  }

  note(event: WithoutPlace<AuditEvent>, at: EpochMs): void {
    const placed = { ...event, seq: this.#events.length + 1, at } as AuditEvent;
    this.#remember(placed);
    this.#heard(placed);
    this.#changes.put('event', String(placed.seq).padStart(12, '0'), placed);
  }

  /** The balance as it stood at a moment. */
  balanceAt(accountId: string, at: EpochMs): Micros {
    let balance = this.#accounts.get(accountId)?.balance ?? ZERO;
    for (const booking of this.#bookings)
      if (booking.account === accountId && booking.at > at) balance = subtract(balance, booking.amount);
    return balance;
  }

  #remember(event: AuditEvent): void {
    this.#events.push(event);
    if (event.kind !== 'post') return;
    const key = `${event.market}:${event.listingId}`;
    this.#posts.set(key, (this.#posts.get(key) ?? 0) + 1);
  }
}

function bySeq(a: { readonly seq: number }, b: { readonly seq: number }): number {
  return a.seq - b.seq;
}
