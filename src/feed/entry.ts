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

/** An entry is looked for so far from where it should stand before it is looked up. */
const REACH = 8;
/** Places of entries that stand far from where they should are searched for, so many times an answer. */
const SEARCHES_MAX = 50;

/**
 * Reads each entry once, for a feed that hands on the very same object for as long as the service sends the same bytes. Most stand
 * where they stood in the answer before, so they are found without looking into them.
 */
export class EntryMemory implements Entries {
  readonly #known = new WeakMap<object, Entry>();
  #before = new Seen();
  #now = new Seen();
  #place = 0;
  #searches = 0;

  begin(): void {
    this.#before = this.#now;
    this.#now = new Seen();
    this.#place = 0;
    this.#searches = 0;
  }

  read(raw: unknown): Entry {
    const entry = this.#nearby(raw) ?? this.#lookedUp(raw);
    this.#now.raws.push(raw);
    this.#now.entries.push(entry);
    return entry;
  }

  #nearby(raw: unknown): Entry | undefined {
    const { raws, entries } = this.#before;
    const last = Math.min(this.#place + REACH, raws.length);
    for (let place = this.#place; place < last; place++) {
      if (raws[place] !== raw) continue;
      this.#place = place + 1;
      return entries[place];
    }
    return undefined;
  }

  #lookedUp(raw: unknown): Entry {
    if (typeof raw !== 'object' || raw === null) return readAnew.read(raw);
    const known = this.#known.get(raw);
    if (known) {
      if (this.#searches++ < SEARCHES_MAX) this.#place = this.#before.raws.indexOf(raw, this.#place) + 1 || this.#place;
      return known;
    }
    const entry = readAnew.read(raw);
    this.#known.set(raw, entry);
    return entry;
  }
}

/** The entries of one answer, as they came and as they were read. */
class Seen {
  readonly raws: unknown[] = [];
  readonly entries: Entry[] = [];
}
