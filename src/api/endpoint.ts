import type { z } from 'zod';
import type { FieldRule } from './field-rules.ts';

/** Who may call: any key (child or core), a top-level key, or a partner key. */
export type Auth = 'key' | 'top-level' | 'partner';

/** How sure a part of a row is. documented: the document gives it; assumed: it gives it in part; open: it shows none. */
export type Certainty = 'documented' | 'assumed' | 'open';

/** A call of an endpoint as one writes it down. */
export interface ExampleCall {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
}

/**
 * One endpoint of the partner API. Everything that speaks or serves the API is derived from this row: requests, checks,
 * sandbox routes, `magpie api`, the client library, documentation.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  /** Path with `{name}` for path parameters. */
  readonly path: string;
  readonly auth: Auth;
  readonly summary: string;
  readonly query: z.ZodObject;
  /** undefined: takes no body. */
  readonly body?: z.ZodType;
  /** What the document asks of the body's fields together. */
  readonly rules?: readonly FieldRule[];
  /** The shape of `data` in a successful answer, as far as an answer without it tells nothing. */
  readonly data: z.ZodType;
  /** The same with every element of its lists, where `data` leaves them to be judged one by one. */
  readonly whole?: z.ZodType;
  /** What a call changes: never repeated by itself. money: it spends or moves some; state: it makes or ends something. */
  readonly moves?: 'money' | 'state';
  /** Of query and body; left out: documented. */
  readonly request?: Certainty;
  /** Of the answer. */
  readonly payload: Certainty;
  /** The document calls it legacy: what it prefers. */
  readonly replacedBy?: string;
  readonly example?: ExampleCall;
}

/** `v1` or `v2`: the version is the first part of the path. */
export function versionOf({ path }: Pick<Endpoint, 'path'>): string {
  return path.split('/')[1] ?? '';
}
