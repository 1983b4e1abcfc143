import { AsyncResource } from 'node:async_hooks';
import type { Clock, EpochMs } from '../../src/domain/clock.ts';

interface Due {
  readonly at: EpochMs;
  readonly order: number;
  work: (() => void) | undefined;
}

/** What a Node timer can hold. */
const TIMER_MAX_MS = 2 ** 31 - 1;

const immediate = globalThis.setImmediate;

/**
 * The time of one life, in true epoch milliseconds: a heap of what is due. Things due at one moment happen in the order of their
 * making, and promises settle before time goes on, so the same life always runs the same way.
 */
export class SimTime {
  readonly #heap: Due[] = [];
  readonly #onError: (error: unknown) => void;
  #now: EpochMs;
  #order = 0;
  #events = 0;

  /** `onError` is told what was thrown by work that was due. */
  constructor(startAt: EpochMs, onError: (error: unknown) => void) {
    this.#now = startAt;
    this.#onError = onError;
  }

  get now(): EpochMs {
    return this.#now;
  }

  /** How many things have happened. */
  get events(): number {
    return this.#events;
  }

  /** How many things are to happen, with those that were cancelled and whose time has not come. */
  get waiting(): number {
    return this.#heap.length;
  }

  /** Calls `work` after `ms`, in whose name it was asked for, as real timers do; the returned function cancels it. */
  after(ms: number, work: () => void): () => void {
    const scope = new AsyncResource('SimTime');
    const inScope = (): void => scope.runInAsyncScope(work);
    const due: Due = { at: this.#now + Math.max(0, ms), order: this.#order++, work: inScope };
    this.#push(due);
    return () => {
      due.work = undefined;
    };
  }

  /** Moves on to `until`, or until `done` holds after something happened. */
  async run(until: EpochMs, done: () => boolean = () => false): Promise<void> {
    await settle();
    while (!done()) {
      const next = this.#heap[0];
      if (next === undefined || next.at > until) {
        this.#now = Math.max(this.#now, until);
        return;
      }
      this.#pop();
      if (next.work === undefined) continue;
      this.#now = Math.max(this.#now, next.at);
      this.#events++;
      try {
        next.work();
      } catch (error) {
        this.#onError(error);
      }
      await settle();
    }
  }

  #push(due: Due): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(due);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || !before(due, parent)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = due;
  }

  #pop(): void {
    const heap = this.#heap;
    const due = heap.pop();
    if (due === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      const left = heap[below];
      if (left === undefined) break;
      const right = heap[below + 1];
      if (right !== undefined && before(right, left)) below++;
      const child = heap[below];
      if (child === undefined || !before(child, due)) break;
      heap[at] = child;
      at = below;
    }
    heap[at] = due;
  }
}

function before(a: Due, b: Due): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

/** Lets every promise that can settle without time passing do so. */
function settle(): Promise<void> {
  return new Promise((resolve) => void immediate(resolve));
}

/** What the machine's wall clock is off by; it may step. */
export interface WallOffset {
  ms: number;
}

/**
 * The clock of one process: read once from the wall at its start, then steady. When the process is dead its timers are too.
 */
export class ProcessClock implements Clock {
  readonly #time: SimTime;
  readonly #offset: WallOffset;
  readonly #startedAt: EpochMs;
  readonly #base: EpochMs;
  readonly #alive: () => boolean;

  constructor(time: SimTime, offset: WallOffset, alive: () => boolean) {
    this.#time = time;
    this.#offset = offset;
    this.#alive = alive;
    this.#startedAt = time.now;
    this.#base = time.now + offset.ms;
  }

  now(): EpochMs {
    return this.#base + (this.#time.now - this.#startedAt);
  }

  wall(): EpochMs {
    return this.#time.now + this.#offset.ms;
  }

  mono(): number {
    return this.#time.now - this.#startedAt;
  }

  after(ms: number, work: () => void): () => void {
    const delay = Number.isFinite(ms) ? Math.min(Math.max(ms, 0), TIMER_MAX_MS) : 0;
    return this.#time.after(delay, () => {
      if (this.#alive()) work();
    });
  }
}
