import type { Endpoint } from '../endpoint.ts';
import * as s from '../schemas.ts';
import * as w from '../whole-schemas.ts';

const item = '00f1e2d3c4b5a697';
const tradeUrl = 'https://steamcommunity.com/tradeoffer/new/?partner=123456789&token=AbCdEfGh';

/** Version 2: the market, and what partners read of it. */
export const marketRows = {
  liveListings: {
    method: 'GET',
    path: '/v2/partner/live/listings',
    auth: 'key',
    summary: 'Live listings of both markets, by popularity.',
    query: s.noQuery,
    data: s.liveListings,
    whole: w.wholeLiveListings,
    payload: 'documented',
  },
  listingDetail: {
    method: 'POST',
    path: '/v2/partner/listing-detail',
    auth: 'key',
    summary: 'Looks up 1 to 10 listings; what is not found is an error element in its place.',
    query: s.noQuery,
    body: s.batchDetailBody,
    data: s.batchDetail,
    whole: w.wholeBatchDetail,
    payload: 'documented',
    example: { body: { items: [{ item, listing: '900000123', market: 'c5game' }] } },
  },
  buy: {
    method: 'POST',
    path: '/v2/market/buy',
    auth: 'key',
    summary: 'Buys a listing at its exact current base price.',
    query: s.noQuery,
    body: s.buyBody,
    data: s.buyResult,
    whole: w.wholeBuyResult,
    moves: 'money',
    payload: 'documented',
    example: { body: { itemId: '900000123', price: 19.5, market: 'c5game', tradeUrl } },
  },
  listings: {
    method: 'GET',
    path: '/v2/market/listings',
    auth: 'key',
    summary: 'Listings of one item, by page.',
    query: s.listingsQuery,
    data: s.itemListings,
    whole: w.wholeItemListings,
    payload: 'documented',
    example: { query: { item, page: 1 } },
  },
  search: {
    method: 'GET',
    path: '/v2/market/search',
    auth: 'key',
    summary: 'Searches items, with fee-adjusted prices.',
    query: s.searchQuery,
    data: s.searchResult,
    payload: 'documented',
    example: { query: { q: 'redline', maxPrice: 50, sort: 'priceAsc' } },
  },
  suggestions: {
    method: 'GET',
    path: '/v2/market/search/suggestions',
    auth: 'key',
    summary: 'Item names for a few letters.',
    query: s.suggestionsQuery,
    data: s.suggestions,
    payload: 'documented',
    example: { query: { q: 'redline' } },
  },
} as const satisfies Record<string, Endpoint>;
