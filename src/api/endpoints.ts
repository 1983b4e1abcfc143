import type { z } from 'zod';
import { accountRows } from './rows/account.ts';
import { legacyRows } from './rows/legacy.ts';
import { marketRows } from './rows/market.ts';
import { partnerRows } from './rows/partner.ts';
import { walletRows } from './rows/wallet.ts';

export type { Endpoint } from './endpoint.ts';

/** Every endpoint of the partner API. */
export const endpoints = { ...marketRows, ...accountRows, ...walletRows, ...partnerRows, ...legacyRows } as const;

export type EndpointName = keyof typeof endpoints;

/** Those that change nothing. */
export type ReadingName = {
  [N in EndpointName]: (typeof endpoints)[N] extends { readonly moves: string } ? never : N;
}[EndpointName];

/** What `data` of a successful answer holds. */
export type DataOf<N extends EndpointName> = z.infer<(typeof endpoints)[N]['data']>;

/** The request body, or undefined for an endpoint that takes none. */
export type BodyOf<N extends EndpointName> = (typeof endpoints)[N] extends { body: infer B extends z.ZodType }
  ? z.infer<B>
  : undefined;

export type QueryOf<N extends EndpointName> = z.infer<(typeof endpoints)[N]['query']>;
