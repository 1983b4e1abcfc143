import type { EpochMs } from '../domain/clock.ts';
import type { Listing, ListingKey } from '../domain/listing.ts';

interface Word {
  readonly listing: Listing;
  /** When it was told. */
  readonly at: EpochMs;
}

/** Listings, by key and by item. */
export class ByItem {
  readonly #words = new Map<ListingKey, Word>();
  readonly #items = new Map<string, Set<ListingKey>>();

  get size(): number {
    return this.#words.size;
  }

  has(key: ListingKey): boolean {
    return this.#words.has(key);
  }

  get(key: ListingKey): Word | undefined {
    return this.#words.get(key);
  }

  /** The listings of an item. */
  of(itemId: string): readonly Listing[] {
    return [...(this.#items.get(itemId) ?? [])].flatMap((key) => this.#words.get(key)?.listing ?? []);
  }

  set(listing: Listing, at: EpochMs): void {
    const { key, itemId } = listing;
    if (this.#words.get(key)?.listing.itemId !== itemId) this.delete(key);
    this.#words.set(key, { listing, at });
    const keys = this.#items.get(itemId);
    if (keys === undefined) this.#items.set(itemId, new Set([key]));
    else keys.add(key);
  }

  delete(key: ListingKey): void {
    const word = this.#words.get(key);
    if (word === undefined) return;
    this.#words.delete(key);
    const keys = this.#items.get(word.listing.itemId);
    keys?.delete(key);
    if (keys?.size === 0) this.#items.delete(word.listing.itemId);
  }
}
