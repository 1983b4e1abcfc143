import type { EpochMs } from '../domain/clock.ts';
import type { ListingKey } from '../domain/listing.ts';
import type { BadEntry, ListingChange, SnapshotChange, SnapshotTrouble } from '../engine/snapshot.ts';
import { ItemBindings } from './bindings.ts';
import { LISTINGS_MAX, LengthMemory, countContradiction, manyBad, pricesJumped, tooMany } from './common-sense.ts';
import { type Entries, ReadAnew } from './entry.ts';
import { Known } from './known.ts';
import { samePrice } from './same.ts';
import { type BadSighting, type Sighting, type Sightings, goodCount, readEntries } from './sightings.ts';

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
  #badBefore: ReadonlySet<string> = new Set();
  #judged = false;
  #unchangedInARow = 0;

  constructor(entries: Entries = new ReadAnew()) {
    this.#entries = entries;
  }

  /** Takes the answers in the order in which they were asked for. */
  apply(answer: Answer): SnapshotChange {
    const seen = readEntries(++this.#answered, answer.listings.slice(0, LISTINGS_MAX), this.#known, this.#entries);
    const jump = pricesJumped(seen);
    if (jump) return this.#nothing(answer, jump);

    this.#bindings.dropReused(seen, this.#known);
    const length = answer.listings.length;
    const doubt = tooMany(length) ?? countContradiction(answer.listingsCount, length) ?? this.#lengths.judge(length);
    const complete = doubt === undefined;
    const first = !this.#judged;
    this.#judged = true;
    if (complete) this.#lengths.believe(length);

    const changed = [...seen.different.values()].map((sighting) => changeOf(sighting, answer.receivedAt ?? answer.endedAt));
    const gone = this.#gone(seen, complete);
    const bad = this.#badEntries(seen.bad);
    this.#learn(seen, gone);
    const still = complete && changed.length === 0 && gone.length === 0;
    this.#unchangedInARow = still ? this.#unchangedInARow + 1 : 0;
    return {
      ...times(answer),
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

  #nothing(answer: Answer, trouble: SnapshotTrouble): SnapshotChange {
    const none = { changed: [], gone: [], bad: [], badCount: 0, unchangedInARow: 0 };
    return { ...times(answer), ...none, first: !this.#judged, complete: false, trouble };
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

  #learn({ different }: Sightings, gone: readonly ListingKey[]): void {
    for (const key of gone) {
      const listing = this.#known.forget(key);
      if (listing) this.#bindings.keep(key, listing.itemId);
    }
    for (const { listing } of different.values()) this.#known.learn(listing);
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

function changeOf({ listing, before, raw, position }: Sighting, seenAt: EpochMs): ListingChange {
  const kind = before === undefined ? 'appeared' : samePrice(before, listing) ? 'changed' : 'repriced';
  return { kind, listing, seenAt, position, chunk: 0, raw };
}

function times(answer: Answer): Pick<SnapshotChange, 'pollSeq' | 'beganAt' | 'endedAt' | 'count'> {
  return { pollSeq: answer.pollSeq, beganAt: answer.beganAt, endedAt: answer.endedAt, count: answer.listings.length };
}
