import { type ReadListing, readListing } from '../strategy/read-listing.ts';
import type { Held } from './known.ts';

/** An entry of an answer as it was read. */
export interface Entry {
  readonly read: ReadListing;
  /** The known listing that it showed when it was last seen, and nothing else; undefined when that was not yet told. */
  held: Held | undefined;
}

/** Reads the entries of one answer after another. */
export interface Entries {
  /** Another answer begins. */
  begin(): void;
  read(raw: unknown): Entry;
}

/** Reads each entry of each answer. */
export const readAnew: Entries = {
  begin: () => undefined,
  read: (raw) => ({ read: readListing(raw), held: undefined }),
};

/** An entry is looked for so far from where it should stand. */
const REACH = 8;
/** Entries in a row that were not found there before all places are searched; from then on they are. */
const LOST_AFTER = 8;
/** Searches in a row without a find before most entries are read without one. */
const HOPELESS_AFTER = 64;
const SEARCHED_WHEN_HOPELESS = 16;

/**
 * Reads an entry once, for a feed that hands on the very same object for as long as the service sends the same bytes. Most stand
 * where they stood in the answer before, so they are found without looking into them. One that is not found is read again, and
 * comes to the same.
 */
export class EntryMemory implements Entries {
  #before = new Seen();
  #now = new Seen();
  #place = 0;
  #missed = 0;

  begin(): void {
    this.#before = this.#now;
    this.#now = new Seen();
    this.#place = 0;
    this.#missed = 0;
  }

  read(raw: unknown): Entry {
    const place = this.#nearby(raw) ?? this.#anywhere(raw);
    if (place === undefined) this.#missed++;
    else {
      this.#missed = 0;
      this.#place = place + 1;
    }
    const entry = (place === undefined ? undefined : this.#before.entries[place]) ?? readAnew.read(raw);
    this.#now.raws.push(raw);
    this.#now.entries.push(entry);
    return entry;
  }

  #nearby(raw: unknown): number | undefined {
    const { raws } = this.#before;
    const last = Math.min(this.#place + REACH, raws.length);
    for (let place = this.#place; place < last; place++) if (raws[place] === raw) return place;
    return undefined;
  }

  #anywhere(raw: unknown): number | undefined {
    if (this.#missed < LOST_AFTER && !this.#before.isSearched) return undefined;
    if (this.#missed > HOPELESS_AFTER && this.#missed % SEARCHED_WHEN_HOPELESS !== 0) return undefined;
    return this.#before.placeOf(raw);
  }
}

/** The entries of one answer, as they came and as they were read. */
class Seen {
  readonly raws: unknown[] = [];
  readonly entries: Entry[] = [];
  #places: Map<unknown, number> | undefined;

  get isSearched(): boolean {
    return this.#places !== undefined;
  }

  placeOf(raw: unknown): number | undefined {
    this.#places ??= new Map(this.raws.map((one, place) => [one, place]));
    return this.#places.get(raw);
  }
}
