import type { Micros } from './money.ts';

/** What one (market, listing id) is called in maps and logs. */
export type ListingKey = string & { readonly listingKey?: true };

export function listingKey(market: string, id: string): ListingKey {
  return `${market}:${id}`;
}

export interface Sticker {
  /** undefined when the element is not an object or carries no name. */
  readonly name: string | undefined;
  /** As `foldCase` makes it: what globs compare with. */
  readonly nameFolded: string | undefined;
}

/**
 * One offer on a market, read and judged sound; never changed after it was made. A value the listing lacks is undefined.
 * `price` is the number as received, the only thing that may go on the wire; amounts to compute with are exact.
 */
export interface Listing {
  readonly key: ListingKey;
  readonly market: string;
  /** Numeric listing id, as text. */
  readonly id: string;
  /** 16-hex item id, as text. */
  readonly itemId: string;
  readonly name: string;
  /** As `foldCase` makes it: what globs compare with. */
  readonly nameFolded: string;
  /** Base price in dollars, exactly as received. */
  readonly price: number;
  readonly priceMicros: Micros;
  /** priceWithFee in dollars, exactly as received. */
  readonly priceWithFee: number;
  /** priceWithFee in micro-dollars, rounded up: what a purchase is expected to cost. */
  readonly cost: Micros;
  /** steamPrice in micro-dollars, rounded down; undefined when null, missing, zero, negative or no number. */
  readonly steam: Micros | undefined;
  readonly type: string | undefined;
  readonly delivery: string | undefined;
  readonly exterior: string | undefined;
  /** 0 to 1, as received. */
  readonly wear: number | undefined;
  readonly paintSeed: number | undefined;
  readonly rarity: string | undefined;
  readonly collection: string | undefined;
  readonly color: string | undefined;
  /** undefined when the field is missing or not a list. */
  readonly stickers: readonly Sticker[] | undefined;
  /** null: has none; undefined: the field is missing. */
  readonly charm: Sticker | null | undefined;
}

/** A listing that cannot be judged, with the reason in words and what is known of it. */
export interface BadListing {
  readonly reason: string;
  readonly id: string | undefined;
  readonly market: string | undefined;
  readonly name: string | undefined;
}
