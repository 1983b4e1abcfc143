import type { Clock, EpochMs } from '../../src/domain/clock.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly work: () => void;
}

/** What a Node timer can hold: `after` clamps to it, as the real clock does. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/**
 * A clock that stands still until it is told to move. Timers fire in the order of their time, then of their making, so the
 * same test always runs the same way.
 */
export class VirtualClock implements Clock {
  readonly #startAt: EpochMs;
  #elapsed = 0;
  #wallOffset = 0;
  #order = 0;
  readonly #timers = new Set<Timer>();

  constructor(startAt: EpochMs = Date.UTC(2026, 0, 5, 12)) {
    this.#startAt = startAt;
  }

  now(): EpochMs {
    return this.#startAt + this.#elapsed;
  }

  wall(): EpochMs {
    return this.now() + this.#wallOffset;
  }

  mono(): number {
    return this.#elapsed;
  }

  after(ms: number, work: () => void): () => void {
    const delay = Number.isFinite(ms) ? Math.min(Math.max(ms, 0), TIMER_MAX_MS) : 0;
    const timer: Timer = { at: this.#elapsed + delay, order: this.#order++, work };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Timers that have not fired and were not cancelled. */
  get pending(): number {
    return this.#timers.size;
  }

  /** The machine's own idea of the time steps by `ms`; the steady time does not. */
  stepWall(ms: number): void {
    this.#wallOffset += ms;
  }

  /** Moves time on by `ms`; each timer that falls due fires at its own moment, and promises settle before time goes on. */
  async advance(ms: number): Promise<void> {
    const until = this.#elapsed + ms;
    await settle();
    for (let timer = this.#nextBy(until); timer; timer = this.#nextBy(until)) {
      this.#fire(timer);
      await settle();
    }
    this.#elapsed = until;
  }

  /** As `advance`, but without letting promises settle: for code that is synchronous throughout. */
  advanceSync(ms: number): void {
    const until = this.#elapsed + ms;
    for (let timer = this.#nextBy(until); timer; timer = this.#nextBy(until)) this.#fire(timer);
    this.#elapsed = until;
  }

  #fire(timer: Timer): void {
    this.#timers.delete(timer);
    this.#elapsed = Math.max(this.#elapsed, timer.at);
    timer.work();
  }

  #nextBy(until: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at > until) continue;
      if (!next || timer.at < next.at || (timer.at === next.at && timer.order < next.order)) next = timer;
    }
    return next;
  }
}

/** Lets every promise that can settle without time passing do so. */
export function settle(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
