import type { Clock } from '../domain/clock.ts';

/** Clocks that are read one after the other differ by less, milliseconds. */
const SLEPT_MS = 2_000;

/**
 * Notices what steady time does not tell: that the machine has slept, or that its clock was set. What was read before is then older than it
 * seems.
 */
export class SleepWatch {
  readonly #clock: Pick<Clock, 'now' | 'wall'>;
  readonly #beganMs: number;

  /** It watches from now on. */
  constructor(clock: Pick<Clock, 'now' | 'wall'>) {
    this.#clock = clock;
    this.#beganMs = this.#aheadMs();
  }

  /** How much later it may be than steady time tells, milliseconds; 0 where nothing has happened. */
  get sleptMs(): number {
    const sleptMs = this.#aheadMs() - this.#beganMs;
    return sleptMs > SLEPT_MS ? sleptMs : 0;
  }

  #aheadMs(): number {
    return this.#clock.wall() - this.#clock.now();
  }
}
