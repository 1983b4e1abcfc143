import { Pool } from 'undici';
import type { Endpoint } from '../api/endpoints.ts';
import type { Clock } from '../domain/clock.ts';
import { scrubber, type Secret } from '../domain/secret.ts';
import { headerOf, unreadMessage, waitAskedBy, type Answer } from './answer.ts';
import { answerOf } from './body.ts';
import { connectorOptions, poolOptions } from './connect.ts';
import { Exchange } from './exchange.ts';
import { asObject } from './fields.ts';
import { ACCEPT_ENCODING } from './inflation.ts';
import { headersFor } from './line.ts';
import { baseOf, targetOf } from './target.ts';
import { withoutSecretHeaders, withoutSecrets } from './without-secrets.ts';

/** The largest answer, decoded, that is read at all. */
const ANSWER_MAX = 64 * 1024 * 1024;

export interface ProbeOptions {
  readonly baseUrl: string;
  /** In the answers these are masked, each whole. */
  readonly secrets: readonly Secret[];
  /** true: what the table says to change something is never sent. */
  readonly readOnly: boolean;
  /** For one request, from its dispatch to the last byte of its answer, milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

export interface ProbeRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON, whatever it is. */
  readonly body?: unknown;
  /** undefined: none is sent. */
  readonly key: Secret | undefined;
}

export type ProbeAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** undefined: the body was no JSON object, and `why` says so. */
      readonly json: Readonly<Record<string, unknown>> | undefined;
      readonly why: string | undefined;
      /** Milliseconds that it asks to wait. */
      readonly retryAfterMs: number | undefined;
    }
  | { readonly kind: 'none'; readonly why: string };

/** Requests to one service that break its rules on purpose, each written once. */
export interface Probe {
  /** Never rejects for what the service does. Throws RangeError for a row that changes something where only reads are allowed. */
  send(row: Endpoint, request: ProbeRequest): Promise<ProbeAnswer>;
  close(): Promise<void>;
}

/** Throws TypeError for a base URL that is none. */
export function createProbe({ baseUrl, secrets, readOnly, timeoutMs, clock }: ProbeOptions): Probe {
  const base = baseOf(baseUrl);
  const { origin } = base.url;
  const pool = new Pool(origin, { ...poolOptions, connect: connectorOptions(timeoutMs) });
  const scrub = scrubber(secrets);
  const send = async (row: Endpoint, { path, query, body, key }: ProbeRequest): Promise<ProbeAnswer> => {
    if (readOnly && row.moves !== undefined) throw new RangeError(`${row.method} ${row.path} changes something: it is not sent`);
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const wire = {
      method: row.method,
      path: targetOf(base, row, query, path),
      headers: headersFor(key, bytes, ACCEPT_ENCODING),
      body: bytes,
      limitBytes: ANSWER_MAX,
    };
    const exchange = new Exchange(pool, wire, clock, () => undefined);
    const stop = clock.after(timeoutMs, () => exchange.cancel('timeout', `no whole answer within ${timeoutMs} ms`));
    try {
      return told(await answerOf(withoutSecretHeaders(await exchange.ended, scrub), ANSWER_MAX), scrub, clock);
    } finally {
      stop();
    }
  };
  return { send, close: () => pool.destroy() };
}

function told(answer: Answer, scrub: (text: string) => string, clock: Clock): ProbeAnswer {
  if (answer.kind === 'broken') return { kind: 'none', why: scrub(answer.message) };
  const { status, headers: given, body } = answer;
  const common = { kind: 'answered', status, retryAfterMs: waitAskedBy(given, clock.now()) } as const;
  const unread = (why: string): ProbeAnswer => ({ ...common, json: undefined, why: scrub(unreadMessage(status, why)) });
  if ('unreadable' in body) return unread(body.unreadable);
  try {
    const value: unknown = 'value' in body ? body.value : JSON.parse(body.text);
    const json = asObject(withoutSecrets(value, scrub));
    return json === undefined ? unread('it is no JSON object') : { ...common, json, why: undefined };
  } catch {
    return unread(`it is not JSON, or cut off (${headerOf(given, 'content-type') ?? 'no type'})`);
  }
}
