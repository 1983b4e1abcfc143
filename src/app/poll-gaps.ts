import type { Clock, EpochMs } from '../domain/clock.ts';
import type { ReadName, Reply, Service } from '../engine/ports.ts';

/** A timer fires this much late or early. */
const SLACK_MS = 20;

export interface PollGapsOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly service: Service;
  /** From one start to the next of each that is polled, milliseconds; what is not polled again is left out. */
  readonly intervalsMs: ReadonlyMap<ReadName, number>;
  /** How long a request keeps the next one from beginning, milliseconds. */
  readonly spacingMs: number;
}

/** Knows from how polls go by when the next is due, so that what can wait stays out of their way. */
export class PollGaps {
  readonly #options: PollGapsOptions;
  readonly #startedAt = new Map<ReadName, EpochMs>();
  /** When the last of them left, which may be later than it was asked. */
  #leftAt = Number.NEGATIVE_INFINITY;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(options: PollGapsOptions) {
    this.#options = options;
  }

  /** The same service for those who poll: what they ask goes through as it is, and is watched. */
  get service(): Service {
    return { read: (name, request) => this.#watched(name, this.#options.service.read(name, request)) };
  }

  /** Until when a question that is asked now may be under way and delays no poll; undefined where it might delay one. */
  quietUntil(): EpochMs | undefined {
    const { clock, intervalsMs, spacingMs } = this.#options;
    const now = clock.now();
    if (this.#underWay.size > 0) return undefined;
    const beginsAt = Math.max(now, this.#leftAt + spacingMs);
    let until = Number.POSITIVE_INFINITY;
    for (const [name, intervalMs] of intervalsMs) {
      // What was never asked for may be at any moment.
      const startedAt = this.#startedAt.get(name) ?? Number.NEGATIVE_INFINITY;
      until = Math.min(until, startedAt + intervalMs - SLACK_MS);
    }
    return until - beginsAt > spacingMs ? until : undefined;
  }

  #watched<T>(name: ReadName, reply: Promise<Reply<T>>): Promise<Reply<T>> {
    this.#startedAt.set(name, this.#options.clock.now());
    this.#underWay.add(reply);
    const ended = ({ beganAt }: Reply<T>): void => {
      this.#underWay.delete(reply);
      this.#leftAt = Math.max(this.#leftAt, beganAt);
    };
    // Whoever asked hears of the answer first.
    void Promise.resolve().then(() => reply.then(ended, () => this.#underWay.delete(reply)));
    return reply;
  }
}
