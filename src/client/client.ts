import type { Dispatcher } from 'undici';
import { endpoints, type EndpointName } from '../api/endpoints.ts';
import type { TransferKeys } from '../app/transfers/kept.ts';
import { SystemClock } from '../app/system-clock.ts';
import { Secret } from '../domain/secret.ts';
import { createHand, type Hand, type HandRequest } from '../gateway/hand.ts';
import { resultOf } from './call-error.ts';
import { eachOf, type Each } from './each.ts';
import { oneTransfer, type OneTransfer } from './one-transfer.ts';
import type { Methods, Result } from './types.ts';

export { CallError, type CallErrorKind } from './call-error.ts';
export type { Each } from './each.ts';
export type { MadeTransfer, OneTransfer, PurposefulTransfer } from './one-transfer.ts';
export { transferKeysIn } from '../app/transfers/folder.ts';
export type { Found, KeptTransfer, TransferAnswer, TransferBody, TransferKeys } from '../app/transfers/kept.ts';
export type { AnswerOf, CallRequest, Method, Methods, Result } from './types.ts';

/** As long as the daemon waits for an answer. */
const TIMEOUT_MS = 10_000;

export interface ClientOptions {
  /** Such as `http://127.0.0.1:4010`: an address alone, which every call goes to. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** A top-level key, for the endpoints that need one; left out: the one key asks everything. */
  readonly partnerKey?: string;
  /** For one call, from its dispatch to the last byte of its answer, milliseconds; default 10,000. */
  readonly timeoutMs?: number;
  /**
   * What carries the requests, such as a pool or an agent of undici (a proxy's too); left out: connections of its own. One that repeats
   * requests is stopped at the second.
   */
  readonly dispatcher?: Pick<Dispatcher, 'dispatch'>;
  /** What remembers transfers for `transferOnce`, such as `transferKeysIn(folder)`; needed for that alone. */
  readonly transferKeys?: TransferKeys;
}

/** The whole partner API: a method for each endpoint, checked before it is sent and after it is answered. */
export interface Client extends Methods {
  /** What the API gives by the page, element by element. */
  readonly each: Each;
  /** Makes a transfer once for its purpose, over crashes and repeats. */
  readonly transferOnce: OneTransfer;
  /** Ends its connections, and what is under way with them. A dispatcher that was handed in is left as it is. */
  close(): Promise<void>;
}

/**
 * A client of the partner API. Nothing is ever repeated by itself: a call is one request or none. Throws TypeError for a base URL that is
 * none, or with a user, a query or a fragment.
 */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, apiKey, partnerKey, timeoutMs = TIMEOUT_MS, dispatcher, transferKeys } = options;
  const hand = createHand({
    baseUrl,
    apiKey: new Secret(apiKey),
    partnerKey: partnerKey === undefined ? undefined : new Secret(partnerKey),
    timeoutMs,
    clock: new SystemClock(),
    dispatcher,
  });
  const names = Object.keys(endpoints) as EndpointName[];
  const methods = Object.fromEntries(names.map((name) => [name, methodOf(hand, name)])) as unknown as Methods;
  return { ...methods, each: eachOf(methods), transferOnce: oneTransfer(hand, transferKeys), close: () => hand.close() };
}

function methodOf(hand: Hand, name: EndpointName) {
  return async (request?: HandRequest): Promise<Result<unknown>> => resultOf(await hand.call(name, request));
}
