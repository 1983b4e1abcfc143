import { setMaxListeners } from 'node:events';
import { sleep, type Clock } from '../domain/clock.ts';
import type { Permit } from '../engine/ports.ts';
import { Limiter, type Release } from './limiter.ts';

export interface Rate {
  /** Requests a second, a fraction too. */
  readonly perSecond: number;
  readonly concurrent: number;
}

/** Who goes first when several wait. */
export type Rank = 'first' | 'second' | 'third';

const priorities: Readonly<Record<Rank, number>> = { first: 1, second: 3, third: 5 };

/** The wall clock has stepped when it has moved this much against the monotonic one since the limiters were made. */
const STEP_MS = 1_000;

/**
 * Holds a rate: in any window of w seconds at most perSecond × w + 1 requests begin, and nothing is saved up. Bottleneck queues and
 * counts; the spacing itself is measured on the monotonic clock, from the moment the last request's headers left, since Bottleneck's
 * timers fire late and its clock steps. Only one permit that has not begun is out at a time. The process before this one may have sent
 * something just before it ended, so the first request waits as if one had left when the pace was made.
 */
export class Pace {
  readonly #clock: Clock;
  readonly #onStep: () => void;
  readonly #spacingMs: number;
  /** Where all but the first rank queue beforehand, so that together they never take the last place. */
  readonly #ordinary: Limiter;
  readonly #places: Limiter;
  readonly #turn: Limiter;
  readonly #departing = new Set<object>();
  readonly #closing = new AbortController();
  #onDeparted: (() => void) | undefined;
  #lastAt: number;
  #skewMs: number;
  #waiting = 0;
  #stopWatching: (() => void) | undefined;

  /** `onStep` is told when the wall clock stepped and the limiters were made anew. */
  constructor(rate: Rate, clock: Clock, onStep: () => void) {
    if (!(rate.perSecond > 0 && rate.concurrent >= 1)) {
      throw new RangeError(`a rate of ${rate.perSecond} a second, ${rate.concurrent} at once, lets nothing through`);
    }
    this.#clock = clock;
    this.#onStep = onStep;
    this.#spacingMs = 1_000 / rate.perSecond;
    this.#places = new Limiter({ maxConcurrent: rate.concurrent });
    this.#ordinary = new Limiter({ maxConcurrent: Math.max(rate.concurrent - 1, 1) });
    this.#turn = new Limiter({ maxConcurrent: 1, minTime: this.#spacingMs });
    this.#skewMs = clock.wall() - clock.mono();
    this.#lastAt = clock.mono();
    void this.#first();
  }

  /** Resolves when a request may begin; rejects only with the signal's reason, or when closed. */
  async take(rank: Rank, signal: AbortSignal): Promise<Permit> {
    const held: Release[] = [];
    // One signal may stop many waiting requests.
    setMaxListeners(0, signal);
    this.#startWaiting();
    try {
      const path = rank === 'first' ? [this.#places, this.#turn] : [this.#ordinary, this.#places, this.#turn];
      for (const limiter of path) held.push(await limiter.hold(priorities[rank], signal));
    } catch (error) {
      release(held);
      throw error;
    } finally {
      this.#stopWaiting();
    }
    return this.#permit(held);
  }

  /** A request is under way to its socket: until the returned function says that it left or never will, no other may begin. */
  depart(): () => void {
    const token = {};
    this.#departing.add(token);
    return () => {
      if (!this.#departing.delete(token)) return;
      this.#lastAt = this.#clock.mono();
      this.#onDeparted?.();
    };
  }

  /** How many wait to begin. */
  get waiting(): number {
    return this.#waiting;
  }

  close(): void {
    this.#closing.abort();
    this.#stopWatching?.();
    for (const limiter of this.#limiters()) limiter.close();
  }

  #permit(held: readonly Release[]): Permit {
    const turn = held.at(-1);
    let begun = false;
    return {
      begin: () => {
        if (begun) return;
        begun = true;
        this.#lastAt = this.#clock.mono();
        // The next one is chosen when it may go, not before: who comes meanwhile may be more urgent. This one leaves first.
        void Promise.resolve()
          .then(() => this.#spaced())
          .then(turn);
      },
      done: () => release(begun ? held.slice(0, -1) : held),
    };
  }

  /** Keeps the first turn until a request that left just before this was made is far enough back. */
  async #first(): Promise<void> {
    const turn = await this.#turn.hold(priorities.first, this.#closing.signal).catch(() => undefined);
    await this.#spaced();
    turn?.();
  }

  /** Resolves when what has begun has left, and the spacing has passed since; or when closed. */
  async #spaced(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const rest = this.#lastAt + this.#spacingMs - this.#clock.mono();
      if (this.#departing.size > 0) await this.#departed(signal);
      else if (rest > 0) await sleep(this.#clock, Math.ceil(rest), signal);
      else return;
    }
  }

  #departed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        signal.removeEventListener('abort', finish);
        this.#onDeparted = undefined;
        resolve();
      };
      this.#onDeparted = finish;
      signal.addEventListener('abort', finish, { once: true });
    });
  }

  #limiters(): readonly Limiter[] {
    return [this.#ordinary, this.#places, this.#turn];
  }

  #startWaiting(): void {
    this.#waiting++;
    this.#noticeStep();
    this.#watch();
  }

  #stopWaiting(): void {
    this.#waiting--;
    if (this.#waiting > 0) return;
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }

  /** Looks at the clocks each second while something waits: a frozen queue would never look by itself. */
  #watch(): void {
    if (this.#stopWatching || this.#waiting === 0) return;
    this.#stopWatching = this.#clock.after(STEP_MS, () => {
      this.#stopWatching = undefined;
      this.#noticeStep();
      this.#watch();
    });
  }

  #noticeStep(): void {
    const skewMs = this.#clock.wall() - this.#clock.mono();
    if (Math.abs(skewMs - this.#skewMs) <= STEP_MS) return;
    this.#skewMs = skewMs;
    for (const limiter of this.#limiters()) limiter.renew();
    this.#onStep();
  }
}

function release(held: readonly Release[]): void {
  for (const free of [...held].reverse()) free();
}
