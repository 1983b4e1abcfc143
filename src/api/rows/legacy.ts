import type { Endpoint } from '../endpoint.ts';
import { legacyBuyBody, legacyDetailQuery } from '../partner-schemas.ts';
import { noQuery, open, openQuery } from '../schemas.ts';

const openRow = { method: 'GET', auth: 'key', query: openQuery, request: 'open', data: open, payload: 'open' } as const;
const id = '00f1e2d3c4b5a697';

/** Version 1 of what version 2 does: for those who have not moved yet. */
export const legacyRows = {
  legacyListings: {
    ...openRow,
    path: '/v1/market/listings',
    summary: 'Listings of one item.',
    replacedBy: 'GET /v2/market/listings',
    example: { query: { item: id } },
  },
  legacySearch: {
    ...openRow,
    path: '/v1/market/search',
    summary: 'Searches items.',
    replacedBy: 'GET /v2/market/search',
    example: { query: { q: 'redline' } },
  },
  legacySuggestions: {
    ...openRow,
    path: '/v1/market/search/suggestions',
    summary: 'Item names for a few letters.',
    replacedBy: 'GET /v2/market/search/suggestions',
    example: { query: { q: 'redline' } },
  },
  legacyBuy: {
    method: 'POST',
    path: '/v1/market/buy',
    auth: 'key',
    summary: 'Buys a listing, under the older names of its fields.',
    query: noQuery,
    body: legacyBuyBody,
    data: open,
    moves: 'money',
    payload: 'open',
    replacedBy: 'POST /v2/market/buy',
    example: {
      body: {
        itemId: '900000123',
        price: 19.5,
        method: 'balance',
        market: 'c5',
        tradeURL: 'https://steamcommunity.com/tradeoffer/new/?partner=123456789&token=AbCdEfGh',
      },
    },
  },
  legacyItem: {
    ...openRow,
    path: '/v1/market/item/{id}',
    summary: 'One item.',
    replacedBy: 'GET /v2/market/listings',
    example: { path: { id } },
  },
  legacyItems: { ...openRow, path: '/v1/market/items', summary: 'All items.', replacedBy: 'GET /v2/market/search' },
  legacyItemOverview: {
    ...openRow,
    path: '/v1/market/item/{id}/overview',
    auth: 'top-level',
    summary: 'One item with what is offered of it.',
    replacedBy: 'GET /v2/market/listings',
    example: { path: { id } },
  },
  legacyLiveListings: {
    ...openRow,
    path: '/v1/partner/live/listings',
    auth: 'partner',
    query: noQuery,
    request: 'documented',
    summary: 'Live listings of both markets.',
    replacedBy: 'GET /v2/partner/live/listings',
  },
  legacyListingDetail: {
    ...openRow,
    path: '/v1/partner/listing-detail',
    auth: 'partner',
    query: legacyDetailQuery,
    request: 'documented',
    summary: 'Looks up one listing.',
    replacedBy: 'POST /v2/partner/listing-detail',
    example: { query: { item: id, listing: '900000123', market: 'c5' } },
  },
} as const satisfies Record<string, Endpoint>;
