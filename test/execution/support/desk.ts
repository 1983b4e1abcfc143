import { onTestFinished } from 'vitest';
import type { Alert } from '../../../src/domain/alert.ts';
import type { Fault } from '../../../src/domain/fault.ts';
import type { BuyOutcome } from '../../../src/domain/outcome.ts';
import type { Purchase } from '../../../src/domain/purchase.ts';
import type { ReadName, Reply, Service } from '../../../src/engine/ports.ts';
import { Reconciler } from '../../../src/execution/reconciler.ts';
import type { Told } from '../../../src/execution/told.ts';
import { withoutOldAnswers } from '../../../src/gateway/answer-history.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { freshLedger } from '../../ledger/support.ts';
import type { VirtualClock } from '../../support/virtual-clock.ts';
import { policy } from './looks.ts';

type Answer = (request: { readonly query?: Record<string, unknown>; readonly body?: unknown }) => unknown;

const fault = (message: string): Fault => ({
  class: 'transient',
  cause: 'service',
  sent: true,
  status: 500,
  code: undefined,
  message,
  requestId: undefined,
  retryAfterMs: undefined,
});

/** The service's reading side as a script: what each question is answered with. An answer that is an Error is a failure. */
export class Desk implements Service {
  readonly asked: { readonly name: ReadName; readonly at: number; readonly request: unknown }[] = [];
  readonly answers: Partial<Record<ReadName, Answer>>;
  /** How long each question takes. */
  tookMs = 10;
  /** What an answer says about itself; by default nothing. */
  mark: (name: ReadName) => { readonly requestId?: string; readonly serviceDate?: number; readonly ageMs?: number } = () => ({});
  /** Questions under way at once. */
  busiest = 0;
  #busy = 0;
  readonly #clock: VirtualClock;

  constructor(clock: VirtualClock, answers: Partial<Record<ReadName, Answer>>) {
    this.#clock = clock;
    this.answers = answers;
  }

  async read(name: ReadName, request: object = {}): Promise<Reply<never>> {
    const beganAt = this.#clock.now();
    this.asked.push({ name, at: beganAt, request });
    this.#busy += 1;
    this.busiest = Math.max(this.busiest, this.#busy);
    await new Promise<void>((resolve) => void this.#clock.after(this.tookMs, resolve));
    this.#busy -= 1;
    const answer = this.answers[name]?.(request) ?? new Error(`nothing is known of ${name}`);
    const endedAt = this.#clock.now();
    if (answer instanceof Error) return { ok: false, beganAt, endedAt, fault: fault(answer.message) };
    return {
      ok: true,
      beganAt,
      endedAt,
      data: answer as never,
      status: 200,
      requestId: undefined,
      serviceDate: undefined,
      bytes: 0,
      ...this.mark(name),
    };
  }

  times(name: ReadName): number[] {
    return this.asked.filter((one) => one.name === name).map(({ at }) => at);
  }
}

/** What was told, in the order in which it was told. */
export class Ear implements Told {
  readonly heard: string[] = [];
  readonly outcomes: BuyOutcome[] = [];
  readonly alerts: Alert[] = [];
  readonly failures: (string | undefined)[] = [];
  onOutcome: () => void = () => {};

  purchases(purchases: readonly Purchase[]): void {
    for (const { id, state, held } of purchases) this.heard.push(`${id} ${state}${held ? ' (held)' : ''}`);
  }

  outcome(purchase: Purchase, outcome: BuyOutcome): void {
    this.outcomes.push(outcome);
    this.heard.push(`${purchase.id} ${outcome.kind}!`);
    this.onOutcome();
  }

  notCommitted(_intent: unknown, { reason }: { readonly reason: string }): void {
    this.heard.push(`not committed: ${reason}`);
  }

  explained(orderId: string): void {
    this.heard.push(`explained ${orderId}`);
  }

  adopted({ orderId }: { readonly orderId: string }): void {
    this.heard.push(`adopted ${orderId}`);
  }

  halted(): void {
    this.heard.push('halted');
  }

  alert(alert: Alert): void {
    this.alerts.push(alert);
    this.heard.push(`alert ${alert.kind}`);
  }

  journal(failure: string | undefined): void {
    this.failures.push(failure);
  }
}

/** Rows as they come over the wire. */
export const wire = {
  order: (id: string, given: Record<string, unknown> = {}): Record<string, unknown> => ({
    id,
    item: 'AK-47 | Redline (Field-Tested)',
    itemId: '10807006fab895f4',
    amount: 10.5,
    currency: 'USD',
    status: { code: 'PENDING', label: 'Pending' },
    timestamp: 1_767_614_400,
    ...given,
  }),
  transaction: (id: string, given: Record<string, unknown> = {}): Record<string, unknown> => ({
    id,
    itemId: '10807006fab895f4',
    itemName: 'AK-47 | Redline (Field-Tested)',
    float: 0.2,
    price: 10,
    fee: 0.5,
    amount: 10.5,
    type: 'purchase',
    status: 'completed',
    timestamp: 1_767_614_400,
    ...given,
  }),
  listing: (id: string, given: Record<string, unknown> = {}): Record<string, unknown> => ({
    id,
    itemId: '10807006fab895f4',
    market: 'c5game',
    price: 10,
    ...given,
  }),
  orders: (...rows: unknown[]) => ({ total: rows.length, returned: rows.length, orders: rows }),
  transactions: (...rows: unknown[]) => ({ total: rows.length, transactions: rows }),
  user: (balance: number) => ({ type: 'apiKey', profile: { id: 'account-1', balance } }),
};

export interface Stage {
  readonly clock: VirtualClock;
  readonly desk: Desk;
  readonly ear: Ear;
  readonly ledger: Ledger;
  readonly looks: Reconciler;
  readonly stop: AbortController;
  /** Looks that could read the orders. */
  readonly looked: number[];
  /** Other accounts that looks have shown. */
  readonly foreign: string[];
}

/** A reconciler before a scripted service and a real ledger. The account has $1,000 and three old orders. */
export function stage(
  clock: VirtualClock,
  answers: Partial<Record<ReadName, Answer>> = {},
  ledger = freshLedger(),
  onDefect?: (error: unknown) => void,
): Stage {
  const old = ['B-1', 'B-2', 'B-3'].map((id) => wire.order(id, { itemId: '0000000000000000', status: { code: 'COMPLETED' } }));
  const desk = new Desk(clock, {
    orders: () => wire.orders(...old),
    transactions: () => wire.transactions(),
    user: () => wire.user(1_000),
    listingDetail: () => ({ items: [] }),
    ...answers,
  });
  const ear = new Ear();
  const looked: number[] = [];
  const foreign: string[] = [];
  const looks = new Reconciler({
    service: withoutOldAnswers(desk),
    journal: ledger,
    clock,
    policy,
    intervalMs: 30_000,
    told: ear,
    onBalance: () => {},
    onLook: ({ beganAt }) => looked.push(beganAt),
    onForeignFolder: (account) => foreign.push(account),
    health: () => ({ healthyMarkets: new Set(['c5game']), healthUnreadable: false }),
    onDefect,
  });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  return { clock, desk, ear, ledger, looks, stop, looked, foreign };
}
