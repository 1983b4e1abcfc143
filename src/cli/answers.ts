import { type ReasonCode, reasons } from '../domain/reason.ts';

/** What a purchase by hand came to, from the daemon or from this process. */
export type BuyAnswer =
  | { /** Its row, whatever state it is in by now. */ readonly ok: true; readonly purchaseId: number }
  | { readonly ok: false; readonly error: string; /** When admission refused it. */ readonly reason?: ReasonCode | undefined };

/** What one round of settling came to. */
export type ReconcileAnswer =
  | { readonly ok: true; /** Purchases that changed by it. */ readonly changed: number }
  | { readonly ok: false; readonly error: string };

/** Reads an answer of the daemon; one of another version may say anything. */
export function buyAnswerOf(value: unknown): BuyAnswer {
  const { ok, purchaseId, error, reason } = fieldsOf(value);
  if (ok === true && typeof purchaseId === 'number') return { ok, purchaseId };
  return { ok: false, error: errorOf(error), reason: isReason(reason) ? reason : undefined };
}

export function reconcileAnswerOf(value: unknown): ReconcileAnswer {
  const { ok, changed, error } = fieldsOf(value);
  return ok === true ? { ok, changed: typeof changed === 'number' ? changed : 0 } : { ok: false, error: errorOf(error) };
}

function errorOf(error: unknown): string {
  return typeof error === 'string' && error !== '' ? error : 'the daemon gave an answer that this version does not know';
}

function isReason(value: unknown): value is ReasonCode {
  return typeof value === 'string' && Object.hasOwn(reasons, value);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
