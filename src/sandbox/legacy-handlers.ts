import { endpoints } from '../api/endpoints.ts';
import { queryFromText } from '../api/query.ts';
import { checkedQuery, requestFaultText } from '../api/request.ts';
import { Refused } from './answer.ts';
import type { Call } from './api.ts';
import { soldBy } from './buy-handler.ts';
import type { CatalogueItem } from './catalogue.ts';
import type { MarketListing } from './listing.ts';
import { listings, suggestions } from './market-handlers.ts';
import { offered, search } from './search-handler.ts';

/*
 * Version 1 of the market. The document shows none of these answers: they are those of version 2 under the older names of the
 * markets, and their queries are read as version 2 would, since it shows none of those either.
 */

type Wire = Readonly<Record<string, unknown>>;

/** The name that version 1 has for a market. */
function asLegacy(wire: Wire): Wire {
  return wire['market'] === 'c5game' ? { ...wire, market: 'c5' } : wire;
}

export function legacyListings(call: Call<'legacyListings'>): unknown {
  const query = checkedQuery(endpoints.listings, queryFromText(endpoints.listings.query, call.query));
  if (!query.ok) return new Refused(400, 'VALIDATION_ERROR', requestFaultText(query.fault));
  const data = listings({ ...call, query: query.value } as Call<'listings'>) as { listings: Wire[] };
  return { ...data, listings: data.listings.map(asLegacy) };
}

export function legacySearch(call: Call<'legacySearch'>): unknown {
  const query = checkedQuery(endpoints.search, queryFromText(endpoints.search.query, call.query));
  if (!query.ok) return new Refused(400, 'VALIDATION_ERROR', requestFaultText(query.fault));
  return search({ ...call, query: query.value } as Call<'search'>);
}

export function legacySuggestions(call: Call<'legacySuggestions'>): unknown {
  const query = checkedQuery(endpoints.suggestions, call.query);
  if (!query.ok) return new Refused(400, 'VALIDATION_ERROR', requestFaultText(query.fault));
  return suggestions({ ...call, query: query.value } as Call<'suggestions'>);
}

export function legacyBuy({ exchange, account, body, now }: Call<'legacyBuy'>): unknown {
  const market = body.market === 'c5' ? 'c5game' : body.market;
  const ask = { account: account.id, market, listingId: body.itemId, price: body.price };
  const data = soldBy(exchange, ask, body.tradeURL !== undefined, now);
  return data instanceof Refused ? data : { ...data, item: asLegacy(data.item) };
}

export function legacyItem({ exchange, params }: Call<'legacyItem'>): unknown {
  const item = exchange.catalogue.byId(params['id'] ?? '');
  return item ? itemRow(item, exchange.market.standing.ofItem(item.itemId)) : noItem();
}

export function legacyItems({ exchange }: Call<'legacyItems'>): unknown {
  return offered(exchange, {});
}

export function legacyItemOverview({ exchange, params }: Call<'legacyItemOverview'>): unknown {
  const item = exchange.catalogue.byId(params['id'] ?? '');
  if (!item) return noItem();
  const all = exchange.market.standing.ofItem(item.itemId);
  const on = (market: string): unknown => standing(all.filter((listing) => listing.market === market));
  return { ...itemRow(item, all), markets: { c5: on('c5game'), ecosteam: on('ecosteam') } };
}

export function legacyLiveListings({ exchange }: Call<'legacyLiveListings'>): unknown {
  const { standing } = exchange.market;
  return { listings: standing.inOrder().map(({ wire }) => asLegacy(wire)), listingsCount: standing.size };
}

export function legacyListingDetail({ exchange, query }: Call<'legacyListingDetail'>): unknown {
  const market = query.market === 'c5' ? 'c5game' : 'ecosteam';
  const found = exchange.market.standing.byKey(`${market}:${query.listing}`);
  if (found?.itemId !== query.item) return new Refused(404, 'LISTING_NOT_FOUND', 'the listing is not for sale');
  return asLegacy(found.wire);
}

function itemRow({ itemId, name, rarity, color, weapon }: CatalogueItem, all: readonly MarketListing[]): Wire {
  return { id: itemId, marketHashName: name, rarity, color, weapon, ...standing(all) };
}

function standing(all: readonly MarketListing[]): Wire {
  return { sellingTotal: all.length, price: all.length === 0 ? null : Math.min(...all.map(({ priceWithFee }) => priceWithFee)) };
}

function noItem(): Refused {
  return new Refused(404, 'ITEM_NOT_FOUND', 'no item has that id');
}
