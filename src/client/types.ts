import type { z } from 'zod';
import type { BodyOf, DataOf, EndpointName, QueryOf, endpoints } from '../api/endpoints.ts';

type Row<N extends EndpointName> = (typeof endpoints)[N];

type Parameters<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | Parameters<Rest> : never;

type PathOf<N extends EndpointName> = { readonly [Name in Parameters<Row<N>['path']>]: string };

/** Of any names, or of names that may all be missing. */
type HasNothingRequired<T> = string extends keyof T ? true : Partial<T> extends T ? true : false;

/** May be left out where nothing in it must be given. */
type Part<Name extends string, T> = undefined extends T
  ? { readonly [K in Name]?: T }
  : HasNothingRequired<T> extends true
    ? { readonly [K in Name]?: T }
    : { readonly [K in Name]: T };

/** What a call of an endpoint is given. */
export type CallRequest<N extends EndpointName> = Part<'path', PathOf<N>> &
  Part<'query', QueryOf<N>> &
  Part<'body', BodyOf<N>> & {
    /** Breaks the call off. What changes something may have been done all the same. */
    readonly signal?: AbortSignal;
  };

/** `data` of an answer, as the API's document describes it; unknown where it shows none. */
export type AnswerOf<N extends EndpointName> =
  Row<N> extends { readonly whole: infer Whole extends z.ZodType } ? z.infer<Whole> : DataOf<N>;

/** An answer of the service. */
export interface Result<T> {
  readonly data: T;
  /** What to quote to the service; undefined where it gave none. */
  readonly requestId: string | undefined;
  readonly status: number;
}

/** Calls one endpoint, once. Rejects with CallError, and with nothing else. */
export type Method<N extends EndpointName> =
  Partial<CallRequest<N>> extends CallRequest<N>
    ? (request?: CallRequest<N>) => Promise<Result<AnswerOf<N>>>
    : (request: CallRequest<N>) => Promise<Result<AnswerOf<N>>>;

/** A method for each endpoint, by the name that its row has in the table. */
export type Methods = { readonly [N in EndpointName]: Method<N> };
