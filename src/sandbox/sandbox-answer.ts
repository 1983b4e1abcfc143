import type { EpochMs } from '../domain/clock.ts';
import { chance, pick, type Random } from '../domain/random.ts';
import { envelopeText, type ApiAnswer } from './answer.ts';

/** What goes out to the caller, whatever the transport. */
export interface SandboxAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyText: string;
  /** Milliseconds from the request to the answer (or to the break of the connection). */
  readonly delayMs: number;
  /** The connection breaks without an answer: before or after the request took effect. */
  readonly lost?: 'before' | 'after';
  /** The body ends early: `clean`, as if it were whole, or `torn`, by a broken connection. `bodyText` is what arrives. */
  readonly cut?: 'clean' | 'torn';
}

const json = { 'content-type': 'application/json; charset=utf-8' };

export function whole(answer: ApiAnswer): SandboxAnswer {
  return { status: answer.status, headers: json, bodyText: envelopeText(answer), delayMs: 0 };
}

export function lost(when: 'before' | 'after'): SandboxAnswer {
  return { status: 0, headers: {}, bodyText: '', delayMs: 0, lost: when };
}

/** The answer ends somewhere in the middle. */
export function cutOff(answer: SandboxAnswer, random: Random): SandboxAnswer {
  const length = Math.floor(answer.bodyText.length * (0.05 + 0.9 * random.next()));
  return { ...answer, bodyText: answer.bodyText.slice(0, length), cut: chance(random, 0.5) ? 'clean' : 'torn' };
}

export function htmlPage(random: Random): SandboxAnswer {
  const status = pick(random, [200, 502]);
  const bodyText = `<!DOCTYPE html>\n<html><head><title>${status === 200 ? 'Just a moment...' : '502 Bad Gateway'}</title></head><body><h1>Please wait</h1><p>The page is being prepared.</p></body></html>\n`;
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, bodyText, delayMs: 0 };
}

/** The same request answered with a failure instead. */
export function failed(answer: ApiAnswer, status: number, code: string | number, message: string): SandboxAnswer {
  return whole({ ...answer, status, result: { success: false, code, message } });
}

/** A success whose data is nothing that a client expects. */
export function oddShape(answer: ApiAnswer, random: Random): SandboxAnswer {
  return whole({ ...answer, status: 200, result: { success: true, data: pick(random, [{ data: [] }, { data: null }]).data } });
}

/** No service means this: some have sent it. */
const ABSURD_WAIT = '99999999999';

/** A 429 with one of the forms of Retry-After that have been seen (field-notes), or none. */
export function tooMany(answer: ApiAnswer, random: Random, now: EpochMs): SandboxAnswer {
  const forms = ['1', '2', '0.5', new Date(now + 2000).toUTCString(), '0', '-3', 'soon', ABSURD_WAIT, undefined];
  const drawn = random.next() * forms.length;
  const form = forms[Math.floor(drawn)];
  // Rare among them, since it is waited for as long as any such header is believed: a client meets little else meanwhile.
  const retryAfter = form === ABSURD_WAIT && drawn % 1 > 0.1 ? 'soon' : form;
  const refused = failed(answer, 429, 'RATE_LIMITED', 'too many requests');
  return retryAfter === undefined ? refused : { ...refused, headers: { ...refused.headers, 'retry-after': retryAfter } };
}

/** A 403 as a ban looks: JSON or a page. */
export function forbidden(answer: ApiAnswer, random: Random): SandboxAnswer {
  const refused = failed(answer, 403, 'FORBIDDEN', 'access denied');
  if (chance(random, 0.5)) return refused;
  return {
    ...refused,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    bodyText: '<html><body><h1>403 Forbidden</h1></body></html>\n',
  };
}
