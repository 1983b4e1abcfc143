import type { EpochMs } from '../domain/clock.ts';
import type { FaultCause } from '../domain/fault.ts';
import { httpDate, retryAfterMs } from '../domain/retry-after.ts';

/** Header names in lower case; a header that came twice is a list. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The body of a whole answer: its text, or its JSON where that was read without the text, or why it cannot be read. */
export type Body =
  | { readonly text: string; readonly bytes: number }
  | (Listed & { readonly bytes: number })
  | { readonly unreadable: string };

/** The JSON of an answer of the live listings, as JSON.parse would give it, with the list that is in it. */
export interface Listed {
  readonly value: unknown;
  readonly listings: readonly unknown[];
}

/** Another way to read the live listings than by their text: undefined where that has to be done. Never throws. */
export type ReadListed = (pieces: readonly Buffer[]) => Listed | undefined;

/** One answer of the live listings while it arrives. Never throws. */
export interface Arriving {
  push(piece: Buffer): void;
  /**
   * What the answer would be, had it ended behind the last listing that is there whole, which `end` is the byte after. Its list is the
   * same one each time and grows. undefined: there is no such listing yet, or it has to be read whole.
   */
  soFar(): (Listed & { readonly end: number }) | undefined;
  /** The whole answer, all of which was pushed; undefined where it has to be read whole. */
  end(): Listed | undefined;
  /** It breaks off. Nothing comes after this. */
  drop(): void;
}

/** Reads the live listings, one answer after another. */
export interface ListedReader {
  readonly read: ReadListed;
  /** Begins with an answer that is still to arrive, of about so many bytes if that is known. One that had begun before is left to be read whole. */
  arriving(bytes?: number): Arriving;
}

/** An answer that arrived from its first byte to its last. */
export interface Whole {
  readonly kind: 'whole';
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** A request that ended without a whole answer. */
export interface Broken {
  readonly kind: 'broken';
  readonly cause: FaultCause;
  readonly message: string;
  /** Whether its headers may have left this machine. */
  readonly sent: boolean;
  /** As far as an answer had come; undefined when not even its status had. */
  readonly status: number | undefined;
  readonly headers: Headers;
}

export type Answer = Whole | Broken;

/** The header's first value; undefined when it did not come. */
export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** When the service says it answered, epoch milliseconds; undefined when it does not. */
export function serviceDateOf(headers: Headers): EpochMs | undefined {
  return httpDate(headerOf(headers, 'date'));
}

/** How long the answer says that it lay in caches on its way, milliseconds; 0 where nothing is said. */
export function ageOf(headers: Headers): number {
  const age = headerOf(headers, 'age')?.trim() ?? '';
  return /^\d{1,9}$/.test(age) ? Number(age) * 1_000 : 0;
}

/** What Retry-After asks for, in milliseconds. A date is told from the service's own clock where it shows one. */
export function waitAskedBy(headers: Headers, now: EpochMs): number | undefined {
  return retryAfterMs(headerOf(headers, 'retry-after'), serviceDateOf(headers) ?? now);
}

/** What is said of an answer whose body tells nothing. Its bytes are never quoted: they may be a whole page. */
export function unreadMessage(status: number, why: string): string {
  if (status >= 300 && status < 400) return `HTTP ${status}: a redirect, which is never followed`;
  return `HTTP ${status}, and its body was not read: ${why}`;
}
