import type { EpochMs } from '../domain/clock.ts';
import type { ListingKey } from '../domain/listing.ts';
import type { ListingChange, PollResult } from '../engine/snapshot.ts';

export interface Departure {
  readonly key: ListingKey;
  readonly at: EpochMs;
}

/** Changes of listings, each listing at most once. */
export interface ListingChanges {
  readonly changed: readonly ListingChange[];
  readonly gone: readonly Departure[];
}

const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 60_000;

export function changesOf(result: PollResult): ListingChanges {
  if (result.change === undefined) return { changed: [], gone: [] };
  const { changed, gone, endedAt } = result.change;
  return { changed, gone: gone.map((key) => ({ key, at: endedAt })) };
}

/**
 * A time in which nothing can be written. What the listings go through is folded to its result, so that what is recorded
 * afterwards starts from the right state and only the way there is missing. Bounded by the listings that stood before it and
 * those that stand now.
 */
export class Outage {
  readonly since: EpochMs;
  #reason: string;
  #retryAt: EpochMs;
  #waitMs = FIRST_WAIT_MS;
  #lostPolls = 0;
  readonly #last = new Map<ListingKey, { readonly recorded: boolean; readonly now: ListingChange | EpochMs }>();

  constructor(since: EpochMs, reason: string) {
    this.since = since;
    this.#reason = reason;
    this.#retryAt = since + FIRST_WAIT_MS;
  }

  get reason(): string {
    return this.#reason;
  }

  /** Polls of which only the result of their changes is left. */
  get lostPolls(): number {
    return this.#lostPolls;
  }

  isRetryDue(now: EpochMs): boolean {
    return now >= this.#retryAt;
  }

  failedAgain(now: EpochMs, reason: string): void {
    this.#reason = reason;
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS);
    this.#retryAt = now + this.#waitMs;
  }

  lose(): void {
    this.#lostPolls++;
  }

  add(result: PollResult): void {
    const { changed, gone } = changesOf(result);
    for (const change of changed) {
      const before = this.#last.get(change.listing.key);
      this.#last.set(change.listing.key, { recorded: before?.recorded ?? change.kind !== 'appeared', now: change });
    }
    for (const { key, at } of gone) {
      const recorded = this.#last.get(key)?.recorded ?? true;
      if (recorded) this.#last.set(key, { recorded, now: at });
      else this.#last.delete(key);
    }
  }

  /** The folded changes, in the order in which the listings were first touched. */
  folded(): ListingChanges {
    const changed: ListingChange[] = [];
    const gone: Departure[] = [];
    for (const [key, { recorded, now }] of this.#last) {
      if (typeof now === 'number') gone.push({ key, at: now });
      else changed.push({ ...now, kind: foldedKind(recorded, now) });
    }
    return { changed, gone };
  }
}

/** A listing that stands on record cannot appear; one that does not can only appear. */
function foldedKind(recorded: boolean, last: ListingChange): ListingChange['kind'] {
  if (!recorded) return 'appeared';
  return last.kind === 'appeared' ? 'changed' : last.kind;
}
