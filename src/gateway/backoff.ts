import { sleep, type Clock, type EpochMs } from '../domain/clock.ts';
import type { Random } from '../domain/random.ts';
import { believedSlowUntil } from '../domain/slow-down.ts';

/** Which key was told to slow down: what one key suffers does not hold the other. */
export type KeyName = 'account' | 'partner';

/** The service asked us to slow down. Everything of that key waits until then, across restarts. */
export interface Slowed {
  readonly key: KeyName;
  /** Steady epoch milliseconds. */
  readonly until: EpochMs;
  /** rate: too many requests. ban: the door is shut on us, whatever we ask. */
  readonly cause: 'rate' | 'ban';
  readonly message: string;
}

interface Wait {
  /** The first wait; each further one in a row doubles it up to the longest. */
  readonly firstMs: number;
  readonly longestMs: number;
  /** The wait is spread evenly between these shares of it, so that several clients do not come back at one moment. */
  readonly spread: readonly [number, number];
}

const waits: Readonly<Record<Slowed['cause'], Wait>> = {
  rate: { firstMs: 2_000, longestMs: 5 * 60_000, spread: [0.5, 1] },
  // Never less than five minutes: hammering turns a ban of minutes into one of days.
  ban: { firstMs: 5 * 60_000, longestMs: 60 * 60_000, spread: [1, 1.25] },
};

interface Setting {
  readonly key: KeyName;
  readonly clock: Clock;
  readonly random: Random;
  /** Until when an earlier run was asked to wait; undefined when it was not. */
  readonly slowUntil: EpochMs | undefined;
  readonly onSlowed: (slowed: Slowed) => void;
}

/** How long everything of one key has to wait: longer each time in a row, and never shorter than the service asks for. */
export class Backoff {
  readonly #setting: Setting;
  #until: EpochMs;
  #slowedAt: EpochMs = -Infinity;
  #inARow = 0;

  constructor(setting: Setting) {
    this.#setting = setting;
    this.#until = believedSlowUntil(setting.slowUntil, setting.clock.now()) ?? -Infinity;
  }

  /** How many milliseconds are still to be waited; 0 when none. */
  get leftMs(): number {
    return Math.max(this.#until - this.#setting.clock.now(), 0);
  }

  /**
   * An answer asked us to slow down. Answers to requests that were under way when the waiting began tell of the same crowding: they
   * may lengthen it, but do not count as another one.
   */
  slowed(cause: Slowed['cause'], retryAfterMs: number | undefined, beganAt: EpochMs, message: string): void {
    const { key, clock, random, onSlowed } = this.#setting;
    const now = clock.now();
    if (beganAt > this.#slowedAt) this.#inARow++;
    const { firstMs, longestMs, spread } = waits[cause];
    const [low, high] = spread;
    const own = Math.min(firstMs * 2 ** Math.max(this.#inARow - 1, 0), longestMs) * (low + random.next() * (high - low));
    const until = now + Math.max(own, retryAfterMs ?? 0);
    this.#slowedAt = now;
    if (until <= this.#until) return;
    this.#until = until;
    onSlowed({ key, until, cause, message });
  }

  /** A request that began after the last slowing was answered as it should be: the next one starts from the shortest wait. */
  succeeded(beganAt: EpochMs): void {
    if (beganAt > this.#slowedAt) this.#inARow = 0;
  }

  /** Resolves when nothing is to be waited for any more; rejects with the signal's reason. */
  async passed(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    for (let left = this.leftMs; left > 0; left = this.leftMs) {
      await sleep(this.#setting.clock, left, signal);
      signal.throwIfAborted();
    }
  }
}
