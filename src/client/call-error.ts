import type { RequestFault } from '../api/request.ts';
import type { Fault } from '../domain/fault.ts';
import type { HandReply } from '../gateway/hand.ts';
import type { Result } from './types.ts';

/**
 * What kept a call from its answer.
 * request: it breaks a rule of the API and was not sent. refused: the service said no. transient: nothing was done, asking again later may
 * help. unknown: it may have been done; look before it is repeated. answer: it was done, and the answer is not as the document says.
 */
export type CallErrorKind = 'request' | 'refused' | 'transient' | 'unknown' | 'answer';

interface Told {
  readonly sent: boolean;
  readonly broken?: RequestFault | undefined;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly data?: unknown;
}

/** A call that has no answer to give. No key of ours stands in its words. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly kind: CallErrorKind;
  /** Whether the request may have left this machine. */
  readonly sent: boolean;
  /** Of kind request: the field and the rule that it breaks. */
  readonly broken: RequestFault | undefined;
  readonly status: number | undefined;
  /** The service's own code. */
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  /** What the service asked us to wait, milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** Of kind answer: what came. */
  readonly data: unknown;

  constructor(kind: CallErrorKind, message: string, told: Told) {
    super(message);
    this.kind = kind;
    this.sent = told.sent;
    this.broken = told.broken;
    this.status = told.status;
    this.code = told.code;
    this.requestId = told.requestId;
    this.retryAfterMs = told.retryAfterMs;
    this.data = told.data;
  }
}

/** An answer of the service; throws CallError where there is none, or one that is not as documented. */
export function resultOf(reply: HandReply): Result<unknown> {
  if (!reply.ok) throw errorOf(reply.fault, reply.broken);
  const { data, status, requestId, odd } = reply;
  if (odd === undefined) return { data, status, requestId };
  throw new CallError('answer', `the answer is not as the document says: ${odd}`, { sent: true, status, requestId, data });
}

/** The error that a fault of the gateway is for whoever uses the client. */
function errorOf(fault: Fault, broken: RequestFault | undefined): CallError {
  const { sent, status, code, requestId, retryAfterMs } = fault;
  const kind = broken === undefined ? fault.class : 'request';
  return new CallError(kind, fault.message, { sent, status, code, requestId, retryAfterMs, broken });
}
