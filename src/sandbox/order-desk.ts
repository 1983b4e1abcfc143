import type { EpochMs } from '../domain/clock.ts';
import { microsFromDollars, subtract, ZERO, type Micros } from '../domain/money.ts';
import type { AccountStreams } from './account-streams.ts';
import { hexText } from './accounts.ts';
import type { Books } from './books.ts';
import type { EventQueue } from './event-queue.ts';
import type { MarketListing } from './listing.ts';
import { cancelReasons, planOrder, type Order, type OrderStep, type OrderTimes } from './orders.ts';
import type { Twists } from './twists.ts';

/** A price of the exchange in micro-dollars, rounded up. */
export function costOf(dollars: number): Micros {
  return microsFromDollars(dollars, 'up') ?? ZERO;
}

/** Makes orders of sold listings and leads each along its way, to its end and its refunds. */
export class OrderDesk {
  readonly #books: Books;
  readonly #queue: EventQueue;
  readonly #twists: Twists;
  readonly #streams: AccountStreams;
  readonly #times: OrderTimes;

  constructor(parts: { books: Books; queue: EventQueue; twists: Twists; streams: AccountStreams; times: OrderTimes }) {
    this.#books = parts.books;
    this.#queue = parts.queue;
    this.#twists = parts.twists;
    this.#streams = parts.streams;
    this.#times = parts.times;
  }

  /** Debits the account and opens the order. */
  accept(accountId: string, listing: MarketListing, now: EpochMs, origin: Order['origin']): Order {
    const random = this.#streams.of(accountId);
    const id = hexText(random, 24);
    const order: Order = {
      id,
      upstreamId: String(Math.floor(1e11 + 9e11 * random.next())),
      account: accountId,
      market: listing.market,
      listingId: listing.id,
      itemId: listing.itemId,
      name: listing.name,
      wear: typeof listing.wire['wear'] === 'number' ? listing.wire['wear'] : null,
      price: costOf(listing.price),
      cost: this.#twists.debit(id, costOf(listing.priceWithFee)),
      createdAt: now,
      code: 'INITIATED',
      updatedAt: now,
      settlementAt: null,
      cancelReason: '',
      refunded: ZERO,
      origin,
      plan: planOrder(random, now, this.#times, this.#twists.orderEnd(id)),
    };
    this.#enter(order);
    this.#queueStep(order);
    return order;
  }

  /** Takes up an order of an earlier start where it stood. */
  resume(order: Order): void {
    this.#queueStep(order);
    if (order.code !== 'FAILED' && order.code !== 'REVERTED') return;
    const done = this.#books.bookings().filter((booking) => booking.orderId === order.id && booking.kind === 'refund').length;
    this.#queueRefunds(order, done);
  }

  #enter(order: Order): void {
    const { id, account, market, listingId, cost, origin, createdAt } = order;
    this.#books.putOrder(order);
    this.#books.book(account, 'purchase', subtract(ZERO, cost), createdAt, id);
    this.#books.note({ kind: 'accepted', account, market, listingId, orderId: id, cost, origin }, createdAt);
  }

  #queueStep(order: Order): void {
    const step = order.plan[0];
    if (step) this.#queue.add(step.at, () => this.#step(order.id, step));
  }

  #step(orderId: string, step: OrderStep): void {
    const order = this.#books.order(orderId);
    if (!order) return;
    const plan = order.plan.slice(1);
    const settlementAt = step.code === 'HOLD' ? this.#settlementOf(step, plan) : order.settlementAt;
    const cancelReason = cancelReasons[step.code] ?? order.cancelReason;
    const next = { ...order, code: step.code, updatedAt: step.at, plan, settlementAt, cancelReason };
    this.#books.putOrder(next);
    this.#books.note({ kind: 'status', orderId, code: step.code }, step.at);
    if (step.code === 'FAILED' || step.code === 'REVERTED') this.#queueRefunds(next, 0);
    this.#queueStep(next);
  }

  /** When the hold ends, as the service would announce it, even if the order will not get that far. */
  #settlementOf(hold: OrderStep, rest: readonly OrderStep[]): EpochMs {
    return rest.find((step) => step.code === 'COMPLETED')?.at ?? hold.at + Math.round(this.#times.hold);
  }

  #queueRefunds(order: Order, done: number): void {
    for (const { afterMs, amount } of this.#twists.refunds(order.id, order.cost).slice(done)) {
      this.#queue.add(order.updatedAt + afterMs, (at) => this.#books.refund(order.id, amount, at));
    }
  }
}
