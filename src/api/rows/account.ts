import type { Endpoint } from '../endpoint.ts';
import * as s from '../schemas.ts';
import * as w from '../whole-schemas.ts';

/** Version 1: what the calling key's own account shows. */
export const accountRows = {
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
    whole: w.wholeOrders,
    payload: 'documented',
  },
  transactions: {
    method: 'GET',
    path: '/v1/user/transactions',
    auth: 'key',
    summary: 'Purchases and refunds as bookings; the bounds of a page are not documented.',
    query: s.pageQuery,
    request: 'assumed',
    data: s.transactions,
    whole: w.wholeTransactions,
    payload: 'documented',
    example: { query: { page: 1, limit: 20 } },
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
    example: { query: { type: 'credit,debit', page: 1, limit: 20 } },
  },
} as const satisfies Record<string, Endpoint>;
