import type { z } from 'zod';
import * as s from './schemas.ts';

/** Who may call: any key (child or core), a top-level key, or a partner key. */
export type Auth = 'key' | 'top-level' | 'partner';

/**
 * One endpoint of the partner API. Everything that speaks or serves the API is derived from this row: requests, checks,
 * sandbox routes, `magpie api`, documentation.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  /** Path with `{name}` for path parameters. */
  readonly path: string;
  readonly auth: Auth;
  readonly summary: string;
  readonly query: z.ZodObject;
  /** undefined: takes no body. */
  readonly body?: z.ZodType;
  /** The shape of `data` in a successful answer. */
  readonly data: z.ZodType;
  /** Spends or moves money: never repeated by itself. */
  readonly moves?: 'money';
  /** documented: the document gives the payload; assumed: it gives it in part; open: it shows none. */
  readonly payload: 'documented' | 'assumed' | 'open';
}

export const endpoints = {
  liveListings: {
    method: 'GET',
    path: '/v2/partner/live/listings',
    auth: 'key',
    summary: 'Live listings of both markets, by popularity.',
    query: s.noQuery,
    data: s.liveListings,
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
    payload: 'documented',
  },
  marketHealth: {
    method: 'GET',
    path: '/v1/partner/market-health',
    auth: 'top-level',
    summary: 'Health of the two markets and their workers.',
    query: s.noQuery,
    data: s.marketHealth,
    payload: 'documented',
  },
  buy: {
    method: 'POST',
    path: '/v2/market/buy',
    auth: 'key',
    summary: 'Buys a listing at its exact current base price.',
    query: s.noQuery,
    body: s.buyBody,
    data: s.buyResult,
    moves: 'money',
    payload: 'documented',
  },
  user: {
    method: 'GET',
    path: '/v1/user',
    auth: 'key',
    summary: 'Profile and balance of the account.',
    query: s.noQuery,
    data: s.profile,
    payload: 'documented',
  },
  fees: {
    method: 'GET',
    path: '/v1/user/fees',
    auth: 'key',
    summary: 'Fee rates of the account.',
    query: s.noQuery,
    data: s.fees,
    payload: 'documented',
  },
  orders: {
    method: 'GET',
    path: '/v1/user/orders',
    auth: 'key',
    summary: 'Orders of the account; paging and order are not documented.',
    query: s.noQuery,
    data: s.orders,
    payload: 'documented',
  },
  transactions: {
    method: 'GET',
    path: '/v1/user/transactions',
    auth: 'key',
    summary: 'Purchases and refunds as bookings.',
    query: s.pageQuery,
    data: s.transactions,
    payload: 'documented',
  },
  transactionStats: {
    method: 'GET',
    path: '/v1/user/transactions/stats',
    auth: 'key',
    summary: 'How many transactions completed and failed.',
    query: s.noQuery,
    data: s.transactionStats,
    payload: 'documented',
  },
  ledger: {
    method: 'GET',
    path: '/v1/user/ledger',
    auth: 'key',
    summary: 'Every movement of the balance; the fields of an entry are not documented.',
    query: s.ledgerQuery,
    data: s.ledgerPage,
    payload: 'assumed',
  },
  listings: {
    method: 'GET',
    path: '/v2/market/listings',
    auth: 'key',
    summary: 'Listings of one item, by page.',
    query: s.listingsQuery,
    data: s.itemListings,
    payload: 'documented',
  },
  search: {
    method: 'GET',
    path: '/v2/market/search',
    auth: 'key',
    summary: 'Searches items, with fee-adjusted prices.',
    query: s.searchQuery,
    data: s.searchResult,
    payload: 'documented',
  },
  suggestions: {
    method: 'GET',
    path: '/v2/market/search/suggestions',
    auth: 'key',
    summary: 'Item names for a few letters.',
    query: s.suggestionsQuery,
    data: s.suggestions,
    payload: 'documented',
  },
  wallet: {
    method: 'GET',
    path: '/v1/user/wallet',
    auth: 'key',
    summary: 'Wallet record; its fields are not documented.',
    query: s.noQuery,
    data: s.open,
    payload: 'open',
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;

/** What `data` of a successful answer holds. */
export type DataOf<N extends EndpointName> = z.infer<(typeof endpoints)[N]['data']>;

/** The request body, or undefined for an endpoint that takes none. */
export type BodyOf<N extends EndpointName> = (typeof endpoints)[N] extends { body: infer B extends z.ZodType }
  ? z.infer<B>
  : undefined;

export type QueryOf<N extends EndpointName> = z.infer<(typeof endpoints)[N]['query']>;
