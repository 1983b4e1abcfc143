import type { Listing, ListingKey } from '../domain/listing.ts';

/**
 * The listings that are known, in the order in which they came to be. Each has a slot for as long as it is known. What an answer
 * shows is noted by slot, in lists of their own: most listings of an answer are as they were, and of those nothing is looked into.
 */
export class Known {
  readonly #slots = new Map<ListingKey, number>();
  readonly #listings: (Listing | undefined)[] = [];
  /** Counts what has stood in the slot. */
  readonly #versions: number[] = [];
  /** The answer that showed the listing last. */
  readonly #seenIn: number[] = [];
  /** What the first entry of that answer said it was. */
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
    return this.#versions[slot] ?? 0;
  }

  /** What the first entry of the answer said that this listing was; undefined when none did. */
  seenAs(slot: number, answer: number): Listing | undefined {
    return this.#seenIn[slot] === answer ? this.#seenAs[slot] : undefined;
  }

  see(slot: number, answer: number, listing: Listing): void {
    this.#seenIn[slot] = answer;
    this.#seenAs[slot] = listing;
  }

  /** Notes that the answer shows the listing as it was; false when it is another by now, or the answer has shown it before. */
  seeAgain(slot: number, version: number, answer: number): boolean {
    if (this.#versions[slot] !== version || this.#seenIn[slot] === answer) return false;
    this.#seenIn[slot] = answer;
    this.#seenAs[slot] = this.#listings[slot];
    return true;
  }

  unsee(slot: number): void {
    this.#seenIn[slot] = 0;
  }

  /** Keys of the listings that the answer did not show, or showed to be bad; oldest first. */
  unseen(answer: number): ListingKey[] {
    const keys: ListingKey[] = [];
    for (const [key, slot] of this.#slots) if (this.#seenIn[slot] !== answer) keys.push(key);
    return keys;
  }

  learn(listing: Listing): void {
    const slot = this.#slots.get(listing.key) ?? this.#free.pop() ?? this.#listings.length;
    this.#slots.set(listing.key, slot);
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
    this.#versions[slot] = this.versionAt(slot) + 1;
    this.#seenIn[slot] = 0;
    this.#seenAs[slot] = undefined;
  }
}
