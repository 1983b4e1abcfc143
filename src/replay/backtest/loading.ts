import type { EpochMs } from '../../domain/clock.ts';
import type { Listing, ListingKey } from '../../domain/listing.ts';
import type { BalanceReading, HealthMissing, HealthReading } from '../../domain/readings.ts';
import type { NamedRecord } from '../../engine/references.ts';
import type { ListingChange } from '../../engine/snapshot.ts';
import { readListing } from '../../strategy/read-listing.ts';
import { keptJson } from '../listing-text.ts';
import { Floats } from './columns.ts';
import { type Blind, coverageOf } from './coverage.ts';
import { Distinct } from './distinct.ts';
import type { KeyNumbers } from './key-numbers.ts';
import type { Heard, Interest, MarketHistory, ShownPoll, Stop } from './market-history.ts';
import type { OfferBook, OfferEnd } from './offers.ts';
import { OwnPastReader } from './own-past.ts';
import type { Recorded, RecordedChange, RecordedPoll } from './recorded.ts';

export interface LoadingOptions {
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly interest: Interest;
  /** Told of each listing that can be judged, as it is shown. */
  readonly onListing?: ((listing: Listing) => void) | undefined;
}

export type PollTimes = Pick<RecordedPoll, 'run' | 'beganAt' | 'endedAt' | 'complete' | 'first'>;

/** What is known of a poll before what it shows is told. */
export interface Look {
  /** Its place among all. */
  readonly index: number;
  readonly beganAt: EpochMs;
  readonly endedAt: EpochMs;
  /** When the last complete look before it began, where what it shows first came after that. */
  readonly absentAt: EpochMs | undefined;
  /** When the newest complete look but this one began: what was known then stood then. */
  readonly lastSeenAt: EpochMs;
}

const stops: ReadonlySet<unknown> = new Set<Stop['type']>(['blocked', 'unblocked', 'halted', 'resumed', 'slowed']);

/** undefined: it is another event. */
export function recordsIn(event: unknown): readonly NamedRecord[] | undefined {
  const { type, records } = (event ?? {}) as { type?: unknown; records?: unknown };
  return type === 'references' && Array.isArray(records) ? (records as NamedRecord[]) : undefined;
}

/** What is gathered of a recorded time, one thing after the other. */
export class Loading {
  readonly #options: LoadingOptions;
  readonly #offers: OfferBook;
  readonly #numbers: KeyNumbers;
  readonly #polls = { beganAt: new Floats(), endedAt: new Floats(), complete: new Floats(), first: new Floats() };
  readonly #completePolls = { beganAt: new Floats(), endedAt: new Floats() };
  readonly #shown: ShownPoll[] = [];
  readonly #heard: Heard[] = [];
  readonly #balances: BalanceReading[] = [];
  readonly #gaps: Blind[] = [];
  readonly #own = new OwnPastReader();
  readonly #listings = new Distinct();
  /** What was last heard before the time began. */
  readonly #earlier = new Map<string, Heard | BalanceReading>();
  #run = '';
  #recordsKnown = 0;
  #events = 0;
  #unreadable = 0;

  /** `numbers`: by which listings are counted. */
  constructor(options: LoadingOptions, offers: OfferBook, numbers: KeyNumbers) {
    this.#options = options;
    this.#offers = offers;
    this.#numbers = numbers;
  }

  knownAlready(records: readonly NamedRecord[]): void {
    this.#recordsKnown = records.length;
    if (records.length > 0) this.#heard.push({ of: 'references', at: this.#options.from, records });
  }

  gap(from: EpochMs, to: EpochMs, reason: string): void {
    this.#gaps.push({ from, to, why: reason });
  }

  input({ recording, at, kind, value }: Extract<Recorded, { of: 'input' }>): void {
    const early = at < this.#options.from;
    if (kind === 'attempt' && !early) this.#own.attempt(value);
    if (kind === 'event') {
      this.#own.event(recording, value);
      const records = recordsIn(value);
      if (records !== undefined) this.#heard.push({ of: 'references', at: Math.max(at, this.#options.from), records });
      const { type } = (value ?? {}) as { type?: unknown };
      if (stops.has(type)) this.#heard.push({ of: 'stop', at, stop: value as Stop });
    }
    if (kind === 'health') this.#keep('health', early, { of: 'health', at, health: value as HealthReading | HealthMissing });
    if (kind === 'balance') {
      const reading = value as BalanceReading;
      if (early) this.#earlier.set('balance', reading);
      else this.#balances.push(reading);
    }
  }

  /** Whether a poll of that run is the first one after another run. */
  isRestart(run: string): boolean {
    return run !== this.#run && this.#run !== '';
  }

  poll(poll: RecordedPoll): void {
    const restarted = this.isRestart(poll.run);
    const look = this.begin(poll);
    const changed = poll.changed.flatMap((change) => this.change(change, look) ?? []);
    const missed = this.#went(poll.gone, look, 'gone');
    const unshown = restarted && poll.complete ? this.#went(this.#unshown(poll), look, 'unseen') : [];
    this.finished(look, poll.changed.length + poll.gone.length, changed, [...missed, ...unshown]);
  }

  /** A poll is next; its changes and departures are told one by one, or it is told by `poll` as a whole. */
  begin(poll: PollTimes): Look {
    const absentAt = poll.first ? undefined : this.#lastComplete('beganAt');
    this.#run = poll.run;
    const index = this.#note(poll);
    return { index, beganAt: poll.beganAt, endedAt: poll.endedAt, absentAt, lastSeenAt: this.#lastCompleteBefore(poll) };
  }

  /** All of it was told: so many events, and what of them is of interest. */
  finished({ index }: Look, events: number, changed: readonly ListingChange[], gone: readonly ListingKey[]): void {
    this.#events += events;
    if (changed.length > 0 || gone.length > 0) this.#shown.push({ poll: index, changed, gone });
  }

  /** A listing was shown. */
  seen(number: number): void {
    this.#listings.add(number);
  }

  finish(): MarketHistory {
    const { from, to } = this.#options;
    this.#offers.finish(this.#lastComplete('beganAt') ?? from);
    const health = this.#earlier.get('health') as Heard | undefined;
    const balance = this.#earlier.get('balance') as BalanceReading | undefined;
    return {
      ...{ from, to, gaps: this.#gaps, offers: this.#offers, shown: this.#shown, events: this.#events },
      coverage: coverageOf(this.#completePolls, { from, to }, this.#gaps),
      polls: this.#polls,
      completePolls: this.#completePolls,
      heard: [...(health === undefined ? [] : [health]), ...this.#heard].toSorted((a, b) => a.at - b.at),
      balances: balance === undefined ? this.#balances : [balance, ...this.#balances],
      recordsKnown: this.#recordsKnown,
      attempts: this.#own.attempts,
      past: this.#own.past,
      listings: this.#listings.count,
      unreadable: this.#unreadable,
    };
  }

  #keep(name: string, early: boolean, heard: Heard): void {
    if (early) this.#earlier.set(name, heard);
    else this.#heard.push(heard);
  }

  #note({ beganAt, endedAt, complete, first }: PollTimes): number {
    this.#polls.endedAt.push(endedAt);
    this.#polls.complete.push(complete ? 1 : 0);
    this.#polls.first.push(first ? 1 : 0);
    if (complete) {
      this.#completePolls.beganAt.push(beganAt);
      this.#completePolls.endedAt.push(endedAt);
    }
    return this.#polls.beganAt.push(beganAt);
  }

  #lastComplete(edge: 'beganAt' | 'endedAt'): EpochMs | undefined {
    const times = this.#completePolls[edge];
    return times.length === 0 ? undefined : times.at(times.length - 1);
  }

  /** When the newest complete look but this one began: what was known then stood then. */
  #lastCompleteBefore({ complete, beganAt }: PollTimes): EpochMs {
    const times = this.#completePolls.beganAt;
    const index = times.length - (complete ? 2 : 1);
    return index < 0 ? beganAt : times.at(index);
  }

  /** Ends offers; gives the listings among them that were of interest. */
  #went(keys: readonly ListingKey[], { lastSeenAt, endedAt }: Look, how: OfferEnd): readonly ListingKey[] {
    const wanted = keys.filter((key) => this.#offers.leave(key));
    for (const key of keys) this.#offers.end(key, lastSeenAt, endedAt, how);
    return wanted;
  }

  /** Listings of the run before that the first look of this one does not show: they went while nobody watched. */
  #unshown({ changed }: RecordedPoll): readonly ListingKey[] {
    const shown = new Set(changed.map(({ key }) => key));
    return this.#offers.standingKeys().filter((key) => !shown.has(key));
  }

  /** The change as `step` is told it; undefined where it is of no interest. */
  change({ kind, key, at: shownAt, position, chunk, entry }: RecordedChange, look: Look): ListingChange | undefined {
    this.seen(this.#numbers.of(key));
    const { absentAt, lastSeenAt } = look;
    const at = Math.max(shownAt, look.beganAt);
    if (typeof entry !== 'string' && !this.#offers.wants(key)) {
      const { name, cost, steam } = entry;
      this.#offers.show({ key, name, cost, steam, at, absentAt, lastSeenAt });
      return undefined;
    }
    const read = readListing(keptJson(typeof entry === 'string' ? entry : entry.text()));
    if (!read.ok) {
      this.#unreadable += 1;
      return undefined;
    }
    const { listing } = read;
    this.#options.onListing?.(listing);
    this.#offers.show({ key, name: listing.name, cost: listing.cost, steam: listing.steam, at, absentAt, lastSeenAt });
    if (!this.#isOfInterest(listing)) return undefined;
    return { kind, listing, seenAt: at, position, chunk, raw: undefined };
  }

  /** What was of interest is followed until it is not any more: the change that makes it so has to be seen. */
  #isOfInterest(listing: Listing): boolean {
    if (this.#options.interest(listing)) {
      this.#offers.want(listing.key);
      return true;
    }
    return this.#offers.leave(listing.key);
  }
}
