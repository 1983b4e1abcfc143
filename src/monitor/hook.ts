import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../domain/clock.ts';
import type { Secret } from '../domain/secret.ts';
import { hostNamed, listenAt, pathNamed, type ListenAt, type ListeningServer } from './listening.ts';

export interface HookOptions extends ListenAt {
  /** The one path that is listened to; as good as a secret, so it is never told. */
  readonly path: Secret;
  /** What events are signed with; undefined: they are not. */
  readonly secret: Secret | undefined;
  /** The header with the HMAC-SHA256 of the body in hexadecimal digits, with or without `sha256=` before it. Lower case. */
  readonly header: string;
  readonly isOurName: (host: string) => boolean;
  readonly clock: Pick<Clock, 'mono'>;
  readonly told: (event: HookEvent) => void;
  /** Told of what was turned away, by its reason. */
  readonly refused: (why: HookRefusal) => void;
}

/** What came, as it says of itself. Nothing of it is a fact. */
export interface HookEvent {
  readonly id: string | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

export type HookRefusal = 'signature' | 'size' | 'rate' | 'form';

/** Longer bodies are no events. */
const BODY_BYTES_MAX = 65_536;
/** Events in a minute, at most, and so many at once. */
const PER_MINUTE = 120;
const AT_ONCE = 30;

/** Listens to events that somebody posts. Rejects with the system's error where it cannot listen. */
export function listenForHooks(options: HookOptions): Promise<ListeningServer> {
  const allowance = new Allowance(options.clock);
  return listenAt(options, (request, response) => {
    const status = turnedAway(request, options, allowance);
    if (status === undefined) return void take(request, response, options);
    request.resume();
    end(request, response, status);
  });
}

/** A status for what is turned away before its body is read; undefined: it is read. */
function turnedAway(request: IncomingMessage, options: HookOptions, allowance: Allowance): number | undefined {
  const { path, isOurName, refused } = options;
  if (!isOurName(hostNamed(request))) return 421;
  // Equally long whether right or wrong: whoever guesses learns nothing from how long it takes.
  if (!isSame(pathNamed(request), path.reveal())) return 404;
  if (request.method !== 'POST') return 405;
  if (!allowance.take()) {
    refused('rate');
    return 429;
  }
  if (Number(request.headers['content-length'] ?? 0) <= BODY_BYTES_MAX) return undefined;
  refused('size');
  return 413;
}

async function take(request: IncomingMessage, response: ServerResponse, options: HookOptions): Promise<void> {
  const bytes = await bodyOf(request);
  if (bytes === 'broken') return;
  if (bytes === 'long') {
    options.refused('size');
    return end(request, response, 413);
  }
  if (options.secret && !isSigned(bytes, options.secret, request.headers[options.header])) {
    options.refused('signature');
    return end(request, response, 401);
  }
  const event = eventIn(bytes, request.headers['x-webhook-id']);
  if (event) options.told(event);
  else options.refused('form');
  end(request, response, event ? 204 : 400);
}

function end(request: IncomingMessage, response: ServerResponse, status: number): void {
  if (response.destroyed) return;
  const closes = status >= 400;
  response.writeHead(status, { 'cache-control': 'no-store', 'content-length': 0, ...(closes && { connection: 'close' }) });
  response.end(() => closes && request.destroy());
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | 'long' | 'broken'> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > BODY_BYTES_MAX) return 'long';
      pieces.push(piece);
    }
  } catch {
    return 'broken';
  }
  return Buffer.concat(pieces);
}

function isSigned(bytes: Buffer, secret: Secret, given: string | readonly string[] | undefined): boolean {
  const expected = createHmac('sha256', secret.reveal()).update(bytes).digest('hex');
  return (
    typeof given === 'string' &&
    isSame(
      given
        .trim()
        .toLowerCase()
        .replace(/^sha256=/, ''),
      expected,
    )
  );
}

/** By their hashes, which are equally long. */
function isSame(one: string, other: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}

/** Any JSON object is an event; where its id and its type stand is not documented. */
function eventIn(bytes: Buffer, idHeader: string | readonly string[] | undefined): HookEvent | undefined {
  const body = bytes.toString('utf8');
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const text = (name: string): string | undefined => {
      const field = Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
      return typeof field === 'string' && field !== '' && field.length <= 200 ? field : undefined;
    };
    const id = typeof idHeader === 'string' && idHeader !== '' ? idHeader.slice(0, 200) : (text('id') ?? text('eventId'));
    return { id, type: text('type') ?? text('event'), body };
  } catch {
    return undefined;
  }
}

/** So many at once, and so many a minute. */
class Allowance {
  readonly #clock: Pick<Clock, 'mono'>;
  #left = AT_ONCE;
  #at: number;

  constructor(clock: Pick<Clock, 'mono'>) {
    this.#clock = clock;
    this.#at = clock.mono();
  }

  take(): boolean {
    const now = this.#clock.mono();
    this.#left = Math.min(AT_ONCE, this.#left + ((now - this.#at) * PER_MINUTE) / 60_000);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
