import { type ReadListing, readListing } from '../strategy/read-listing.ts';

/** Reads the entries of one answer after another. */
export interface Entries {
  /** Another answer begins, of about so many entries. One that had begun and not ended is as if it had never come. */
  begin(count: number): void;
  /** Goes to the next entry. */
  go(raw: unknown): void;
  /** The slot of the known listing that this very entry showed in the answer before, and which listing it was; −1: none. */
  readonly slot: number;
  readonly version: number;
  /** The entry, read. */
  read(): ReadListing;
  /** It shows what is known under that slot. */
  shows(slot: number, version: number): void;
  /** The answer is whole: it is the one before the next. */
  end(): void;
}

/** Reads each entry of each answer. */
export class ReadAnew implements Entries {
  readonly slot = -1;
  readonly version = 0;
  #raw: unknown;

  begin(): void {
    this.#raw = undefined;
  }

  go(raw: unknown): void {
    this.#raw = raw;
  }

  read(): ReadListing {
    return readListing(this.#raw);
  }

  shows(): void {
    // The next answer brings other objects.
  }

  end(): void {
    this.#raw = undefined;
  }
}

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
  #before = new Seen(0);
  #now = new Seen(0);
  #position = -1;
  /** Where the next entry should have stood in the answer before. */
  #place = 0;
  #missed = 0;
  slot = -1;
  version = 0;

  begin(count: number): void {
    this.#now = new Seen(count);
    this.#position = -1;
    this.#place = 0;
    this.#missed = 0;
  }

  go(raw: unknown): void {
    this.#position++;
    this.#now.add(raw);
    const place = this.#nearby(raw) ?? this.#anywhere(raw);
    this.#now.reads[this.#position] = place === undefined ? undefined : this.#before.reads[place];
    if (place === undefined) {
      this.#missed++;
      this.shows(-1, 0);
      return;
    }
    this.#missed = 0;
    this.#place = place + 1;
    this.shows(this.#before.slots[place] ?? -1, this.#before.versions[place] ?? 0);
  }

  read(): ReadListing {
    const { raws, reads } = this.#now;
    return (reads[this.#position] ??= readListing(raws[this.#position]));
  }

  shows(slot: number, version: number): void {
    this.slot = slot;
    this.version = version;
    this.#now.slots[this.#position] = slot;
    this.#now.versions[this.#position] = version;
  }

  end(): void {
    this.#before = this.#now;
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

/** The entries of one answer, as they came, as they were read, and what they showed. */
class Seen {
  readonly raws: unknown[] = [];
  readonly reads: (ReadListing | undefined)[] = [];
  slots: Int32Array;
  versions: Int32Array;
  #places: Map<unknown, number> | undefined;

  /** With room for so many; more make it grow. */
  constructor(count: number) {
    this.slots = new Int32Array(count);
    this.versions = new Int32Array(count);
  }

  get isSearched(): boolean {
    return this.#places !== undefined;
  }

  add(raw: unknown): void {
    this.raws.push(raw);
    if (this.raws.length <= this.slots.length) return;
    this.slots = larger(this.slots);
    this.versions = larger(this.versions);
  }

  placeOf(raw: unknown): number | undefined {
    this.#places ??= new Map(this.raws.map((one, place) => [one, place]));
    return this.#places.get(raw);
  }
}

const LEAST_ROOM = 1_024;

function larger(list: Int32Array): Int32Array {
  const grown = new Int32Array(Math.max(LEAST_ROOM, 2 * list.length));
  grown.set(list);
  return grown;
}
