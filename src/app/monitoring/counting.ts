import type { Clock } from '../../domain/clock.ts';
import type { FaultCause } from '../../domain/fault.ts';
import { legMs, legs } from '../../domain/latency.ts';
import type { BuyOutcome, Timings } from '../../domain/outcome.ts';
import type { Purchase } from '../../domain/purchase.ts';
import type { Effect } from '../../engine/effect.ts';
import type { Event } from '../../engine/event.ts';
import type { ReadName, Reply } from '../../engine/ports.ts';
import type { PollResult } from '../../engine/snapshot.ts';
import type { Meter } from '../../monitor/meter.ts';
import type { Observer } from './observer.ts';

export interface CountingOptions {
  readonly meter: Meter;
  readonly clock: Pick<Clock, 'after'>;
  /** When the stages of a purchase passed; undefined where that cannot be read. */
  readonly timingsOf: (purchaseId: number) => Timings | undefined;
  /** Does what must not fail anybody else. */
  readonly guarded: (work: () => void) => void;
}

const TOO_MANY_REQUESTS = 429;

/** Purchases whose stages were counted lately: a late answer tells of one again. */
const COUNTED_MAX = 200;

/** Counts what is done as it is done. */
export class Counting implements Observer {
  readonly #options: CountingOptions;
  readonly #counted = new Set<number>();

  constructor(options: CountingOptions) {
    this.#options = options;
  }

  stepped(event: Event, effects: readonly Effect[]): void {
    for (const effect of effects) if (effect.type === 'decide') this.#decisions(effect.decisions);
    if (event.type === 'outcome') {
      const { purchase, outcome } = event;
      const { clock, guarded } = this.#options;
      clock.after(0, () => guarded(() => this.#bought(purchase, outcome)));
    }
  }

  polled(poll: PollResult): void {
    const { meter } = this.#options;
    const { facts, change } = poll;
    const { beganAt, endedAt, bytes } = facts;
    if (!poll.ok) meter.add('magpie_poll_failures_total', { cause: poll.fault.cause });
    const result = poll.ok ? (poll.change.complete ? 'complete' : 'incomplete') : 'failed';
    meter.add('magpie_polls_total', { result });
    const seconds = Math.max(0, endedAt - beganAt) / 1_000;
    meter.observe('magpie_poll_duration_seconds', {}, seconds);
    if (bytes !== undefined) meter.add('magpie_poll_bytes_total', {}, bytes);
    for (const { kind } of change?.changed ?? []) meter.add('magpie_listings_changed_total', { kind });
    meter.add('magpie_listings_changed_total', { kind: 'gone' }, change?.gone.length ?? 0);
    this.#request('liveListings', poll.ok ? undefined : poll.fault, seconds);
  }

  /** A question has ended. Those for the live listings are counted as polls, when what they lead to is under way. */
  answered(name: ReadName, reply: Reply<unknown>): void {
    if (name === 'liveListings') return;
    this.#request(name, reply.ok ? undefined : reply.fault, Math.max(0, reply.endedAt - reply.beganAt) / 1_000);
  }

  #decisions(decisions: Extract<Effect, { type: 'decide' }>['decisions']): void {
    for (const { lane, verdict, reason = 'none' } of decisions)
      this.#options.meter.add('magpie_decisions_total', { lane, verdict, reason });
  }

  #bought({ id }: Purchase, outcome: BuyOutcome): void {
    if (this.#counted.has(id)) return;
    this.#counted.add(id);
    for (const old of [...this.#counted].slice(0, -COUNTED_MAX)) this.#counted.delete(old);
    const timings = this.#options.timingsOf(id);
    if (timings === undefined) return;
    for (const leg of legs) {
      const ms = legMs(timings, leg);
      if (ms !== undefined)
        this.#options.meter.observe('magpie_purchase_stage_seconds', { stage: `${leg.from}-${leg.to}` }, ms / 1_000);
    }
    const { sentAt, answeredAt } = timings;
    const seconds = sentAt === undefined || answeredAt === undefined ? undefined : Math.max(0, answeredAt - sentAt) / 1_000;
    this.#request('buy', faultOf(outcome, sentAt !== undefined), seconds);
  }

  #request(
    endpoint: ReadName | 'buy',
    fault: { readonly cause: FaultCause; readonly sent: boolean; readonly status: number | undefined } | undefined,
    seconds: number | undefined,
  ): void {
    const { meter } = this.#options;
    const result = fault === undefined ? 'ok' : fault.sent ? fault.cause : 'unsent';
    meter.add('magpie_requests_total', { endpoint, result });
    if (fault?.status === TOO_MANY_REQUESTS) meter.add('magpie_too_many_requests_total', { endpoint });
    if (seconds !== undefined && fault?.sent !== false) meter.observe('magpie_request_duration_seconds', { endpoint }, seconds);
  }
}

function faultOf(
  outcome: BuyOutcome,
  sent: boolean,
): { readonly cause: FaultCause; readonly sent: boolean; readonly status: number | undefined } | undefined {
  if (outcome.kind === 'bought') return undefined;
  return { cause: outcome.cause, sent, status: 'status' in outcome ? outcome.status : undefined };
}
