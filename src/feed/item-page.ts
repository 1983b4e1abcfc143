import type { EpochMs } from '../domain/clock.ts';
import { type Listing, type ListingKey, listingKey } from '../domain/listing.ts';
import type { Micros } from '../domain/money.ts';
import { readListing } from '../strategy/read-listing.ts';
import { sameListing } from './same.ts';

/** One page of a watched item's listings, read but not held against anything else. */
export interface ItemPage {
  readonly itemId: string;
  /** From 1. */
  readonly page: number;
  readonly beganAt: EpochMs;
  readonly endedAt: EpochMs;
  /** When its last byte was there. */
  readonly receivedAt: EpochMs;
  /** No page of the item was read before. */
  readonly first: boolean;
  /** What costs more is nothing that may be bought; undefined: nobody can tell. */
  readonly costMax: Micros | undefined;
  readonly listings: readonly { readonly listing: Listing; readonly raw: unknown }[];
  /** Entries that cannot be judged, as far as their market and id can be read. */
  readonly bad: readonly ListingKey[];
  /** Set where this page ends a look that has seen everything that costs at most `costMax` (undefined: everything). */
  readonly ends:
    | { readonly seen: ReadonlySet<ListingKey>; readonly beganAt: EpochMs; readonly costMax: Micros | undefined }
    | undefined;
}

/** One look at an item, page by page: an id with two prices in it is bad from then on. */
export class PageReading {
  readonly #itemId: string;
  readonly #seen = new Map<ListingKey, Listing | undefined>();
  #highest = 0;
  #isRising = true;

  constructor(itemId: string) {
    this.#itemId = itemId;
  }

  /** Different listings so far, bad ones among them. */
  get count(): number {
    return this.#seen.size;
  }

  get keys(): ReadonlySet<ListingKey> {
    return new Set(this.#seen.keys());
  }

  /** Whether every page has come by rising price and the last listing costs more than this: so do all that follow, then. */
  isBeyond(costMax: Micros | undefined): boolean {
    return costMax !== undefined && this.#isRising && this.#highest > costMax;
  }

  /** Reads a page; `isNews` is false where it shows nothing that the pages before it have not. */
  read(rows: readonly unknown[]): Pick<ItemPage, 'listings' | 'bad'> & { readonly isNews: boolean } {
    const before = this.#seen.size;
    const [listings, bad] = [new Map<ListingKey, { listing: Listing; raw: unknown }>(), new Set<ListingKey>()];
    for (const raw of rows) {
      const read = readListing(raw);
      const key = read.ok ? read.listing.key : keyOf(raw);
      if (key === undefined) continue;
      const known = this.#seen.get(key);
      const isTwin = this.#seen.has(key) && !(read.ok && known !== undefined && sameListing(known, read.listing));
      if (!read.ok || isTwin || read.listing.itemId !== this.#itemId) {
        this.#seen.set(key, undefined);
        bad.add(key);
        listings.delete(key);
        continue;
      }
      const { listing } = read;
      this.#isRising &&= listing.cost >= this.#highest;
      this.#highest = Math.max(this.#highest, listing.cost);
      this.#seen.set(key, listing);
      listings.set(key, { listing, raw });
    }
    return { listings: [...listings.values()], bad: [...bad], isNews: this.#seen.size > before };
  }
}

function keyOf(raw: unknown): ListingKey | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined;
  const { market, id } = raw as { readonly market?: unknown; readonly id?: unknown };
  return typeof market === 'string' && typeof id === 'string' ? listingKey(market, id) : undefined;
}
