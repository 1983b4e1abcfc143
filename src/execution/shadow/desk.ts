import type { Clock, EpochMs } from '../../domain/clock.ts';
import type { Timings } from '../../domain/outcome.ts';
import type { Purchase } from '../../domain/purchase.ts';
import type { BuyLatency, Shadow } from '../../domain/shadow.ts';
import type { Service } from '../../engine/ports.ts';
import { DETAILS_MAX, detailOf, detailsBody, isAskable } from '../details.ts';
import { Budget } from './budget.ts';
import { buyLatency } from './latency.ts';
import { type Awaiting, awaiting, judged, shadowOf } from './verdict.ts';

/** More than can be asked for in time by any budget; what comes on top is unknown at once. */
const WAITING_MAX = 500;

/** How often it is worked out anew what a buy lasts. */
const MEASURE_MS = 600_000;

/** After a question that failed, none follows within this. */
const REST_MS = 500;

/** Where polls left no room, it is looked again after this. */
const NO_ROOM_MS = 50;

/** How purchases on paper are checked again. */
export interface ShadowSettings {
  /** What a buy is taken to last, milliseconds; undefined: what our own lasted. */
  readonly latencyMs: number | undefined;
  /** On top of that, milliseconds. */
  readonly marginMs: number;
  /** Questions in any minute at most; one names up to ten listings. */
  readonly perMinute: number;
}

/** One of them and what became of its listing. */
export interface Settled {
  readonly purchase: Purchase;
  readonly shadow: Shadow;
}

export interface ShadowDeskOptions {
  readonly clock: Clock;
  readonly service: Service;
  readonly settings: ShadowSettings;
  /** How long the newest live purchases took. */
  readonly measured: () => readonly Timings[];
  /** Until when a question that begins now may be under way without being in the way of a poll; undefined: none may begin. */
  readonly quietUntil: () => EpochMs | undefined;
  /** Keeps and tells what was learnt. */
  readonly onSettled: (settled: readonly Settled[]) => void;
  readonly onDefect: (error: unknown) => void;
}

type Waiting = Awaiting & { /** Why the last question about it brought nothing. */ fault: string | undefined };

/**
 * Looks again at the listings of purchases on paper, once a live buy of them would have been answered. It asks at its own small rate and
 * only where no poll is due; what cannot be asked for in time is unknown. It holds nothing that could buy.
 */
export class ShadowDesk {
  readonly #options: ShadowDeskOptions;
  readonly #budget: Budget;
  /** By when they are due, as far as the latency stays the same. */
  #waiting: Waiting[] = [];
  /** What is settled without a question. */
  #turnedAway: Settled[] = [];
  #latency: BuyLatency;
  #measuredAt = Number.NEGATIVE_INFINITY;
  #restUntil = Number.NEGATIVE_INFINITY;
  #timer: { readonly at: EpochMs; readonly cancel: () => void } | undefined;
  #stopAsking: (() => void) | undefined;
  #stopped = false;
  /** Rows are told again when somebody looks what others have changed. */
  #newestId = 0;

  constructor(options: ShadowDeskOptions) {
    this.#options = options;
    this.#budget = new Budget(options.settings.perMinute);
    this.#latency = buyLatency(options.settings.latencyMs, []);
  }

  /** How many are not settled yet. */
  get open(): number {
    return this.#waiting.length + this.#turnedAway.length;
  }

  /** Works out what a buy lasts, before there is one on paper. */
  start(): void {
    this.#measure(this.#options.clock.now());
  }

  /** Rows of the ledger that are new or have changed: those that are new on paper are looked at later. Does nothing but remember them. */
  take(purchases: readonly Purchase[]): void {
    if (this.#stopped) return;
    const { clock, settings } = this.#options;
    for (const purchase of purchases) {
      if (purchase.state !== 'simulated' || purchase.id <= this.#newestId) continue;
      this.#newestId = purchase.id;
      const one = awaiting(purchase, this.#latency, settings.marginMs);
      const refused = !isAskable(purchase) ? 'not-asked' : this.#waiting.length >= WAITING_MAX ? 'budget' : undefined;
      if (refused === undefined) this.#waiting.push({ ...one, fault: undefined });
      else this.#turnedAway.push({ purchase, shadow: shadowOf(one, refused, undefined, clock.now()) });
      this.#wakeAt(refused === undefined ? one.dueAt : clock.now());
    }
  }

  /** Nothing is asked any more; what waits is unknown. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#timer?.cancel();
    this.#stopAsking?.();
    const now = this.#options.clock.now();
    const left = this.#waiting.map((one) => ({ purchase: one.purchase, shadow: shadowOf(one, 'stopped', undefined, now) }));
    this.#tell([...this.#takeTurnedAway(), ...left]);
    this.#waiting = [];
  }

  /** The next turn is then at the latest. */
  #wakeAt(at: EpochMs): void {
    if (this.#stopped || (this.#timer !== undefined && this.#timer.at <= at)) return;
    this.#timer?.cancel();
    const { clock, onDefect } = this.#options;
    const cancel = clock.after(Math.max(0, at - clock.now()), () => {
      this.#timer = undefined;
      this.#turn().catch(onDefect);
    });
    this.#timer = { at, cancel };
  }

  async #turn(): Promise<void> {
    const now = this.#options.clock.now();
    this.#measure(now);
    this.#tell([...this.#takeTurnedAway(), ...this.#takeLate(now)]);
    const [first] = this.#waiting;
    if (first === undefined || this.#stopAsking !== undefined) return;
    const quietUntil = this.#options.quietUntil();
    const mayAskAt = Math.max(
      first.dueAt,
      this.#budget.freeAt,
      this.#restUntil,
      quietUntil === undefined ? now + NO_ROOM_MS : now,
    );
    if (mayAskAt > now || quietUntil === undefined) return this.#wakeAt(Math.min(mayAskAt, Math.max(now, first.lateAt)));
    await this.#ask(this.#waiting.filter(({ dueAt }) => dueAt <= now).slice(0, DETAILS_MAX), quietUntil);
    this.#wakeAt(this.#options.clock.now());
  }

  async #ask(batch: readonly Waiting[], quietUntil: EpochMs): Promise<void> {
    const { clock, service } = this.#options;
    const asked = batch.filter((one) => isAskable(one.purchase));
    const stop = new AbortController();
    const until = Math.min(quietUntil, Math.max(...batch.map(({ lateAt }) => lateAt)));
    const cancel = clock.after(until - clock.now(), () => stop.abort());
    this.#stopAsking = () => stop.abort();
    this.#budget.spend(clock.now());
    const body = detailsBody(asked.flatMap(({ purchase }) => (isAskable(purchase) ? [purchase] : [])));
    const reply = await service.read('listingDetail', { body, urgency: 'spare', signal: stop.signal });
    cancel();
    this.#stopAsking = undefined;
    if (this.#stopped) return;
    const settled: Settled[] = [];
    for (const [index, one] of asked.entries()) {
      const detail = reply.ok ? detailOf(one.purchase, reply.data.items, index, asked.length) : undefined;
      const shadow = judged(one, detail, reply);
      if (shadow === undefined) one.fault = faultOf(reply, stop.signal.aborted);
      else settled.push({ purchase: one.purchase, shadow });
    }
    if (settled.length < asked.length) this.#restUntil = clock.now() + REST_MS;
    const done = new Set(settled.map(({ purchase }) => purchase.id));
    this.#waiting = this.#waiting.filter(({ purchase }) => !done.has(purchase.id));
    this.#tell(settled);
  }

  #takeTurnedAway(): readonly Settled[] {
    const taken = this.#turnedAway;
    this.#turnedAway = [];
    return taken;
  }

  /** Those of which nobody can say any more what they were when it mattered. */
  #takeLate(now: EpochMs): readonly Settled[] {
    if (this.#stopAsking !== undefined) return [];
    const late = this.#waiting.filter(({ lateAt }) => lateAt <= now);
    if (late.length > 0) this.#waiting = this.#waiting.filter(({ lateAt }) => lateAt > now);
    return late.map((one) => ({
      purchase: one.purchase,
      shadow: shadowOf(one, one.fault === undefined ? 'budget' : 'failed', one.fault, now),
    }));
  }

  #measure(now: EpochMs): void {
    if (now - this.#measuredAt < MEASURE_MS) return;
    this.#measuredAt = now;
    this.#latency = buyLatency(this.#options.settings.latencyMs, this.#options.measured());
  }

  #tell(settled: readonly Settled[]): void {
    if (settled.length > 0) this.#options.onSettled(settled);
  }
}

type Answered = Awaited<ReturnType<Service['read']>>;

function faultOf(reply: Answered, cut: boolean): string {
  if (cut) return 'no answer before the next poll was due, or before it was too late';
  return reply.ok ? 'the answer did not tell, or came too early or too late' : reply.fault.message;
}
