import type { Check } from '../api/check.ts';
import type { EpochMs } from '../domain/clock.ts';
import type { Fault, FaultCause, FaultClass } from '../domain/fault.ts';
import { ageOf, serviceDateOf, unreadMessage, waitAskedBy, type Answer, type Body, type Whole } from './answer.ts';
import { causeOf, causeOfStatus } from './causes.ts';
import { asObject, fieldAt } from './fields.ts';
import { requestIdIn, saidIn, type Clean } from './said.ts';

export type ReadOutcome =
  | {
      readonly ok: true;
      readonly data: unknown;
      readonly status: number;
      readonly requestId: string | undefined;
      readonly serviceDate: EpochMs | undefined;
      readonly ageMs: number;
      readonly bytes: number;
      readonly receivedAt?: EpochMs;
    }
  | { readonly ok: false; readonly fault: Fault };

/** Asking again later may help: these say nothing about what was asked. */
const passing: ReadonlySet<FaultCause> = new Set([
  'rate',
  'ban',
  'service',
  'timeout',
  'connection',
  'unreadable',
  'redirect',
  'stale',
]);

/** What is asked of an answer. */
export interface Expected {
  /** The shape of `data`. */
  readonly check: Check;
  /** Not every key may ask this: a 403 then means the key, even where its body is no JSON. Elsewhere it is a door shut on us. */
  readonly mayForbid: boolean;
  /** Makes the service's words fit to be kept. */
  readonly clean: Clean;
}

/** What the answer to a question came to: `data` of the expected shape, or the fault. Nothing is guessed or coerced. */
export function classifyRead(answer: Answer, expected: Expected, now: EpochMs): ReadOutcome {
  const { status, headers } = answer;
  const common = { status, retryAfterMs: waitAskedBy(headers, now) };
  const bareCause = (otherwise: FaultCause): FaultCause => {
    if (status === undefined || status < 300) return otherwise;
    return status === 403 && expected.mayForbid ? 'key' : causeOfStatus(status);
  };
  if (answer.kind === 'broken') {
    return failed({ ...common, class: 'transient', cause: bareCause(answer.cause), sent: answer.sent, message: answer.message });
  }
  const json = jsonObjectIn(answer.body);
  if ('why' in json)
    return failed({ ...common, cause: bareCause('unreadable'), sent: true, message: unreadMessage(answer.status, json.why) });
  return judged(answer, json.object, expected, common.retryAfterMs);
}

function judged(answer: Whole, json: unknown, { check, clean }: Expected, retryAfterMs: number | undefined): ReadOutcome {
  const { status, headers, body } = answer;
  const common = { sent: true, status, requestId: requestIdIn(json, clean), retryAfterMs };
  const success = fieldAt(json, ['success']);
  if (status < 200 || status >= 300 || success === false) {
    const { code, message, words } = saidIn(json, clean);
    const cause = status >= 300 && status < 400 ? 'redirect' : causeOf(status, words);
    return failed({ ...common, cause, code, message: message ?? code ?? `HTTP ${status} without a word` });
  }
  const data = fieldAt(json, ['data']);
  const wrong = success === true ? check(data) : 'success must be true or false';
  if (wrong !== undefined)
    return failed({ ...common, cause: 'unreadable', message: clean(`the answer has the wrong shape: ${wrong}`) });
  const bytes = 'bytes' in body ? body.bytes : 0;
  const { requestId } = common;
  return { ok: true, data, status, requestId, serviceDate: serviceDateOf(headers), ageMs: ageOf(headers), bytes };
}

function jsonObjectIn(body: Body): { object: unknown } | { why: string } {
  if ('unreadable' in body) return { why: body.unreadable };
  try {
    const object: unknown = 'value' in body ? body.value : JSON.parse(body.text);
    return asObject(object) ? { object } : { why: 'it is no JSON object' };
  } catch {
    return { why: 'it is not JSON, or cut off' };
  }
}

type Told = Pick<Fault, 'cause' | 'message' | 'sent'> & Partial<Fault>;

function failed(told: Told): { ok: false; fault: Fault } {
  return { ok: false, fault: readFault(told) };
}

/** The fault of a read; a read changes nothing, so its class is never `unknown`. */
export function readFault(told: Told): Fault {
  const kind: FaultClass = told.class ?? (passing.has(told.cause) ? 'transient' : 'refused');
  const { cause, message, sent, status, code, requestId, retryAfterMs } = told;
  return { class: kind, cause, message, sent, status, code, requestId, retryAfterMs };
}
