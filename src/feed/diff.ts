import type { EpochMs } from '../domain/clock.ts';
import type { Listing, ListingKey } from '../domain/listing.ts';
import type { BadEntry, EarlyChange, SnapshotChange } from '../engine/snapshot.ts';
import { ItemBindings } from './bindings.ts';
import { LISTINGS_MAX, LengthMemory, countContradiction, manyBad, pricesJumped, tooMany } from './common-sense.ts';
import { Early } from './early.ts';
import { type Entries, ReadAnew } from './entry.ts';
import { Known } from './known.ts';
import { type BadSighting, Reading, type Sightings, changeOf, goodCount } from './sightings.ts';

/** One whole answer of the live feed, parsed but not judged. */
export interface Answer {
  readonly pollSeq: number;
  readonly beganAt: EpochMs;
  readonly endedAt: EpochMs;
  /** When its last byte was there; undefined where that is not known apart from its end. */
  readonly receivedAt?: EpochMs | undefined;
  readonly listings: readonly unknown[];
  /** The service's own count, as received. */
  readonly listingsCount: unknown;
}

type Times = Pick<Answer, 'pollSeq' | 'beganAt' | 'endedAt'>;

/** Bad entries handed on with their details; all of them are counted. */
const BAD_DETAILS_MAX = 100;

/**
 * Holds each answer against what was known before. Its memory is bounded: what is gone from a complete answer is forgotten,
 * and of what incomplete answers left over the oldest goes first.
 *
 * An answer that contradicts itself (its count, a sudden emptiness) still shows each listing in it whole, and a purchase
 * binds the exact price, so those are judged; only what is missing from it means nothing.
 */
export class ListingsDiff {
  readonly #entries: Entries;
  readonly #known = new Known();
  readonly #bindings = new ItemBindings();
  readonly #lengths = new LengthMemory();
  #answered = 0;
  #length = 0;
  /** The last poll whose answer has ended, however. */
  #ended = 0;
  #badBefore: ReadonlySet<string> = new Set();
  #judged = false;
  #unchangedInARow = 0;
  /** What has been handed on of an answer that still arrives. */
  #early: Early | undefined;

  constructor(entries: Entries = new ReadAnew()) {
    this.#entries = entries;
  }

  /**
   * Looks at an answer that still arrives, as if it had ended after these listings; with the same list, grown, each time. Returns what
   * can be told for sure by now and was not yet. The same answer is to be given to `apply` when it is whole, or to `brokenOff`.
   */
  early({ pollSeq, listings }: Pick<Answer, 'pollSeq' | 'listings'>, at: EpochMs): EarlyChange | undefined {
    // The first answer says what stands, and is judged whole; one that has ended shows nothing more.
    if (!this.#judged || pollSeq <= this.#ended) return undefined;
    const [bindings, known] = [this.#bindings, this.#known.size];
    this.#early ??= new Early({ pollSeq, reading: this.#reading(this.#length), bindings, known });
    if (this.#early.pollSeq !== pollSeq || !this.#early.reading.goesOnIn(listings)) return undefined;
    this.#early.reading.readOn(listings, Math.min(listings.length, LISTINGS_MAX));
    return this.#early.look(at);
  }

  /** The answer that arrived has come to nothing; returns what had been handed on of it, which is known from now on. */
  brokenOff(answer: Times): SnapshotChange | undefined {
    const early = this.#end(answer.pollSeq);
    const change = early && this.#handedOn(early);
    if (early === undefined || change === undefined) return undefined;
    return { ...nothing(answer, early.reading.count), ...change, first: false };
  }

  /** Takes the answers in the order in which they were asked for. */
  apply(answer: Answer): SnapshotChange {
    const early = this.#end(answer.pollSeq);
    const seen = this.#read(answer.listings, early);
    const jump = pricesJumped(seen);
    const { length } = answer.listings;
    if (jump) return { ...nothing(answer, length), ...(early && this.#handedOn(early)), first: !this.#judged, trouble: jump };

    this.#bindings.dropReused(seen, this.#known);
    const doubt = tooMany(length) ?? countContradiction(answer.listingsCount, length) ?? this.#lengths.judge(length);
    const complete = doubt === undefined;
    const first = !this.#judged;
    this.#judged = true;
    if (complete) this.#lengths.believe(length);

    const changed = [...seen.different.values()].map(
      (sighting) => early?.asHandedOn(sighting) ?? changeOf(sighting, answer.receivedAt ?? answer.endedAt, 0),
    );
    const gone = [...new Set([...this.#gone(seen, complete), ...(early?.missingIn(seen.different) ?? [])])];
    const bad = this.#badEntries(seen.bad);
    this.#learn(
      changed.map(({ listing }) => listing),
      gone,
    );
    const still = complete && changed.length === 0 && gone.length === 0;
    this.#unchangedInARow = still ? this.#unchangedInARow + 1 : 0;
    return {
      ...times(answer),
      count: length,
      first,
      complete,
      changed,
      gone,
      bad,
      badCount: seen.bad.length,
      unchangedInARow: this.#unchangedInARow,
      trouble: doubt ?? manyBad(seen.bad.length, length),
    };
  }

  #end(pollSeq: number): Early | undefined {
    const early = this.#early;
    this.#early = undefined;
    this.#ended = pollSeq;
    return early;
  }

  #reading(expected: number): Reading {
    return new Reading(++this.#answered, this.#known, this.#entries, expected);
  }

  /** What has been read while the answer arrived is not read again, if this is what it has come to. */
  #read(listings: readonly unknown[], early: Early | undefined): Sightings {
    this.#length = Math.min(listings.length, LISTINGS_MAX);
    const reading = early?.reading.goesOnIn(listings) === true ? early.reading : this.#reading(this.#length);
    reading.readOn(listings, this.#length);
    return reading.end();
  }

  /** What was handed on early of an answer of which nothing else is judged. */
  #handedOn(early: Early): Pick<SnapshotChange, 'changed' | 'gone'> | undefined {
    early.end();
    const [changed, gone] = [early.standing, [...early.takenBack]];
    if (changed.length === 0 && gone.length === 0) return undefined;
    this.#learn(
      changed.map(({ listing }) => listing),
      gone,
    );
    this.#unchangedInARow = 0;
    return { changed, gone };
  }

  #gone(seen: Sightings, complete: boolean): ListingKey[] {
    const gone = new Set<ListingKey>(complete ? this.#known.unseen(seen.answer) : []);
    for (const { key } of seen.bad) if (key !== undefined && this.#known.slotOf(key) !== undefined) gone.add(key);
    for (const key of this.#overflow(seen, gone)) gone.add(key);
    return [...gone];
  }

  /** What must be forgotten, oldest first, so that what incomplete answers left over does not grow without bound. */
  #overflow(seen: Sightings, gone: ReadonlySet<ListingKey>): ListingKey[] {
    const good = goodCount(seen);
    if (this.#known.size + good <= LISTINGS_MAX) return [];
    const left = this.#known.unseen(seen.answer).filter((key) => !gone.has(key));
    return left.slice(0, Math.max(0, left.length + good - LISTINGS_MAX));
  }

  #learn(changed: readonly Listing[], gone: readonly ListingKey[]): void {
    for (const key of gone) {
      const listing = this.#known.forget(key);
      if (listing) this.#bindings.keep(key, listing.itemId);
    }
    for (const listing of changed) this.#known.learn(listing);
  }

  #badEntries(bad: readonly BadSighting[]): BadEntry[] {
    const now = new Set<string>();
    const entries = bad.slice(0, BAD_DETAILS_MAX).map(({ bad: listing, key, raw, position }) => {
      const trouble = `${key ?? ''} ${listing.reason}`;
      const fresh = !this.#badBefore.has(trouble) && !now.has(trouble);
      now.add(trouble);
      return { ...listing, key, raw, position, fresh };
    });
    this.#badBefore = now;
    return entries;
  }
}

function nothing(answer: Times, count: number): Omit<SnapshotChange, 'first'> {
  const none = { changed: [], gone: [], bad: [], badCount: 0, unchangedInARow: 0, trouble: undefined };
  return { ...times(answer), ...none, count, complete: false };
}

function times({ pollSeq, beganAt, endedAt }: Times): Times {
  return { pollSeq, beganAt, endedAt };
}
