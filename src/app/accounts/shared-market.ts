import { Observable, type Subscriber } from 'rxjs';
import type { EpochMs } from '../../domain/clock.ts';
import type { ListingKey } from '../../domain/listing.ts';
import type { HealthMissing, HealthReading } from '../../domain/readings.ts';
import type { StandingListing } from '../../engine/event.ts';
import type { EarlyChange, ListingChange, PollResult, SnapshotChange } from '../../engine/snapshot.ts';
import { watchHealth, watchListings } from '../../feed/watch.ts';
import type { Tape } from '../../replay/tape.ts';
import { type MarketReading, type MarketSource, until } from '../watching.ts';

/** The service is asked with the top-level key: no account's own is used for what all of them hear. */
export interface SharedMarketOptions extends MarketReading {
  readonly tape: Pick<Tape, 'poll' | 'input'> | undefined;
  /** Runs what tells all listeners of one thing; nobody acts before it returns. */
  readonly afterAll: (work: () => void) => void;
  /** What stands in the first answer. */
  readonly onFirst: (keys: Iterable<ListingKey>) => void;
  /** A poll has come to something. */
  readonly onPoll: () => void;
}

interface Listener {
  readonly subscriber: Subscriber<PollResult>;
  readonly onEarly: (change: EarlyChange) => void;
  /** It has been told of everything that stands. */
  knows: boolean;
}

/**
 * One reader of the live listings and of market health for many accounts: one poll, one parse, one difference. Who comes later is told of
 * everything that stands with the next answer, as a first answer is after a start.
 */
export class SharedMarket implements MarketSource {
  readonly #options: SharedMarketOptions;
  readonly #listeners = new Set<Listener>();
  readonly #healthListeners = new Set<Subscriber<HealthReading | HealthMissing>>();
  readonly #shelf = new Map<ListingKey, ListingChange>();
  readonly #shown = new Map<ListingKey, StandingListing>();
  #health: HealthReading | HealthMissing | undefined;
  #lastCompleteAt: EpochMs | undefined;

  constructor(options: SharedMarketOptions) {
    this.#options = options;
  }

  /** Reads until the signal is aborted. */
  start(signal: AbortSignal): void {
    const { service, clock, intervalMs, healthIntervalMs, parse, health, tape } = this.#options;
    if (health) {
      const heard = watchHealth({ service, clock, intervalMs: healthIntervalMs });
      until(
        signal,
        heard.subscribe((each) => {
          this.#health = each;
          this.#tell(this.#healthListeners, (listener) => listener.next(each));
          tape?.input('health', clock.now(), each);
        }),
      );
    }
    const polls = watchListings({ service, clock, intervalMs, parse, onEarly: (change) => this.#early(change) });
    until(
      signal,
      polls.subscribe((poll) => this.#polled(poll)),
    );
  }

  /** End of the last complete answer; undefined before the first. */
  get lastCompleteAt(): EpochMs | undefined {
    return this.#lastCompleteAt;
  }

  get shown(): ReadonlyMap<ListingKey, StandingListing> {
    return this.#shown;
  }

  listings(onEarly: (change: EarlyChange) => void): Observable<PollResult> {
    return new Observable((subscriber) => {
      const listener: Listener = { subscriber, onEarly, knows: false };
      this.#listeners.add(listener);
      return () => this.#listeners.delete(listener);
    });
  }

  health(): Observable<HealthReading | HealthMissing> {
    return new Observable((subscriber) => {
      this.#healthListeners.add(subscriber);
      if (this.#health !== undefined) subscriber.next(this.#health);
      return () => this.#healthListeners.delete(subscriber);
    });
  }

  #early(seen: EarlyChange): void {
    const change = inRow(seen);
    this.#shelve(change.changed, change.gone);
    this.#tell(this.#listeners, (listener) => {
      if (listener.knows) listener.onEarly(change);
    });
  }

  #polled(seen: PollResult): void {
    const poll: PollResult = seen.ok
      ? { ...seen, change: inRow(seen.change) }
      : { ...seen, ...(seen.change && { change: inRow(seen.change) }) };
    const { tape, clock, onFirst, onPoll } = this.#options;
    if (poll.change !== undefined) this.#ended(poll.change);
    if (poll.ok && poll.change.complete) this.#lastCompleteAt = poll.change.endedAt;
    if (poll.ok) onFirst(this.#shelf.keys());
    let whole: PollResult | undefined;
    this.#tell(this.#listeners, (listener) => {
      if (listener.knows) return listener.subscriber.next(poll);
      if (!poll.ok) return listener.subscriber.next(withoutChange(poll));
      listener.knows = true;
      whole ??= { ...poll, change: this.#whole(poll.change) };
      listener.subscriber.next(whole);
    });
    // Recording can wait until the buys that this poll led to are under way.
    clock.after(0, () => {
      tape?.poll(seen);
      onPoll();
    });
  }

  #whole(change: SnapshotChange): SnapshotChange {
    return change.first ? change : { ...change, first: true, changed: [...this.#shelf.values()], gone: [] };
  }

  #ended({ changed, gone }: SnapshotChange): void {
    this.#shelve(changed, gone);
    for (const { listing, seenAt, position } of changed) this.#shown.set(listing.key, { listing, seenAt, position });
    for (const key of gone) this.#shown.delete(key);
  }

  #shelve(changed: readonly ListingChange[], gone: readonly ListingKey[]): void {
    for (const each of changed) this.#shelf.set(each.listing.key, each);
    for (const key of gone) this.#shelf.delete(key);
  }

  #tell<L>(listeners: ReadonlySet<L>, tell: (listener: L) => void): void {
    this.#options.afterAll(() => {
      for (const listener of [...listeners]) tell(listener);
    });
  }
}

/** Places that an answer of the live listings may have. */
const PLACES = 2 ** 24;

/**
 * The same in a row of all answers: what was seen first goes before. A place in an answer hangs on all that stands before it, and of two offers
 * as good, seen in different answers, one account's purchases would tell which another takes.
 */
function inRow<C extends Pick<SnapshotChange, 'pollSeq' | 'changed'>>(change: C): C {
  const base = change.pollSeq * PLACES;
  return { ...change, changed: change.changed.map((each) => ({ ...each, position: base + each.position })) };
}

/** What broke off is of no use to whoever has not heard what it was a part of. */
function withoutChange({ change: _, ...poll }: Extract<PollResult, { ok: false }>): PollResult {
  return poll;
}
