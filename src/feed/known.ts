import type { Listing, ListingKey } from '../domain/listing.ts';

/** Of marks, two for each slot. */
const LEAST_ROOM = 2_048;

/**
 * The listings that are known, in the order in which they came to be. Each has a slot for as long as it is known. What an answer
 * shows is noted by slot, in lists of their own: most listings of an answer are as they were, and of those nothing is looked into.
 */
export class Known {
  readonly #slots = new Map<ListingKey, number>();
  readonly #listings: (Listing | undefined)[] = [];
  /** Two for each slot, beside each other: the count of what has stood in it, and the answer that showed the listing last. */
  #marks = new Int32Array(LEAST_ROOM);
  /** What the first entry of an answer said it was; undefined where it is what is known. */
  readonly #seenAs: (Listing | undefined)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#slots.size;
  }

  slotOf(key: ListingKey): number | undefined {
    return this.#slots.get(key);
  }

  listingAt(slot: number): Listing | undefined {
    return this.#listings[slot];
  }

  versionAt(slot: number): number {
    return this.#marks[2 * slot] ?? 0;
  }

  /** What the first entry of the answer said that this listing was; undefined when none did. */
  seenAs(slot: number, answer: number): Listing | undefined {
    return this.#isSeen(slot, answer) ? (this.#seenAs[slot] ?? this.#listings[slot]) : undefined;
  }

  see(slot: number, answer: number, listing: Listing): void {
    this.#marks[2 * slot + 1] = answer;
    this.#seenAs[slot] = listing;
  }

  /** Notes that the answer shows the listing as it was; false when it is another by now, or the answer has shown it before. */
  seeAgain(slot: number, version: number, answer: number): boolean {
    if (this.versionAt(slot) !== version || this.#isSeen(slot, answer)) return false;
    this.#marks[2 * slot + 1] = answer;
    // Most slots hold nothing there, and to look costs less than to write.
    if (this.#seenAs[slot] !== undefined) this.#seenAs[slot] = undefined;
    return true;
  }

  unsee(slot: number): void {
    this.#marks[2 * slot + 1] = 0;
  }

  /** Keys of the listings that the answer did not show, or showed to be bad; oldest first. */
  unseen(answer: number): ListingKey[] {
    const keys: ListingKey[] = [];
    for (const [key, slot] of this.#slots) if (!this.#isSeen(slot, answer)) keys.push(key);
    return keys;
  }

  learn(listing: Listing): void {
    const { key } = listing;
    let slot = this.#slots.get(key);
    if (slot === undefined) {
      slot = this.#free.pop() ?? this.#listings.length;
      this.#slots.set(key, slot);
    }
    this.#put(slot, listing);
  }

  /** What it was; undefined when it was not known. */
  forget(key: ListingKey): Listing | undefined {
    const slot = this.#slots.get(key);
    if (slot === undefined) return undefined;
    const listing = this.#listings[slot];
    this.#slots.delete(key);
    this.#put(slot, undefined);
    this.#free.push(slot);
    return listing;
  }

  #put(slot: number, listing: Listing | undefined): void {
    this.#listings[slot] = listing;
    if (2 * slot >= this.#marks.length) {
      const marks = new Int32Array(2 * this.#marks.length);
      marks.set(this.#marks);
      this.#marks = marks;
    }
    this.#marks[2 * slot] = this.versionAt(slot) + 1;
    this.#marks[2 * slot + 1] = 0;
    this.#seenAs[slot] = undefined;
  }

  #isSeen(slot: number, answer: number): boolean {
    return this.#marks[2 * slot + 1] === answer;
  }
}
