import { endpoints, type EndpointName } from '../api/endpoints.ts';
import { routeOf } from '../api/routes.ts';
import type { SandboxRequest } from './answer.ts';
import type { SandboxAnswer } from './sandbox-answer.ts';

/** How the next calls of an endpoint fail. */
export interface ScriptedFailure {
  readonly endpoint: EndpointName;
  readonly times: number;
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Header of that name; undefined: none. */
  readonly retryAfter: string | undefined;
  /** The call is carried out, and only its answer is this. */
  readonly carriedOut: boolean;
  /** The connection breaks instead of an answer. */
  readonly lost: boolean;
  /** Milliseconds to the answer, or the break. */
  readonly delayMs: number;
}

/** Failures that a test has asked for, each in its turn. */
export class Scripted {
  #waiting: readonly ScriptedFailure[] = [];

  add(failure: ScriptedFailure): void {
    this.#waiting = [...this.#waiting, failure];
  }

  /** How a request fails, which is then counted; undefined: it does not. */
  strike({ method, path }: SandboxRequest): ScriptedFailure | undefined {
    const name = routeOf(method, path)?.name;
    const struck = this.#waiting.find(({ endpoint }) => endpoint === name);
    if (!struck) return undefined;
    const rest = struck.times - 1;
    this.#waiting = this.#waiting.flatMap((each) => (each === struck ? (rest > 0 ? [{ ...each, times: rest }] : []) : [each]));
    return struck;
  }
}

/** What is answered instead of `answer`, which is what the call has come to where it was carried out. */
export function scriptedAnswer(failure: ScriptedFailure, requestId: string): SandboxAnswer {
  const { status, code, message, retryAfter, lost, delayMs, carriedOut } = failure;
  if (lost) return { status: 0, headers: {}, bodyText: '', delayMs, lost: carriedOut ? 'after' : 'before' };
  const headers = { 'content-type': 'application/json; charset=utf-8', ...(retryAfter && { 'retry-after': retryAfter }) };
  return { status, headers, bodyText: JSON.stringify({ requestId, success: false, code, message }), delayMs };
}

/** A failure from the JSON of a request, or what is wrong with it. */
export function failureIn(given: Readonly<Record<string, unknown>>): ScriptedFailure | string {
  const { endpoint, times = 1, status = 500, code = 'SCRIPTED', message = 'a test asked for this', retryAfter } = given;
  const { carriedOut = false, lost = false, delayMs = 0 } = given;
  const name = (Object.keys(endpoints) as EndpointName[]).find(
    (each) => `${endpoints[each].method} ${endpoints[each].path}` === endpoint,
  );
  if (name === undefined) return 'endpoint must be METHOD PATH of the table, such as POST /v2/market/buy';
  if (!isWhole(times, 1, 1_000)) return 'times must be a whole number from 1 to 1000';
  if (!isWhole(status, 200, 599)) return 'status must be a whole number from 200 to 599';
  if (!isWhole(delayMs, 0, 600_000)) return 'delayMs must be a whole number from 0 to 600000';
  if (typeof carriedOut !== 'boolean' || typeof lost !== 'boolean') return 'carriedOut and lost must be true or false';
  if (typeof code !== 'string' || typeof message !== 'string') return 'code and message must be text';
  if (retryAfter !== undefined && !(typeof retryAfter === 'string' && /^[\x20-\x7e]{1,100}$/.test(retryAfter)))
    return 'retryAfter must be a text';
  return { endpoint: name, times, status, code, message, retryAfter, carriedOut, lost, delayMs };
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}
