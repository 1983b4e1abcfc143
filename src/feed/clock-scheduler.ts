import { type SchedulerAction, type SchedulerLike, Subscription } from 'rxjs';
import { type Clock, afterLong } from '../domain/clock.ts';

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
    this.#cancel = afterLong(this.#clock, delay, () => this.#work(state));
    return this;
  }
}
