import { Pool, type Dispatcher } from 'undici';
import { compileCheck, type Check } from '../api/check.ts';
import { endpoints, type Endpoint, type EndpointName } from '../api/endpoints.ts';
import { checkedBody, checkedQuery, pathFault, requestFaultText, type RequestFault } from '../api/request.ts';
import type { Clock, EpochMs } from '../domain/clock.ts';
import type { Fault } from '../domain/fault.ts';
import { scrubber, type Secret } from '../domain/secret.ts';
import type { Answer } from './answer.ts';
import { answerOf } from './body.ts';
import { classifyRead, readFault, type ReadOutcome } from './classify-read.ts';
import { connectorOptions, poolOptions } from './connect.ts';
import { Exchange, type WireRequest } from './exchange.ts';
import { ACCEPT_ENCODING } from './inflation.ts';
import { cleaner, headersFor, scrubbed } from './line.ts';
import { mayBeDone } from './may-be-done.ts';
import { baseOf, targetOf } from './target.ts';
import { withoutSecretHeaders } from './without-secrets.ts';

/** The largest answer, decoded, that is read at all. */
const ANSWER_MAX = 64 * 1024 * 1024;

export interface HandOptions {
  readonly baseUrl: string;
  readonly apiKey: Secret;
  /** For what needs more than any key; undefined: the one key asks everything. */
  readonly partnerKey: Secret | undefined;
  /** What else is masked in whatever the service says of a failure, before it is cut short. */
  readonly secrets?: readonly Secret[];
  /** For one call, from its dispatch to the last byte of its answer, milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** What carries the requests; left out: connections of its own. */
  readonly dispatcher?: Pick<Dispatcher, 'dispatch'> | undefined;
}

export interface HandRequest {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Left out: by what the endpoint needs. */
  readonly key?: 'account' | 'partner' | undefined;
}

export type HandReply =
  | {
      readonly ok: true;
      /** As it came, also where it is odd. */
      readonly data: unknown;
      readonly status: number;
      readonly requestId: string | undefined;
      /** The service's clock as its answer told it; undefined: it did not. */
      readonly serviceDate?: EpochMs | undefined;
      /** How long the answer says that it lay in caches on its way, milliseconds; undefined: not at all. */
      readonly ageMs?: number | undefined;
      /** What in it is not as the document says; undefined: nothing. */
      readonly odd: string | undefined;
    }
  | {
      readonly ok: false;
      /** Of class unknown where something may have been changed. */
      readonly fault: Fault;
      /** The rule that the request breaks; it was not sent then. */
      readonly broken?: RequestFault;
    };

/** Calls of any endpoint, one at a time as they are asked for. */
export interface Hand {
  /** Never rejects, and repeats nothing: a call is written once or not at all. */
  call(name: EndpointName, request?: HandRequest): Promise<HandReply>;
  /** The rule of the API that keeps a request from being sent; nothing is sent by asking. */
  brokenRule(name: EndpointName, request: HandRequest): RequestFault | undefined;
  close(): Promise<void>;
}

/**
 * What a person or another program calls the API with, withdrawals and transfers among it. It has nothing of a daemon: no caps, no
 * journal, no rate. Nothing that decides to buy may come by one (`test/tidy/dangers.ts`). Throws TypeError for a base URL that is none.
 */
export function createHand(options: HandOptions): Hand {
  return new HttpHand(options);
}

const checks = new WeakMap<Endpoint, Check>();

class HttpHand implements Hand {
  readonly #options: HandOptions;
  readonly #base: ReturnType<typeof baseOf>;
  readonly #dispatcher: Pick<Dispatcher, 'dispatch'>;
  readonly #ownPool: Pool | undefined;
  readonly #scrub: (text: string) => string;

  constructor(options: HandOptions) {
    this.#options = options;
    this.#base = baseOf(options.baseUrl);
    const { dispatcher, timeoutMs, apiKey, partnerKey } = options;
    const { origin } = this.#base.url;
    let carrier = dispatcher;
    if (carrier === undefined)
      carrier = this.#ownPool = new Pool(origin, { ...poolOptions, connect: connectorOptions(timeoutMs) });
    const used = carrier;
    // An agent serves many origins, and is told which.
    this.#dispatcher = { dispatch: (request, handler) => used.dispatch({ ...request, origin }, handler) };
    this.#scrub = scrubber([apiKey, ...(partnerKey ? [partnerKey] : []), ...(options.secrets ?? [])]);
  }

  async call(name: EndpointName, request: HandRequest = {}): Promise<HandReply> {
    const row: Endpoint = endpoints[name];
    const broken = brokenRule(row, request);
    if (broken !== undefined) return notSent(requestFaultText(broken), broken);
    if (request.signal?.aborted === true) return notSent('cancelled before it was sent');
    const wire = this.#wire(row, request);
    if (typeof wire === 'string') return notSent(wire);
    const { outcome, answer } = await this.#asked(row, wire, request.signal);
    if (outcome.ok) {
      const { data, status, requestId, serviceDate, ageMs } = outcome;
      const lay = ageMs > 0 ? { ageMs } : {};
      return { ok: true, data, status, requestId, serviceDate, ...lay, odd: checkOf(row)(data) };
    }
    const fault = scrubbed(outcome.fault, this.#scrub);
    const isOpen = row.moves !== undefined && mayBeDone(fault, answer);
    return { ok: false, fault: isOpen ? { ...fault, class: 'unknown' } : fault };
  }

  brokenRule(name: EndpointName, request: HandRequest): RequestFault | undefined {
    return brokenRule(endpoints[name], request);
  }

  async close(): Promise<void> {
    await this.#ownPool?.destroy();
  }

  async #asked(
    row: Endpoint,
    wire: WireRequest,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly outcome: ReadOutcome; readonly answer: Answer }> {
    const { clock, timeoutMs } = this.#options;
    const exchange = new Exchange(this.#dispatcher, wire, clock, () => undefined);
    const stopDeadline = clock.after(timeoutMs, () => exchange.cancel('timeout', `no whole answer within ${timeoutMs} ms`));
    const abort = (): void => exchange.cancel('other', 'cancelled');
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const ending = withoutSecretHeaders(await exchange.ended, this.#scrub);
      const answer = await answerOf(ending, ANSWER_MAX);
      const expected = { check: () => undefined, mayForbid: row.auth !== 'key', clean: cleaner(this.#scrub) };
      return { outcome: classifyRead(answer, expected, clock.now()), answer };
    } finally {
      stopDeadline();
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Or in words why there is none: what another program hands in may be nothing that can be written. */
  #wire(row: Endpoint, request: HandRequest): WireRequest | string {
    try {
      return this.#written(row, request);
    } catch (error) {
      return `it cannot be written: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  #written(row: Endpoint, { path, query = {}, body, key }: HandRequest): WireRequest {
    const { apiKey, partnerKey = apiKey } = this.#options;
    const used = (key ?? (row.auth === 'key' ? 'account' : 'partner')) === 'account' ? apiKey : partnerKey;
    const bytes = row.body === undefined || body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    return {
      method: row.method,
      path: targetOf(this.#base, row, query as Readonly<Record<string, string | number | undefined>>, path),
      headers: { ...headersFor(used, bytes, ACCEPT_ENCODING), 'cache-control': 'no-cache' },
      body: bytes,
      limitBytes: ANSWER_MAX,
    };
  }
}

function brokenRule(row: Endpoint, { path = {}, query = {}, body }: HandRequest): RequestFault | undefined {
  const inPath = pathFault(row, path);
  if (inPath !== undefined) return inPath;
  if (row.body === undefined && body !== undefined) return { where: 'body', field: '', rule: 'this endpoint takes none' };
  for (const checked of [checkedQuery(row, query), checkedBody(row, body)]) if (!checked.ok) return checked.fault;
  return undefined;
}

/** The shape with every element of its lists: whoever calls by hand wants to know of any that is odd. */
function checkOf(row: Endpoint): Check {
  const known = checks.get(row);
  if (known) return known;
  const made = compileCheck(row.whole ?? row.data);
  checks.set(row, made);
  return made;
}

function notSent(message: string, broken?: RequestFault): HandReply {
  const fault = readFault({ class: 'refused', cause: broken ? 'request' : 'other', message, sent: false });
  return { ok: false, fault, ...(broken ? { broken } : {}) };
}
