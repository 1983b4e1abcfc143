import type { Clock, EpochMs } from '../domain/clock.ts';
import type { Fault } from '../domain/fault.ts';
import { microsFromDollars } from '../domain/money.ts';
import { printable } from '../domain/text.ts';
import { AnswerHistory } from '../gateway/answer-history.ts';
import type { Hand, HandReply } from '../gateway/hand.ts';
import type { ToldTransfer } from './decide/contradiction.ts';
import type { Reading } from './decide/step.ts';
import type { KeptTransfer } from './journal.ts';

export type BalanceReply =
  | {
      readonly ok: true;
      readonly accountId: string;
      readonly reading: Reading;
      /** The service's clock as the answer told it; undefined: it did not. */
      readonly serviceDate?: EpochMs | undefined;
    }
  | { readonly ok: false; readonly why: string; readonly retryAfterMs: number | undefined };

export type TransferReply =
  | { readonly kind: 'made'; readonly told: ToldTransfer; readonly requestId: string | undefined }
  /** The service said no to this request, whole and readable. */
  | { readonly kind: 'refused'; readonly why: string; readonly requestId: string | undefined }
  /** This request certainly moved nothing: it never left, or came too soon. */
  | { readonly kind: 'nothing'; readonly why: string; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'unknown'; readonly why: string; readonly requestId: string | undefined };

/** Reads one account's own balance. Never rejects. */
export interface BalanceReader {
  balance(): Promise<BalanceReply>;
}

/** Sends one transfer, once. Never rejects. */
export interface Mover {
  transfer(kept: KeptTransfer): Promise<TransferReply>;
}

/** So many answers of one account are told from those that are given again: there may be thousands of accounts. */
const REMEMBERED = 16;

/**
 * The balance of the account whose key a hand has. What lay in a cache on the way knows nothing of what was moved since: it counts as asked
 * for when it went in there, and one that is old or was given before is none.
 */
export function readerOf(hand: Hand, clock: Clock): BalanceReader {
  const history = new AnswerHistory(REMEMBERED);
  return {
    async balance() {
      const beganAt = clock.now();
      const reply = await hand.call('user', { key: 'account' });
      if (!reply.ok) return { ok: false, why: wordsOf(reply.fault), retryAfterMs: reply.fault.retryAfterMs };
      const { requestId, ageMs = 0 } = reply;
      const endedAt = clock.now();
      const old = history.note('user', { requestId, serviceDate: reply.serviceDate, beganAt, endedAt, ageMs });
      if (old !== undefined) return { ok: false, why: old, retryAfterMs: undefined };
      const askedAt = Math.min(beganAt, endedAt - ageMs);
      if (reply.odd !== undefined)
        return { ok: false, why: `not as documented: ${printable(reply.odd)}`, retryAfterMs: undefined };
      const { profile } = reply.data as { readonly profile: { readonly id: string; readonly balance: number } };
      const balance = microsFromDollars(profile.balance, 'down');
      if (balance === undefined)
        return { ok: false, why: `the balance is no amount: ${profile.balance}`, retryAfterMs: undefined };
      return { ok: true, accountId: profile.id, reading: { balance, askedAt }, serviceDate: reply.serviceDate };
    },
  };
}

/** Transfers with the top-level key that a hand has. */
export function moverOf(hand: Hand): Mover {
  return {
    async transfer({ to, amountCents, idempotencyKey }) {
      const recipient = to.email === undefined ? { toApiKeyId: to.keyId } : { toEmail: to.email };
      return replyOf(await hand.call('transfer', { body: { ...recipient, amountCents, idempotencyKey }, key: 'account' }));
    },
  };
}

function replyOf(reply: HandReply): TransferReply {
  if (reply.ok) {
    const { requestId, odd } = reply;
    if (odd !== undefined) return { kind: 'unknown', why: `the answer is not as documented: ${printable(odd)}`, requestId };
    return { kind: 'made', told: toldOf(reply.data), requestId };
  }
  const { fault } = reply;
  const { requestId, retryAfterMs } = fault;
  const why = wordsOf(fault);
  if (!fault.sent || (fault.class === 'transient' && fault.cause === 'rate')) return { kind: 'nothing', why, retryAfterMs };
  return fault.class === 'refused' ? { kind: 'refused', why, requestId } : { kind: 'unknown', why, requestId };
}

function toldOf(data: unknown): ToldTransfer {
  const said = data as Readonly<Record<string, unknown>>;
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  return {
    amountCents: typeof said['amountCents'] === 'number' ? said['amountCents'] : undefined,
    partnerKeyId: text(said['partnerApiKeyId']),
    childKeyId: text(said['userApiKeyId']),
  };
}

function wordsOf({ status, message }: Fault): string {
  return printable(status === undefined ? message : `HTTP ${status}: ${message}`);
}
