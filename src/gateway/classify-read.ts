import type { Check } from '../api/check.ts';
import type { EpochMs } from '../domain/clock.ts';
import type { Fault, FaultCause, FaultClass } from '../domain/fault.ts';
import { serviceMessage } from '../domain/text.ts';
import { serviceDateOf, unreadMessage, waitAskedBy, type Answer } from './answer.ts';
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
      readonly bytes: number;
    }
  | { readonly ok: false; readonly fault: Fault };

/** Asking again later may help: these say nothing about what was asked. */
const passing: ReadonlySet<FaultCause> = new Set(['rate', 'ban', 'service', 'timeout', 'connection', 'unreadable', 'redirect']);

/** What the answer to a question came to: `data` of the shape that `check` asks for, or the fault. Nothing is guessed or coerced. */
export function classifyRead(answer: Answer, check: Check, now: EpochMs, clean: Clean = serviceMessage): ReadOutcome {
  if (answer.kind === 'broken') {
    const cause = answer.status === undefined || answer.status < 300 ? answer.cause : causeOfStatus(answer.status);
    const { sent, status, message, headers } = answer;
    return failed({ class: 'transient', cause, sent, status, message, retryAfterMs: waitAskedBy(headers, now) });
  }
  const { status, headers, body } = answer;
  const retryAfter = waitAskedBy(headers, now);
  const unreadable = (why: string): ReadOutcome =>
    failed({ cause: causeOfStatus(status), sent: true, status, message: unreadMessage(status, why), retryAfterMs: retryAfter });
  if ('unreadable' in body) return unreadable(body.unreadable);
  let json: unknown;
  try {
    json = JSON.parse(body.text);
  } catch {
    return unreadable('it is not JSON, or cut off');
  }
  if (!asObject(json)) return unreadable('it is no JSON object');
  const requestId = requestIdIn(json, clean);
  const success = fieldAt(json, ['success']);
  if (status < 200 || status >= 300 || success === false) return said(status, json, requestId, retryAfter, clean);
  const data = fieldAt(json, ['data']);
  const wrong = success === true ? check(data) : 'success must be true or false';
  if (wrong === undefined) return { ok: true, data, status, requestId, serviceDate: serviceDateOf(headers), bytes: body.bytes };
  const message = clean(`the answer has the wrong shape: ${wrong}`);
  return failed({ cause: 'unreadable', sent: true, status, message, requestId, retryAfterMs: retryAfter });
}

/** A failure in the service's own words. */
function said(
  status: number,
  json: unknown,
  requestId: string | undefined,
  retryAfterMs: number | undefined,
  clean: Clean,
): ReadOutcome {
  const { code, message, words } = saidIn(json, clean);
  const redirected = status >= 300 && status < 400;
  return failed({
    cause: redirected ? 'redirect' : causeOf(status, words),
    sent: true,
    status,
    code,
    message: message ?? code ?? `HTTP ${status} without a word`,
    requestId,
    retryAfterMs,
  });
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
