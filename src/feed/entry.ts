import { type ReadListing, readListing } from '../strategy/read-listing.ts';

/** Reads the entries of one answer after another. */
export interface Entries {
  /** Another answer begins. */
  begin(): void;
  /** Goes on to the next entry. */
  next(raw: unknown): void;
  /** The slot of the known listing that this very entry showed in the answer before, and which listing it was; −1: none. */
  readonly slot: number;
  readonly version: number;
  /** The entry, read. */
  read(): ReadListing;
  /** It shows what is known under that slot. */
  shows(slot: number, version: number): void;
}

/** Reads each entry of each answer. */
export class ReadAnew implements Entries {
  readonly slot = -1;
  readonly version = 0;
  #raw: unknown;

  begin(): void {
    this.#raw = undefined;
  }

  next(raw: unknown): void {
    this.#raw = raw;
  }

  read(): ReadListing {
    return readListing(this.#raw);
  }

  shows(): void {
    // The next answer brings other objects.
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
  #before = new Seen();
  #now = new Seen();
  #place = 0;
  #missed = 0;
  slot = -1;
  version = 0;

  begin(): void {
    this.#before = this.#now;
    this.#now = new Seen();
    this.#place = 0;
    this.#missed = 0;
  }

  next(raw: unknown): void {
    const place = this.#nearby(raw) ?? this.#anywhere(raw);
    const found = place !== undefined;
    this.slot = found ? (this.#before.slots[place] ?? -1) : -1;
    this.version = found ? (this.#before.versions[place] ?? 0) : 0;
    this.#now.add(raw, found ? this.#before.reads[place] : undefined, this.slot, this.version);
    this.#missed = found ? 0 : this.#missed + 1;
    if (found) this.#place = place + 1;
  }

  read(): ReadListing {
    const { raws, reads } = this.#now;
    const last = raws.length - 1;
    return (reads[last] ??= readListing(raws[last]));
  }

  shows(slot: number, version: number): void {
    const { slots, versions } = this.#now;
    slots[slots.length - 1] = slot;
    versions[versions.length - 1] = version;
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
  readonly slots: number[] = [];
  readonly versions: number[] = [];
  #places: Map<unknown, number> | undefined;

  add(raw: unknown, read: ReadListing | undefined, slot: number, version: number): void {
    this.raws.push(raw);
    this.reads.push(read);
    this.slots.push(slot);
    this.versions.push(version);
  }

  get isSearched(): boolean {
    return this.#places !== undefined;
  }

  placeOf(raw: unknown): number | undefined {
    this.#places ??= new Map(this.raws.map((one, place) => [one, place]));
    return this.#places.get(raw);
  }
}
