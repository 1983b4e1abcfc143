import { chance, wholeBetween, type Random } from '../domain/random.ts';
import type { EpochMs } from '../domain/clock.ts';
import { listingKey } from '../domain/listing.ts';
import type { CatalogueItem } from './catalogue.ts';
import { drawCharm, drawStickers, type Decorations } from './decorations.ts';
import { ratioAt } from './spread.ts';

/** What becomes of a listing next. */
export type NextKind = 'rival' | 'edited' | 'delisted' | 'relisted';

/** One offer that stands on the exchange. It is saved as it is, so it holds plain values only. */
export interface MarketListing {
  readonly key: string;
  readonly market: string;
  readonly id: string;
  readonly itemId: string;
  readonly name: string;
  /** Base price in dollars, as on the wire. */
  readonly price: number;
  readonly priceWithFee: number;
  /** The ListingItemV2 that is served. */
  readonly wire: Readonly<Record<string, unknown>>;
  /** Feed order: popularity of the name, then order of arrival. */
  readonly rank: number;
  readonly seq: number;
  /** Where its price stands in the spread; undefined for a listing taken from a saved answer. */
  readonly place: number | undefined;
  readonly next: { readonly at: EpochMs; readonly kind: NextKind } | undefined;
}

/** What the drawing of a listing needs. */
export interface ListingDraw {
  readonly random: Random;
  readonly decorations: Decorations;
  readonly feeRate: number;
}

/** Prices of a place in the spread, in dollars and whole cents, at least one cent. */
export function pricesAt(item: CatalogueItem, place: number, feeRate: number): { price: number; priceWithFee: number } {
  const cents = Math.max(1, Math.round(item.steamPrice * 100 * ratioAt(place)));
  return { price: cents / 100, priceWithFee: Math.round(cents * (1 + feeRate)) / 100 };
}

/** A new offer of an item at a place of the spread. */
export function drawListing(draw: ListingDraw, item: CatalogueItem, place: number, seq: number): MarketListing {
  const { random, decorations, feeRate } = draw;
  const market = chance(random, 0.5) ? 'c5game' : 'ecosteam';
  const id = String(FIRST_LISTING_ID + seq);
  const prices = pricesAt(item, place, feeRate);
  const wire = {
    itemId: item.itemId,
    id,
    marketHashName: item.name,
    type: item.type,
    iconUrl: `https://img.example.invalid/${item.itemId}.png`,
    ...prices,
    steamPrice: steamPriceIsKnown(item) ? item.steamPrice : null,
    delivery: chance(random, 0.3) ? 'auto' : 'normal',
    market,
    exterior: item.exterior,
    wear: drawWear(random, item),
    paintSeed: item.wear ? wholeBetween(random, 0, 1000) : null,
    rarity: item.rarity,
    collection: item.collection,
    color: item.color,
    stickers: drawStickers(random, item, decorations),
    charm: drawCharm(random, item, decorations),
  };
  const key = listingKey(market, id);
  return { key, market, id, itemId: item.itemId, name: item.name, ...prices, wire, rank: item.rank, seq, place, next: undefined };
}

/** Listing ids are numeric text; ours start here. */
export const FIRST_LISTING_ID = 900_000_000;

/** Of one name in forty Steam's price is not known. */
function steamPriceIsKnown(item: CatalogueItem): boolean {
  return Number.parseInt(item.itemId.slice(0, 8), 16) % 40 !== 0;
}

/** A 32-bit float, as the game keeps it, printed in full. */
function drawWear(random: Random, item: CatalogueItem): number | null {
  if (!item.wear) return null;
  const { low, high } = item.wear;
  const wear = Math.fround(low + (high - low) * random.next());
  return wear >= low && wear < high ? wear : low;
}
