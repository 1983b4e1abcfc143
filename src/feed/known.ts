import type { Listing, ListingKey } from '../domain/listing.ts';

/** A listing that is known, with what the answer that is being read has shown of it so far. */
export interface Held {
  readonly listing: Listing;
  /** The answer that showed it last. */
  seenIn: number;
  /** What the first entry of that answer said it was. */
  seenAs: Listing;
  /** It was forgotten, or replaced by what it became: nothing is to be learnt from this any more. */
  past: boolean;
}

/** The listings that are known, in the order in which they came to be. */
export class Known {
  readonly #held = new Map<ListingKey, Held>();

  get size(): number {
    return this.#held.size;
  }

  get(key: ListingKey): Held | undefined {
    return this.#held.get(key);
  }

  all(): IterableIterator<[ListingKey, Held]> {
    return this.#held.entries();
  }

  learn(listing: Listing): void {
    const before = this.#held.get(listing.key);
    if (before) before.past = true;
    this.#held.set(listing.key, { listing, seenIn: 0, seenAs: listing, past: false });
  }

  /** What it was; undefined when it was not known. */
  forget(key: ListingKey): Listing | undefined {
    const held = this.#held.get(key);
    if (!held) return undefined;
    held.past = true;
    this.#held.delete(key);
    return held.listing;
  }
}
