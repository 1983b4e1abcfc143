import type { RequestReply } from '../app/by-hand.ts';

/** Reads the answer to a request; one of a daemon of another version may say anything. */
export function replyOf(value: unknown): RequestReply {
  const { ok, purchase, message, error, unknown } = fieldsOf(value);
  const known = {
    ...(isObject(purchase) ? { purchase } : {}),
    ...(typeof unknown === 'number' ? { unknown } : {}),
  };
  if (ok === true) return { ok, message: typeof message === 'string' ? message : 'done', ...known };
  return {
    ok: false,
    error: typeof error === 'string' && error !== '' ? error : 'the daemon gave an answer that this version does not know',
    ...known,
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
