import type { EndpointName } from '../api/endpoints.ts';
import * as accountHandlers from './account-handlers.ts';
import type { Call } from './api.ts';
import { buy } from './buy-handler.ts';
import { marketHealth } from './health-handler.ts';
import * as marketHandlers from './market-handlers.ts';
import * as legacyHandlers from './legacy-handlers.ts';
import * as partnerHandlers from './partner-handlers.ts';
import { search } from './search-handler.ts';
import * as walletHandlers from './wallet-handlers.ts';

/** Each handler returns the `data` of a success, or a Refused. A new row of the endpoint table asks for a function here. */
export const handlers: { readonly [N in EndpointName]: (call: Call<N>) => unknown } = {
  ...marketHandlers,
  ...accountHandlers,
  ...walletHandlers,
  ...partnerHandlers,
  ...legacyHandlers,
  search,
  buy,
  marketHealth,
};
