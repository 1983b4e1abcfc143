import { type SchedulerAction, type SchedulerLike, Subscription } from 'rxjs';
import type { Clock } from '../domain/clock.ts';

/** The longest single wait asked of a clock; a longer delay is waited for in pieces, as timers cannot hold it. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** RxJS's idea of time, taken from the injected clock: pass it to every operator that waits. */
export class ClockScheduler implements SchedulerLike {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T): Subscription {
    return new ClockAction(this.#clock, work).schedule(state, delay);
  }
}

class ClockAction<T> extends Subscription implements SchedulerAction<T> {
  readonly #clock: Clock;
  readonly #work: (this: SchedulerAction<T>, state?: T) => void;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, work: (this: SchedulerAction<T>, state?: T) => void) {
    super(() => this.#cancel());
    this.#clock = clock;
    this.#work = work;
  }

  schedule(state?: T, delay = 0): this {
    if (this.closed) return this;
    this.#cancel();
    this.#wait(delay, state);
    return this;
  }

  #wait(delay: number, state: T | undefined): void {
    const piece = Math.min(delay, LONGEST_WAIT_MS);
    this.#cancel = this.#clock.after(piece, () => {
      if (piece < delay) this.#wait(delay - piece, state);
      else this.#work(state);
    });
  }
}
