import { createHash } from 'node:crypto';
import { requestFaultText, type RequestFault } from '../../api/request.ts';
import type { Fault } from '../../domain/fault.ts';
import { printable } from '../../domain/text.ts';
import type { Hand, HandReply, HandRequest } from '../../gateway/hand.ts';
import type { Found, KeptTransfer, TransferBody, TransferKeys } from './kept.ts';

export interface TransferOnce {
  /** What it is for, in words that are of this transfer alone: `funding-2026-11-28-merchant-7`. */
  readonly purpose: string;
  readonly body: TransferBody;
  /** Left out: made from the purpose, so that it would be the same even where what was kept is lost. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whose key asks; left out: the partner's. */
  readonly key?: HandRequest['key'];
}

export type OnceReply = HandReply & {
  /** It had been made before, and nothing was sent; the answer is the one of then. */
  readonly wasDone: boolean;
  /** It was made, and could not be noted: in words why. A repeat is sent again, with the same key. */
  readonly notNoted?: string;
};

/** The longest purpose, in characters. */
const PURPOSE_MAX = 500;

/**
 * Makes a transfer of money once for what it is for, however often that is asked: its idempotency key is on disk before it leaves, and a
 * later call with the same purpose sends the same key again, or nothing where it is known to have been made. Never rejects, sends once at
 * most. What a first attempt was clearly refused leaves its purpose free.
 */
export async function transferOnce(hand: Hand, keys: TransferKeys, asked: TransferOnce): Promise<OnceReply> {
  const { purpose, body, signal, key } = asked;
  const idempotencyKey = asked.idempotencyKey ?? keyFor(purpose);
  const broken = purposeFault(purpose) ?? hand.brokenRule('transfer', { body: { ...body, idempotencyKey } });
  if (broken !== undefined) return notSent(requestFaultText(broken), 'request', broken);
  const { toEmail, toApiKeyId, amountCents } = body;
  const kept: KeptTransfer = { purpose, idempotencyKey, toEmail, toApiKeyId, amountCents };
  let found: Found;
  try {
    found = await keys.keep(kept);
  } catch (error) {
    return notSent(`its key could not be kept: ${words(error)}`, 'other');
  }
  const other = differenceOf(found.kept, kept);
  if (other !== undefined) return notSent(requestFaultText(other), 'request', other);
  if (found.answer !== undefined) return { ok: true, ...found.answer, odd: undefined, wasDone: true };
  const reply = otherAmount(await hand.call('transfer', { body: { ...body, idempotencyKey }, signal, key }), amountCents);
  return { ...reply, wasDone: false, ...(await noted(keys, found, reply)) };
}

async function noted(keys: TransferKeys, { kept, isNew }: Found, reply: HandReply): Promise<Pick<OnceReply, 'notNoted'>> {
  try {
    if (reply.ok) {
      if (reply.odd !== undefined) return {};
      const { data, status, requestId } = reply;
      await keys.done(kept.purpose, { data, status, requestId });
    } else if (isNew && reply.fault.class === 'refused') {
      // Only of a first attempt: a refusal of a repeat says nothing of those before it.
      await keys.release(kept.purpose);
    }
    return {};
  } catch (error) {
    return { notNoted: words(error) };
  }
}

/** The service gives what its key has moved before: where what was kept is lost, that may have been another amount. */
function otherAmount(reply: HandReply, amountCents: number): HandReply {
  if (!reply.ok || reply.odd !== undefined) return reply;
  const { amountCents: moved } = reply.data as { readonly amountCents?: number | null };
  if (moved === undefined || moved === null || moved === amountCents) return reply;
  return { ...reply, odd: `amountCents is ${moved}, and ${amountCents} was asked for: the key has moved that amount before` };
}

function keyFor(purpose: unknown): string {
  return `magpie-${createHash('sha256').update(String(purpose)).digest('hex').slice(0, 48)}`;
}

function purposeFault(purpose: unknown): RequestFault | undefined {
  if (typeof purpose === 'string' && purpose.trim() !== '' && purpose.length <= PURPOSE_MAX) return undefined;
  return { where: 'body', field: 'purpose', rule: `must say in 1 to ${PURPOSE_MAX} characters what the transfer is for` };
}

/** What was kept under this purpose for something else. */
function differenceOf(kept: KeptTransfer, asked: KeptTransfer): RequestFault | undefined {
  for (const field of ['toEmail', 'toApiKeyId', 'amountCents', 'idempotencyKey'] as const) {
    if (kept[field] === asked[field]) continue;
    const rule = `was ${kept[field] ?? 'left out'} when "${printable(kept.purpose)}" was first sent; another transfer needs another purpose`;
    return { where: 'body', field, rule };
  }
  return undefined;
}

function notSent(message: string, cause: Fault['cause'], broken?: RequestFault): OnceReply {
  const known = { status: undefined, code: undefined, requestId: undefined, retryAfterMs: undefined };
  const fault: Fault = { ...known, class: broken ? 'refused' : 'transient', cause, message, sent: false };
  return { ok: false, fault, wasDone: false, ...(broken ? { broken } : {}) };
}

const words = (error: unknown): string => printable(error instanceof Error ? error.message : String(error));
