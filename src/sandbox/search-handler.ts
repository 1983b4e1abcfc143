import { foldCase } from '../domain/text.ts';
import type { Call } from './api.ts';
import type { CatalogueItem } from './catalogue.ts';
import type { Exchange } from './exchange.ts';
import type { MarketListing } from './listing.ts';

type SearchQuery = Call<'search'>['query'];

/** All listings of one name. */
interface Offer {
  readonly name: string;
  /** Lowest price with fee, dollars. */
  readonly price: number;
  readonly rank: number;
  readonly first: MarketListing;
  readonly count: number;
  readonly item: CatalogueItem | undefined;
}

/**
 * GET /v2/market/search: what stands, by name, with fee-adjusted prices. Our assumptions: `q` is looked for in the name,
 * the other words are compared whole and without case, `start` and `end` count from 1 and are included, `team` and `tags`
 * choose nothing.
 */
export function search({ exchange, query }: Call<'search'>): unknown {
  const { items, itemsCount } = offered(exchange, query);
  return { items: items.slice((query.start ?? 1) - 1, query.end ?? 100), itemsCount };
}

/** Every name that stands and fits, uncut. */
export function offered(
  exchange: Exchange,
  query: SearchQuery,
): { readonly items: readonly unknown[]; readonly itemsCount: number } {
  const offers = new Map<string, Offer>();
  for (const listing of exchange.market.standing.inOrder()) {
    if (listing.itemId === '') continue;
    const known = offers.get(listing.itemId);
    const item = known ? known.item : exchange.catalogue.byId(listing.itemId);
    const price = Math.min(known?.price ?? Number.POSITIVE_INFINITY, listing.priceWithFee);
    offers.set(listing.itemId, {
      name: listing.name,
      price,
      rank: listing.rank,
      first: known?.first ?? listing,
      count: (known?.count ?? 0) + 1,
      item,
    });
  }
  const found = [...offers.values()].filter((offer) => fits(offer, query)).sort(orders[query.sort ?? 'popularity']);
  return { items: found.map(searchItem), itemsCount: found.length };
}

const orders: Readonly<Record<NonNullable<SearchQuery['sort']>, (a: Offer, b: Offer) => number>> = {
  abc: (a, b) => (a.name < b.name ? -1 : 1),
  priceAsc: (a, b) => a.price - b.price,
  priceDesc: (a, b) => b.price - a.price,
  popularity: (a, b) => a.rank - b.rank,
};

function fits(offer: Offer, query: SearchQuery): boolean {
  if (query.q !== undefined && !foldCase(offer.name).includes(foldCase(query.q))) return false;
  if (offer.price < (query.minPrice ?? 0) || offer.price > (query.maxPrice ?? Number.POSITIVE_INFINITY)) return false;
  if (query.paintIndex !== undefined && !offer.item?.paintIndexes.includes(Number(query.paintIndex))) return false;
  const { rarity, exterior, type } = offer.first.wire;
  const words: readonly [string | undefined, unknown][] = [
    [query.rarity, rarity],
    [query.wear, exterior],
    [query.itemType, type],
    [query.category, type],
    [query.weapon, offer.item?.weapon],
  ];
  return words.every(
    ([wanted, word]) => wanted === undefined || (typeof word === 'string' && foldCase(word) === foldCase(wanted)),
  );
}

function searchItem({ name, price, rank, first, count, item }: Offer): unknown {
  const { type, iconUrl, steamPrice, exterior, rarity, collection, color } = first.wire;
  const weapon = item?.weapon ?? null;
  return {
    id: first.itemId,
    marketHashName: name,
    type,
    iconUrl,
    price,
    steamPrice,
    exterior,
    rarity,
    collection,
    color,
    weapon,
    sellingTotal: count,
    popularity: Math.max(1, 1_000_000 - rank),
  };
}
