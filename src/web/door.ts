import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { Secret } from '../domain/secret.ts';
import { isLoopback } from '../settings/loopback.ts';

/** A month: who looks in once a day is asked once a month. */
const SESSION_S = 30 * 86_400;

/** Wrong tokens that are answered at once; after them, so many a minute. */
const GUESSES = 10;
const GUESS_MS = 60_000 / 10;

/** Whether somebody may come in: by the name they call us, by where they come from, and by the token. */
export class Door {
  readonly #token: Secret;
  readonly #host: string;
  readonly #session: string;
  #guesses = GUESSES;
  #guessedAt = 0;

  constructor({ token, host }: { readonly token: Secret; readonly host: string }) {
    this.#token = token;
    this.#host = host.toLowerCase();
    // It shows that its bearer has once shown the token, outlasts a restart, and tells nobody what the token is.
    this.#session = createHmac('sha256', token.reveal()).update('session of the page, first kind').digest('base64url');
  }

  /**
   * Whether a request calls us by a name of ours. A page elsewhere may have its own name lead here: so no name is taken but that of the
   * configuration and this machine's; an address of digits cannot be made to lead elsewhere.
   */
  knowsName({ host = '' }: IncomingHttpHeaders): boolean {
    const name = nameOf(host).toLowerCase();
    if (isLoopback(name)) return true;
    if (isLoopback(this.#host)) return false;
    return name === this.#host || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
  }

  /** Whether a request comes from our own page, or from no page at all. One that changes something must say so. */
  isOurs(headers: IncomingHttpHeaders, changes: boolean): boolean {
    const { host = '', origin } = headers;
    const site = headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
    if (origin === undefined) return !changes;
    return origin === `http://${host}`;
  }

  /** Whether the request bears a session, or the token itself, as a program would send it. */
  isOpenTo({ authorization = '', cookie = '', host = '' }: IncomingHttpHeaders, nowMs: number): boolean {
    const bearer = /^Bearer (.{1,512})$/.exec(authorization)?.[1];
    if (bearer !== undefined) return this.tried(bearer, nowMs) === 'right';
    const shown = cookieOf(cookie, cookieName(host));
    return shown !== undefined && same(shown, this.#session);
  }

  /** Judges a token that somebody gives. `late`: too many were wrong, and this one was not looked at. */
  tried(token: string, nowMs: number): 'right' | 'wrong' | 'late' {
    this.#guesses = Math.min(GUESSES, this.#guesses + (nowMs - this.#guessedAt) / GUESS_MS);
    this.#guessedAt = nowMs;
    if (this.#guesses < 1) return 'late';
    if (same(token, this.#token.reveal())) return 'right';
    this.#guesses -= 1;
    return 'wrong';
  }

  /** The header that gives a browser its session, or takes it away. No script can read it, and no other site can have it sent. */
  cookie({ host = '' }: IncomingHttpHeaders, gives: boolean): string {
    const value = gives ? this.#session : '';
    return `${cookieName(host)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${gives ? SESSION_S : 0}`;
  }
}

/** Cookies know no ports: two Magpies of one machine must not take each other's. */
function cookieName(host: string): string {
  return `magpie-${/:(\d{1,5})$/.exec(host)?.[1] ?? '80'}`;
}

function cookieOf(header: string, name: string): string | undefined {
  for (const part of header.split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name) return value;
  }
  return undefined;
}

/** Takes as long whatever is right of it. */
function same(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** A host without its port: `127.0.0.1`, `[::1]`. */
function nameOf(host: string): string {
  return host.replace(/:\d{0,5}$/, '');
}
