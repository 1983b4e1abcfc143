import { Pool } from 'undici';
import { compileCheck, type Check } from '../api/check.ts';
import { endpoints, type DataOf, type Endpoint } from '../api/endpoints.ts';
import { pathFault } from '../api/request.ts';
import type { Clock, EpochMs } from '../domain/clock.ts';
import type { Fault, FaultCause } from '../domain/fault.ts';
import type { Secret } from '../domain/secret.ts';
import { scrubber } from '../domain/secret.ts';
import type { Permit, ReadName, ReadRequest, Reply, Service } from '../engine/ports.ts';
import type { Backoff, KeyName } from './backoff.ts';
import { ArrivingAnswer, type ArrivingOptions } from './arriving-answer.ts';
import { answerOf } from './body.ts';
import { classifyRead, readFault, type Expected, type ReadOutcome } from './classify-read.ts';
import { Exchange, type RawEnding, type Receiving } from './exchange.ts';
import { cleaner, headersFor, scrubbed } from './line.ts';
import { connectorOptions, poolOptions } from './connect.ts';
import { ACCEPT_ENCODING } from './inflation.ts';
import type { Pace, Rank } from './pace.ts';
import type { Clean } from './said.ts';
import { targetOf, type Base } from './target.ts';
import type { ListedReader } from './answer.ts';
import { maskListing, withoutSecretHeaders, withoutSecrets } from './without-secrets.ts';

const MEBIBYTE = 1024 * 1024;
/** The largest answer, decoded, that is read at all. */
const LARGEST = 64 * MEBIBYTE;

/** Answers that are small by nature. */
const limitBytes: { readonly [N in ReadName]?: number } = {
  listingDetail: MEBIBYTE,
  marketHealth: MEBIBYTE,
  user: MEBIBYTE,
  fees: MEBIBYTE,
  transactionStats: MEBIBYTE,
  suggestions: MEBIBYTE,
  wallet: MEBIBYTE,
};

export interface KeyOfReads {
  readonly key: Secret;
  readonly backoff: Backoff;
}

/** Buys have a pace of their own and wait for none of these. */
const ranks: Readonly<Record<NonNullable<ReadRequest<ReadName>['urgency']>, Rank>> = {
  reconcile: 'first',
  poll: 'second',
  spare: 'third',
};

interface Checks {
  readonly query: Check;
  readonly body: Check | undefined;
  readonly data: Check;
}

interface Question {
  readonly name: ReadName;
  readonly endpoint: Endpoint;
  readonly request: ReadRequest<ReadName>;
  readonly with: KeyOfReads;
  readonly checks: Checks;
}

interface Setting {
  readonly base: Base;
  readonly keys: Readonly<Record<KeyName, KeyOfReads>>;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly secrets: readonly Secret[];
  readonly listingsReader: ListingsReader | undefined;
}

/**
 * Makes what reads the live listings by what is new in them. It calls `prepare` once for each entry that it hands on for the first
 * time, and before it does.
 */
export type ListingsReader = (prepare: (entry: unknown) => void) => ListedReader;

/** The reading side over one pool: HTTP/1.1, no pipelining, nothing repeated, no redirect followed, proxies of the environment ignored. */
export class HttpService implements Service {
  readonly #setting: Setting;
  readonly #pool: Pool;
  readonly #scrub: (text: string) => string;
  readonly #clean: Clean;
  readonly #reader: ListedReader | undefined;
  readonly #checks = new Map<Endpoint, Checks>();

  constructor(setting: Setting) {
    this.#setting = setting;
    this.#scrub = scrubber(setting.secrets);
    this.#clean = cleaner(this.#scrub);
    this.#reader = setting.listingsReader?.((entry) => maskListing(entry, this.#scrub));
    this.#pool = new Pool(setting.base.url.origin, { ...poolOptions, connect: connectorOptions(setting.timeoutMs) });
  }

  async read<N extends ReadName>(name: N, request: ReadRequest<N> = {}): Promise<Reply<DataOf<N>>> {
    const { clock } = this.#setting;
    const endpoint: Endpoint = endpoints[name];
    let beganAt = clock.now();
    const used = this.#setting.keys[request.key ?? (endpoint.auth === 'key' ? 'account' : 'partner')];
    const question = { name, endpoint, request, with: used, checks: this.#checksOf(endpoint) };
    const outcome = await this.#outcome(question, () => {
      beganAt = clock.now();
    });
    const endedAt = clock.now();
    if (!outcome.ok) return { ok: false, fault: scrubbed(outcome.fault, this.#scrub), beganAt, endedAt };
    return { ...outcome, data: outcome.data as DataOf<N>, beganAt, endedAt };
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #outcome(question: Question, begin: () => void): Promise<ReadOutcome> {
    const wrong = wrongRequest(question);
    if (wrong !== undefined) return unsent('request', wrong);
    const { backoff } = question.with;
    if (backoff.leftMs > 0) return slowed(backoff);
    const signal = question.request.signal ?? new AbortController().signal;
    let permit: Permit;
    try {
      permit = await this.#setting.pace.take(ranks[question.request.urgency ?? 'poll'], signal);
    } catch {
      return unsent('other', signal.aborted ? 'cancelled before it was sent' : 'the gateway is closed');
    }
    try {
      if (backoff.leftMs > 0) return slowed(backoff);
      permit.begin();
      begin();
      return await this.#asked(question, signal);
    } finally {
      permit.done();
    }
  }

  async #asked(question: Question, signal: AbortSignal): Promise<ReadOutcome> {
    const { clock } = this.#setting;
    const { backoff } = question.with;
    const beganAt = clock.now();
    const limit = limitBytes[question.name] ?? LARGEST;
    const expected = { check: question.checks.data, mayForbid: question.endpoint.auth !== 'key', clean: this.#clean };
    const arriving = this.#arriving(question, expected, limit, beganAt);
    const receiving = arriving && ((...piece: Parameters<Receiving>) => arriving.receive(...piece));
    const raw = await this.#ending(question, limit, signal, receiving);
    const receivedAt = clock.now();
    const ending = withoutSecretHeaders(raw, this.#scrub);
    if (ending.kind === 'broken') arriving?.drop();
    const reader = arriving ?? (question.name === 'liveListings' ? this.#reader : undefined);
    const answer = await answerOf(ending, limit, reader);
    const outcome = classifyRead(answer, expected, clock.now());
    if (!outcome.ok) {
      this.#heed(outcome.fault, backoff, beganAt);
      return outcome;
    }
    backoff.succeeded(beganAt);
    const masked = answer.kind === 'whole' && 'listings' in answer.body ? answer.body.listings : undefined;
    return { ...outcome, receivedAt, data: withoutSecrets(outcome.data, this.#scrub, masked) };
  }

  /** What tells of the live listings while they arrive, for whoever wants to know. */
  #arriving({ name, request }: Question, expected: Expected, limitBytes: number, beganAt: EpochMs): ArrivingAnswer | undefined {
    const { early } = request as ReadRequest<'liveListings'>;
    const reader = this.#reader;
    if (name !== 'liveListings' || early === undefined || reader === undefined) return undefined;
    const { clock } = this.#setting;
    const tell: ArrivingOptions['tell'] = (outcome, listings) => {
      const data = withoutSecrets(outcome.data, this.#scrub, listings) as DataOf<'liveListings'>;
      early({ ...outcome, data, beganAt, endedAt: clock.now() });
    };
    return new ArrivingAnswer({ reader, expected, clock, limitBytes, tell });
  }

  #heed({ cause, message, retryAfterMs }: Fault, backoff: Backoff, beganAt: EpochMs): void {
    if (cause === 'rate' || cause === 'ban') backoff.slowed(cause, retryAfterMs, beganAt, this.#scrub(message));
  }

  async #ending(
    { endpoint, request, with: used }: Question,
    limit: number,
    signal: AbortSignal,
    receiving: Receiving | undefined,
  ): Promise<RawEnding> {
    const { base, clock, pace, timeoutMs } = this.#setting;
    const body = request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body));
    const wire = {
      method: endpoint.method,
      path: targetOf(base, endpoint, request.query),
      headers: { ...headersFor(used.key, body, ACCEPT_ENCODING), 'cache-control': 'no-cache' },
      body,
      limitBytes: limit,
    };
    const exchange = new Exchange(this.#pool, wire, clock, pace.depart(), undefined, receiving);
    const stopDeadline = clock.after(timeoutMs, () => exchange.cancel('timeout', `no whole answer within ${timeoutMs} ms`));
    const abort = (): void => exchange.cancel('other', 'cancelled');
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await exchange.ended;
    } finally {
      stopDeadline();
      signal.removeEventListener('abort', abort);
    }
  }

  /** Compiled when first needed: most runs ask five of the endpoints. */
  #checksOf(endpoint: Endpoint): Checks {
    const known = this.#checks.get(endpoint);
    if (known) return known;
    const body = endpoint.body ? compileCheck(endpoint.body) : undefined;
    const made = { query: compileCheck(endpoint.query), body, data: compileCheck(endpoint.data) };
    this.#checks.set(endpoint, made);
    return made;
  }
}

/** What the table says against a request, so that nothing is sent that the service must refuse. */
function wrongRequest({ endpoint, checks, request }: Question): string | undefined {
  // The type forbids it already; a value from outside the type system must not move money either.
  if (endpoint.moves) return `${endpoint.path} changes something and is no read`;
  const path = pathFault(endpoint, {});
  if (path !== undefined) return `${endpoint.path} needs ${path.field}`;
  const query = checks.query(request.query ?? {});
  if (query !== undefined) return `the query is wrong: ${query}`;
  if (!checks.body) return request.body === undefined ? undefined : `${endpoint.path} takes no body`;
  const body = checks.body(request.body);
  return body === undefined ? undefined : `the body is wrong: ${body}`;
}

function unsent(cause: FaultCause, message: string): ReadOutcome {
  const kind = cause === 'request' ? 'refused' : 'transient';
  return { ok: false, fault: readFault({ class: kind, cause, message, sent: false }) };
}

function slowed(backoff: Backoff): ReadOutcome {
  const retryAfterMs = Math.ceil(backoff.leftMs);
  const message = `not asked: the service wants us to slow down for another ${Math.ceil(retryAfterMs / 1_000)} s`;
  return { ok: false, fault: readFault({ cause: 'rate', message, sent: false, retryAfterMs }) };
}
