import type { Clock, EpochMs } from '../domain/clock.ts';

/** The longest delay that a Node timer can hold; beyond it a timer fires at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** The machine's clock: the wall read once, then carried on by the monotonic clock, so that a step of the wall moves nothing. */
export class SystemClock implements Clock {
  readonly #startAt: EpochMs = Date.now();
  readonly #startMono: number = performance.now();

  now(): EpochMs {
    return this.#startAt + (performance.now() - this.#startMono);
  }

  wall(): EpochMs {
    return Date.now();
  }

  mono(): number {
    return performance.now();
  }

  after(ms: number, work: () => void): () => void {
    const delay = Number.isFinite(ms) ? Math.min(Math.max(0, ms), TIMER_MAX_MS) : TIMER_MAX_MS;
    const timer = setTimeout(work, delay);
    return () => clearTimeout(timer);
  }
}
