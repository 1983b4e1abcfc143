import type { Endpoint } from '../endpoint.ts';
import * as p from '../partner-schemas.ts';
import { marketHealth, noQuery, open } from '../schemas.ts';

const onrampRow = {
  method: 'GET',
  auth: 'partner',
  query: noQuery,
  data: open,
  payload: 'open',
} as const;

/** Version 1: child accounts and what the partner's own key reads. */
export const partnerRows = {
  marketHealth: {
    method: 'GET',
    path: '/v1/partner/market-health',
    auth: 'top-level',
    summary: 'Health of the two markets and their workers.',
    query: noQuery,
    data: marketHealth,
    payload: 'documented',
  },
  createUser: {
    method: 'POST',
    path: '/v1/partner/users',
    auth: 'top-level',
    summary: 'Makes a child key, or gives the one that the address has; the key itself is shown once.',
    query: noQuery,
    body: p.createUserBody,
    data: p.childKey,
    moves: 'state',
    payload: 'documented',
    example: { body: { email: 'merchant@example.com', name: 'Merchant' } },
  },
  transfer: {
    method: 'POST',
    path: '/v1/partner/transfers',
    auth: 'top-level',
    summary: 'Moves balance from the top-level account to a child; the same idempotency key moves it once.',
    query: noQuery,
    body: p.transferBody,
    rules: [{ kind: 'exactly-one', fields: ['toEmail', 'toApiKeyId'] }],
    data: p.transferResult,
    moves: 'money',
    payload: 'documented',
    example: { body: { toEmail: 'merchant@example.com', amountCents: 5000, idempotencyKey: 'funding-2026-11-28' } },
  },
  partnerStats: {
    method: 'GET',
    path: '/v1/partner/stats',
    auth: 'top-level',
    summary: 'Orders, volume and revenue of all child accounts.',
    query: noQuery,
    data: p.partnerStats,
    payload: 'documented',
  },
  onrampLimits: {
    ...onrampRow,
    path: '/v1/partner/onramp/limitsMapping',
    summary: 'Least and most of a deposit by card or bank.',
  },
  onrampCountries: {
    ...onrampRow,
    path: '/v1/partner/onramp/allCountryConfig',
    summary: 'Countries from which deposits by card or bank come.',
  },
  onrampConfig: {
    ...onrampRow,
    path: '/v1/partner/onramp/allConfigMapping',
    summary: 'Coins, networks and currencies of deposits by card or bank.',
  },
} as const satisfies Record<string, Endpoint>;
