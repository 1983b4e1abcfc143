import { endpoints, type BodyOf, type Endpoint, type EndpointName, type QueryOf } from '../api/endpoints.ts';
import { queryFromText } from '../api/query.ts';
import { checkedBody, checkedQuery, mayLackBody, requestFaultText, type RequestFault } from '../api/request.ts';
import type { EpochMs } from '../domain/clock.ts';
import type { Random } from '../domain/random.ts';
import { AccountStreams } from './account-streams.ts';
import { uuid, type Account } from './accounts.ts';
import { Refused, type ApiAnswer, type SandboxRequest } from './answer.ts';
import type { BuyAsk, Exchange } from './exchange.ts';
import { handlers } from './handlers.ts';
import { routeOf, type Route } from '../api/routes.ts';
import { wholeView, type View } from './view.ts';

/** A checked call: who calls, and what the endpoint's schemas let through. */
export interface Call<N extends EndpointName = EndpointName> {
  readonly exchange: Exchange;
  readonly account: Account;
  readonly query: QueryOf<N>;
  readonly body: BodyOf<N>;
  readonly params: Readonly<Record<string, string>>;
  readonly now: EpochMs;
  readonly view: View;
  /** For what an answer needs that decides nothing. */
  readonly random: Random;
}

/** The partner API over an exchange: keys, checks and envelope, all from the endpoint table. No transport, no faults. */
export class Api {
  readonly #exchange: Exchange;
  readonly #streams: AccountStreams;
  readonly #view: View;

  constructor(exchange: Exchange, boot: number, view: View = wholeView) {
    this.#exchange = exchange;
    this.#view = view;
    const { seed, accounts } = exchange.settings;
    this.#streams = new AccountStreams(seed, `answers/${boot}`, accounts);
  }

  answer(request: SandboxRequest, now: EpochMs): ApiAnswer {
    const account = this.#caller(request);
    const requestId = uuid(this.#streams.of(this.callerOf(request)));
    const route = routeOf(request.method, request.path);
    const outcome = this.#outcome(request, route, account, now);
    const common = { endpoint: route?.name, account: account instanceof Refused ? undefined : account.id, requestId };
    if (!(outcome instanceof Refused)) return { ...common, status: 200, result: { success: true, data: outcome } };
    const { status, code, message } = outcome;
    return { ...common, status, result: { success: false, code, message } };
  }

  /** What a buy asks for, when key and body are in order: for buys that are not executed at once. */
  buyAsk(request: SandboxRequest): BuyAsk | undefined {
    const account = this.#caller(request);
    const body = bodyIn(endpoints.buy, request);
    if (account instanceof Refused || body instanceof Refused) return undefined;
    const { itemId, market, price } = body as BodyOf<'buy'>;
    return { account: account.id, listingId: itemId, market, price };
  }

  /** An answer to a request that was not carried out, for a fault to fill in. */
  unanswered(endpoint: EndpointName | undefined, account: string | undefined): ApiAnswer {
    return {
      endpoint,
      account,
      requestId: uuid(this.#streams.of(account)),
      status: 500,
      result: { success: false, code: 'INTERNAL_ERROR', message: 'not carried out' },
    };
  }

  /** The id of the account whose key a request carries; undefined: nobody knows the key. */
  callerOf(request: SandboxRequest): string | undefined {
    const caller = this.#caller(request);
    return caller instanceof Refused ? undefined : caller.id;
  }

  #outcome(request: SandboxRequest, route: Route | undefined, account: Account | Refused, now: EpochMs): unknown {
    if (!route) return new Refused(404, 'NOT_FOUND', `there is no ${request.method} ${request.path}`);
    if (account instanceof Refused) return account;
    const denied = deniedBy(route.endpoint, account);
    if (denied) return denied;
    const query = queryIn(route.endpoint, request);
    if (query instanceof Refused) return query;
    const body = bodyIn(route.endpoint, request);
    if (body instanceof Refused) return body;
    // The schemas of this very row have let query and body through.
    const handle: (call: Call<never>) => unknown = handlers[route.name];
    return handle({
      exchange: this.#exchange,
      account,
      query,
      body,
      params: route.params,
      now,
      view: this.#view,
      random: this.#streams.of(account.id),
    } as Call<never>);
  }

  #caller({ headers }: SandboxRequest): Account | Refused {
    const key = headers['x-api-key'];
    if (typeof key !== 'string' || key === '') return new Refused(401, 'API_KEY_MISSING', 'the header X-API-Key is missing');
    return this.#exchange.account(key) ?? new Refused(401, 'API_KEY_INVALID', 'the key in X-API-Key is not known');
  }
}

function deniedBy(endpoint: Endpoint, account: Account): Refused | undefined {
  if (endpoint.auth === 'key' || account.kind === 'top-level') return undefined;
  return new Refused(403, 'TOP_LEVEL_KEY_REQUIRED', 'this endpoint needs a top-level key');
}

function queryIn(endpoint: Endpoint, request: SandboxRequest): unknown {
  const checked = checkedQuery(endpoint, queryFromText(endpoint.query, request.query));
  return checked.ok ? checked.value : invalid(checked.fault);
}

function bodyIn(endpoint: Endpoint, { body: text = '' }: SandboxRequest): unknown {
  if (!endpoint.body || (text === '' && mayLackBody(endpoint))) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return new Refused(400, 'BODY_NOT_JSON', 'the body is not JSON');
  }
  const checked = checkedBody(endpoint, value);
  return checked.ok ? checked.value : invalid(checked.fault);
}

/** A trade URL in the wrong form has a code of its own, since its owner must act. */
function invalid(fault: RequestFault): Refused {
  const code = fault.field === 'tradeUrl' || fault.field === 'tradeURL' ? 'TRADE_URL_INVALID' : 'VALIDATION_ERROR';
  return new Refused(400, code, requestFaultText(fault));
}
