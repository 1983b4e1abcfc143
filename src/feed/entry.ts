import { type ReadListing, readListing } from '../strategy/read-listing.ts';

/** Reads the entries of one answer after another. */
export interface Entries {
  /** Another answer begins, of about so many entries. One that had begun and not ended is as if it had never come. */
  begin(count: number): void;
  /**
   * Goes over the list's next entries, up to the `end`th, for as long as each stands where it stood in the answer before, showing a known
   * listing then, and `isKnown` says that it still does; returns how many those are.
   */
  goOver(list: readonly unknown[], from: number, end: number, isKnown: (slot: number, version: number) => boolean): number;
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

  goOver(): number {
    return 0;
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
/** Entries in a row that were not found there before one is looked for everywhere; of a long answer, more. */
const LOST_AFTER = 8;
const LOST_AFTER_PART = 64;
/** From then on one of so many is, until one was found: then all places are made searchable. */
const LOOKED_FOR_EVERYWHERE = 64;
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

  goOver(list: readonly unknown[], from: number, end: number, isKnown: (slot: number, version: number) => boolean): number {
    const { raws, slots, versions } = this.#before;
    const shift = this.#place - from;
    const last = Math.min(end, raws.length - shift);
    let at = from;
    for (; at < last; at++) {
      const raw = list[at];
      const place = at + shift;
      const [slot, version] = [slots[place] as number, versions[place] as number];
      if (raws[place] !== raw || slot < 0 || !isKnown(slot, version)) break;
      // How it was read is hardly ever asked for again.
      this.#now.add(raw, undefined, slot, version);
    }
    const count = at - from;
    if (count > 0) this.#missed = 0;
    this.#place += count;
    this.#position += count;
    return count;
  }

  go(raw: unknown): void {
    const place = this.#find(raw);
    this.#position++;
    if (place < 0) {
      this.#missed++;
      [this.slot, this.version] = [-1, 0];
    } else {
      this.#missed = 0;
      this.#place = place + 1;
      this.slot = this.#before.slots[place] ?? -1;
      this.version = this.#before.versions[place] ?? 0;
    }
    this.#now.add(raw, this.#before.reads[place], this.slot, this.version);
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

  /** Where it stood; −1: nowhere. */
  #find(raw: unknown): number {
    const { raws } = this.#before;
    const last = Math.min(this.#place + REACH, raws.length);
    for (let place = this.#place; place < last; place++) if (raws[place] === raw) return place;
    return this.#anywhere(raw) ?? -1;
  }

  #anywhere(raw: unknown): number | undefined {
    const missed = this.#missed - Math.max(LOST_AFTER, this.#before.raws.length / LOST_AFTER_PART);
    if (!this.#before.isSearched) {
      if (missed < 0 || Math.floor(missed) % LOOKED_FOR_EVERYWHERE !== 0 || !this.#before.raws.includes(raw)) return undefined;
    } else if (missed > HOPELESS_AFTER && this.#missed % SEARCHED_WHEN_HOPELESS !== 0) return undefined;
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

  add(raw: unknown, read: ReadListing | undefined, slot: number, version: number): void {
    const position = this.raws.length;
    if (position >= this.slots.length) {
      this.slots = larger(this.slots);
      this.versions = larger(this.versions);
    }
    this.raws.push(raw);
    this.reads.push(read);
    this.slots[position] = slot;
    this.versions[position] = version;
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
