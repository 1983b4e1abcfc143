import { Client, type Dispatcher } from 'undici';
import { type Clock, sleep } from '../domain/clock.ts';
import { retryAfterMs } from '../domain/retry-after.ts';
import { type Secret, scrubber } from '../domain/secret.ts';
import { serviceMessage } from '../domain/text.ts';
import type { Sent } from './channel.ts';

export interface Posting {
  readonly url: URL;
  /** POST unless it says otherwise. */
  readonly method?: 'GET';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Appear in nothing that is returned. */
  readonly secrets: readonly Secret[];
  /** What to do where it is refused. */
  readonly next: string;
}

/** For a whole exchange; a chat that takes longer is down. */
const DEADLINE_MS = 15_000;

/** More of an answer than this is not read. */
const ANSWER_BYTES_MAX = 16_384;

const options = {
  allowH2: false,
  headersTimeout: 0,
  bodyTimeout: 0,
  // Whatever the environment says of certificates.
  connect: { rejectUnauthorized: true, timeout: DEADLINE_MS },
} as const satisfies Client.Options;

/** Sends one request, never again by itself, follows no redirect, and says what came of it. Never rejects. */
export async function post(posting: Posting, clock: Clock, signal: AbortSignal): Promise<Sent> {
  const scrub = scrubber(posting.secrets);
  const ending = new AbortController();
  const end = (): void => ending.abort();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  let late = false;
  const timer = new AbortController();
  void sleep(clock, DEADLINE_MS, timer.signal).then(() => {
    if (timer.signal.aborted) return;
    late = true;
    end();
  });
  const client = new Client(posting.url.origin, options);
  try {
    const { url, method = 'POST', headers, body = null } = posting;
    const path = `${url.pathname}${url.search}`;
    const answer = await client.request({ method, path, headers, body, signal: ending.signal });
    return outcomeOf(answer, await beginningOf(answer.body), posting, clock, scrub);
  } catch (error) {
    const message = late ? `no whole answer within ${DEADLINE_MS / 1_000} s` : serviceMessage(scrub(reasonOf(error)));
    return { ok: false, kind: 'transient', message, retryAfterMs: undefined };
  } finally {
    timer.abort();
    signal.removeEventListener('abort', end);
    // Not awaited: what has gone wrong with a socket is nobody's concern any more.
    void client.destroy();
  }
}

async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= ANSWER_BYTES_MAX) break;
  }
  return Buffer.concat(pieces).subarray(0, ANSWER_BYTES_MAX).toString();
}

function outcomeOf(
  { statusCode, headers }: Dispatcher.ResponseData,
  text: string,
  { next }: Posting,
  clock: Clock,
  scrub: (text: string) => string,
): Sent {
  const said = fieldsOf(text);
  if (statusCode >= 200 && statusCode < 300 && said['ok'] !== false) return { ok: true };
  const words = [said['description'], said['message'], text].find((each) => typeof each === 'string' && each !== '');
  const message = serviceMessage(scrub(`status ${statusCode}${typeof words === 'string' ? `: ${words}` : ''}`));
  const passes = statusCode >= 500 || [408, 425, 429].includes(statusCode);
  if (!passes) return { ok: false, kind: 'refused', message, next };
  const { retry_after: asked = fieldsOf(said['parameters'])['retry_after'] } = said;
  const header = headers['retry-after'];
  const wait = typeof asked === 'number' ? String(asked) : Array.isArray(header) ? header[0] : header;
  return { ok: false, kind: 'transient', message, retryAfterMs: retryAfterMs(wait, clock.wall()) };
}

/** The fields of an object, also of one that is written as JSON; none of anything else. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  if (typeof value !== 'string') return {};
  try {
    const read: unknown = JSON.parse(value);
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Where several addresses were tried, each failure stands inside. */
function reasonOf(error: unknown): string {
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return inner instanceof Error && inner.message !== '' ? inner.message : 'the connection failed';
}
