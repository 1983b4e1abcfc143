import { setMaxListeners } from 'node:events';
import type { Clock } from '../../src/domain/clock.ts';
import type { Permit } from '../../src/engine/ports.ts';
import type { Rank, Rate } from '../../src/gateway/pace.ts';

interface Waiting {
  readonly rank: number;
  readonly order: number;
  readonly ordinary: boolean;
  readonly grant: (permit: Permit) => void;
}

const ranks: Readonly<Record<Rank, number>> = { first: 0, second: 1, third: 2 };

/**
 * The rate of the gateway's limiter on a virtual clock: so many at once, one permit out that has not begun, and a spacing since
 * the last one began. All but the first rank leave one place free where there are two.
 */
export class SimPace {
  readonly #clock: Clock;
  readonly #spacingMs: number;
  readonly #concurrent: number;
  readonly #waiting: Waiting[] = [];
  #held = 0;
  #heldOrdinary = 0;
  #turnTaken = false;
  #nextAt: number;
  #order = 0;
  #resting = false;

  constructor({ perSecond, concurrent }: Rate, clock: Clock) {
    this.#clock = clock;
    this.#spacingMs = 1_000 / perSecond;
    this.#concurrent = concurrent;
    // The process before this one may have sent something just before it ended.
    this.#nextAt = clock.mono() + this.#spacingMs;
  }

  take(rank: Rank, signal: AbortSignal): Promise<Permit> {
    return new Promise((resolve, reject) => {
      // One signal may stop many waiting requests.
      setMaxListeners(0, signal);
      if (signal.aborted) return reject(signal.reason as Error);
      const grant = (permit: Permit): void => {
        signal.removeEventListener('abort', abort);
        resolve(permit);
      };
      const waiting: Waiting = { rank: ranks[rank], order: this.#order++, ordinary: rank !== 'first', grant };
      this.#waiting.push(waiting);
      this.#waiting.sort((a, b) => a.rank - b.rank || a.order - b.order);
      const abort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#next();
    });
  }

  #next(): void {
    if (this.#turnTaken || this.#held >= this.#concurrent) return;
    const rest = this.#nextAt - this.#clock.mono();
    if (rest > 0) {
      if (this.#resting) return;
      this.#resting = true;
      this.#clock.after(rest, () => {
        this.#resting = false;
        this.#next();
      });
      return;
    }
    const room = Math.max(this.#concurrent - 1, 1);
    const index = this.#waiting.findIndex(({ ordinary }) => !ordinary || this.#heldOrdinary < room);
    const [chosen] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (chosen !== undefined) chosen.grant(this.#permit(chosen.ordinary));
  }

  #permit(ordinary: boolean): Permit {
    this.#turnTaken = true;
    this.#held++;
    if (ordinary) this.#heldOrdinary++;
    let [begun, done] = [false, false];
    return {
      begin: () => {
        if (begun) return;
        begun = true;
        this.#turnTaken = false;
        this.#nextAt = this.#clock.mono() + this.#spacingMs;
        this.#next();
      },
      done: () => {
        if (done) return;
        done = true;
        if (!begun) this.#turnTaken = false;
        this.#held--;
        if (ordinary) this.#heldOrdinary--;
        this.#next();
      },
    };
  }
}
