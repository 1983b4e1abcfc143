import type { EpochMs } from '../domain/clock.ts';
import type { ListingChange } from '../engine/snapshot.ts';
import { type BadListing, type Listing, type ListingKey, listingKey } from '../domain/listing.ts';
import type { Entries } from './entry.ts';
import type { Known } from './known.ts';
import { sameListing, samePrice } from './same.ts';

/** A sound listing that is new, or different from what its id was known for. */
export interface Sighting {
  readonly listing: Listing;
  /** undefined when it was not known. */
  readonly before: Listing | undefined;
  readonly raw: unknown;
  /** Its place in the answer, from 0; the first one where the answer repeats it. */
  readonly position: number;
}

/** An entry of an answer that cannot be judged. */
export interface BadSighting {
  readonly bad: BadListing;
  /** undefined when its market or id cannot be read. */
  readonly key: ListingKey | undefined;
  readonly raw: unknown;
  readonly position: number;
}

/** One answer, entry by entry. Of the listings that are known, `Known` itself remembers which were seen as they were. */
export interface Sightings {
  /** Counts the answers. */
  readonly answer: number;
  /** How many of the sound listings are known, and are as they were. */
  unchanged: number;
  /** Those that are new or different, in the answer's order. */
  readonly different: Map<ListingKey, Sighting>;
  readonly bad: BadSighting[];
}

/** How many listings of the answer are sound. */
export function goodCount({ unchanged, different }: Sightings): number {
  return unchanged + different.size;
}

/** Texts of a bad entry are kept to be shown, not to be read in full. */
const SHOWN_MAX = 100;

/**
 * Reads the entries of one answer in their order, as they come. An entry repeated word for word counts once; as soon as two copies of
 * one (market, id) differ in anything a strategy could tell, or one of them is bad, none of them is good.
 */
export class Reading {
  /** While the answer arrives, those that are `isDoubted` still stand among the good ones. */
  readonly seen: Sightings;
  readonly #known: Known;
  readonly #entries: Entries;
  readonly #doubted = new Set<ListingKey>();
  readonly #contradicted = new Set<ListingKey>();
  /** Those that are new or different, in the answer's order. */
  readonly different: Sighting[] = [];
  #list: readonly unknown[] = [];
  #count = 0;

  readonly #isAsItWas: (slot: number, version: number) => boolean;

  constructor(answer: number, known: Known, entries: Entries, expected: number) {
    this.seen = { answer, unchanged: 0, different: new Map(), bad: [] };
    this.#known = known;
    this.#entries = entries;
    this.#isAsItWas = (slot, version) => known.seeAgain(slot, version, answer);
    entries.begin(expected);
  }

  /** How many entries have been read. */
  get count(): number {
    return this.#count;
  }

  /** How many listings that had looked sound turned out not to be, or look bad from the start. */
  get doubted(): number {
    return this.#doubted.size;
  }

  /** Whether an entry of the answer keeps this listing from being a good one. */
  isDoubted(key: ListingKey): boolean {
    return this.#doubted.has(key);
  }

  /** Whether the list begins with the very entries that have been read. */
  goesOnIn(list: readonly unknown[]): boolean {
    if (list === this.#list) return true;
    for (let at = 0; at < this.#count; at++) if (list[at] !== this.#list[at]) return false;
    return true;
  }

  /** Reads on, up to the list's `end`th entry, in a list in which this reading goes on. */
  readOn(list: readonly unknown[], end = list.length): void {
    this.#list = list;
    while (this.#count < end) {
      const same = this.#entries.goOver(list, this.#count, end, this.#isAsItWas);
      this.seen.unchanged += same;
      this.#count += same;
      if (this.#count < end) this.#read(list[this.#count], this.#count++);
    }
  }

  /** The answer is whole. */
  end(): Sightings {
    for (const key of this.#doubted) removeGood(this.seen, key, this.#known);
    this.#entries.end();
    return this.seen;
  }

  #read(raw: unknown, position: number): void {
    const { seen } = this;
    const [known, entries] = [this.#known, this.#entries];
    entries.go(raw);
    if (entries.slot >= 0 && known.seeAgain(entries.slot, entries.version, seen.answer)) {
      seen.unchanged++;
      return;
    }
    const read = entries.read();
    if (!read.ok) {
      const key = keyOf(raw);
      seen.bad.push({ bad: read.bad, key, raw, position });
      if (key !== undefined) this.#doubted.add(key);
      return;
    }
    const { listing } = read;
    const slot = known.slotOf(listing.key);
    const twin = slot === undefined ? seen.different.get(listing.key)?.listing : known.seenAs(slot, seen.answer);
    if (twin) return this.#repeated(twin, listing, raw, position);
    const before = slot === undefined ? undefined : known.listingAt(slot);
    if (slot !== undefined) known.see(slot, seen.answer, listing);
    if (slot !== undefined && before && (before === listing || sameListing(before, listing))) {
      entries.shows(slot, known.versionAt(slot));
      seen.unchanged++;
      return;
    }
    const sighting = { listing, before, raw, position };
    seen.different.set(listing.key, sighting);
    this.different.push(sighting);
  }

  #repeated(twin: Listing, listing: Listing, raw: unknown, position: number): void {
    const { key } = listing;
    if (twin === listing || sameListing(twin, listing) || this.#contradicted.has(key)) return;
    this.#contradicted.add(key);
    this.#doubted.add(key);
    this.seen.bad.push({ bad: contradiction(twin, listing), key, raw, position });
  }
}

/** What was taken for good turns out not to be. */
export function removeGood(seen: Sightings, key: ListingKey, known: Known): void {
  const slot = known.slotOf(key);
  if (!seen.different.delete(key) && slot !== undefined && known.seenAs(slot, seen.answer)) seen.unchanged--;
  if (slot !== undefined) known.unsee(slot);
}

/** The (market, id) an entry claims; undefined when either is not text. */
function keyOf(raw: unknown): ListingKey | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined;
  const { market, id } = raw as { market?: unknown; id?: unknown };
  return typeof market === 'string' && typeof id === 'string' ? listingKey(market, id) : undefined;
}

function contradiction(first: Listing, second: Listing): BadListing {
  if (samePrice(first, second)) return judgedBad(first, 'the same id twice in one snapshot, and the two differ');
  return judgedBad(first, `two prices for one id in one snapshot: ${first.priceWithFee} and ${second.priceWithFee}`);
}

/** A listing that is sound in itself, but not to be judged for the given reason. */
export function judgedBad(listing: Listing, reason: string): BadListing {
  const { id, market, name } = listing;
  return { reason, id: id.slice(0, SHOWN_MAX), market: market.slice(0, SHOWN_MAX), name: name.slice(0, SHOWN_MAX) };
}

/** `look`: the how-manyeth look at the answer while it arrived; 0 for the whole of it. */
export function changeOf({ listing, before, raw, position }: Sighting, seenAt: EpochMs, look: number): ListingChange {
  const kind = before === undefined ? 'appeared' : samePrice(before, listing) ? 'changed' : 'repriced';
  return { kind, listing, seenAt, position, chunk: look, raw };
}
