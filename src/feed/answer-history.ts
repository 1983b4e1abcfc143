import type { EpochMs } from '../domain/clock.ts';

/** How many request ids are remembered: enough for several caches that take turns. */
const REMEMBERED = 64;

/**
 * How far the service's own Date may fall back from one answer to the next before the later one counts as an older answer.
 * Servers behind one name differ by seconds.
 */
const DATE_SLACK_MS = 30_000;

/** What tells an answer from an old one given again by a cache on the way. */
export interface AnswerMark {
  readonly requestId: string | undefined;
  /** The answer's Date header, epoch milliseconds. */
  readonly serviceDate: EpochMs | undefined;
}

/**
 * Remembers which answers were seen. The service's Date is only held against the answer before it, never against our clock:
 * an absurd clock over there costs one poll and not all of them.
 */
export class AnswerHistory {
  readonly #requestIds = new Set<string>();
  #date: EpochMs | undefined;

  /** Notes the answer; returns why it is an old one, in words, or undefined when it is new. */
  note({ requestId, serviceDate }: AnswerMark): string | undefined {
    const dateBefore = this.#date;
    if (serviceDate !== undefined) this.#date = serviceDate;
    if (requestId !== undefined) {
      if (this.#requestIds.has(requestId))
        return 'an answer seen before was given again (same requestId): something on the way caches';
      this.#remember(requestId);
    }
    if (dateBefore !== undefined && serviceDate !== undefined && serviceDate < dateBefore - DATE_SLACK_MS) {
      return `the answer is ${Math.round((dateBefore - serviceDate) / 1000)} s older than the one before it, by its own Date`;
    }
    return undefined;
  }

  #remember(requestId: string): void {
    this.#requestIds.add(requestId);
    if (this.#requestIds.size <= REMEMBERED) return;
    for (const oldest of this.#requestIds) {
      this.#requestIds.delete(oldest);
      return;
    }
  }
}
