import type { webhookEvents } from '../api/webhooks.ts';
import type { EpochMs } from '../domain/clock.ts';
import { seededRandom, type Random } from '../domain/random.ts';
import { orderRow } from './account-handlers.ts';
import { uuid } from './accounts.ts';
import type { AuditEvent, Books } from './books.ts';
import type { FaultPlan } from './fault-plan.ts';

/** What a webhook tells. Its fields are our assumption: the document names the two events and shows nothing else of them. */
export interface OrderEvent {
  readonly id: string;
  readonly type: keyof typeof webhookEvents;
  readonly createdAt: string;
  readonly data: { readonly accountId: string; readonly order: Readonly<Record<string, unknown>> };
}

/** One sending of an event. */
export interface EventDelivery {
  readonly event: OrderEvent;
  /** From now on, milliseconds. */
  readonly afterMs: number;
}

/** Makes events of what happens to orders; the faults have them lost, doubled, and late enough to come after younger ones. */
export class OrderEvents {
  readonly #books: Books;
  readonly #plan: FaultPlan;
  readonly #random: Random;
  #waiting: EventDelivery[] = [];

  constructor(books: Books, plan: FaultPlan, seed: number, boot: number) {
    this.#books = books;
    this.#plan = plan;
    this.#random = seededRandom(seed, `webhooks/${boot}`);
    books.listen((event) => this.#heard(event));
  }

  /** What is to be sent since this was asked last. */
  take(): readonly EventDelivery[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }

  #heard(event: AuditEvent): void {
    if (event.kind !== 'accepted' && event.kind !== 'status' && event.kind !== 'refund') return;
    const made = this.#eventOf(event.orderId, event.kind === 'refund' ? 'order.refunded' : 'order.updated', event.at);
    if (!made || this.#plan.strikes('webhookLost')) return;
    for (let times = this.#plan.strikes('webhookTwice') ? 2 : 1; times > 0; times--) {
      const late = this.#plan.strikes('webhookLate');
      this.#waiting.push({ event: made, afterMs: late ? this.#plan.lasts('late', this.#plan.random('webhookLate')) : 0 });
    }
  }

  #eventOf(orderId: string, type: OrderEvent['type'], at: EpochMs): OrderEvent | undefined {
    const order = this.#books.order(orderId);
    if (!order) return undefined;
    const data = { accountId: order.account, order: orderRow(order) };
    return { id: uuid(this.#random), type, createdAt: new Date(at).toISOString(), data };
  }
}
