import type { TransferBody, TransferKeys } from '../app/transfers/kept.ts';
import { transferOnce } from '../app/transfers/once.ts';
import type { Hand } from '../gateway/hand.ts';
import { CallError, resultOf } from './call-error.ts';
import type { AnswerOf, Result } from './types.ts';

export interface PurposefulTransfer {
  /** What it is for, in words that are of this transfer alone: `funding-2026-11-28-merchant-7`. */
  readonly purpose: string;
  /** As `transfer` takes it, without a key: that is made from the purpose. */
  readonly body: TransferBody;
  readonly signal?: AbortSignal;
}

export interface MadeTransfer extends Result<AnswerOf<'transfer'>> {
  /** It had been made before, nothing was sent, and this is the answer of then. */
  readonly wasDone: boolean;
}

/** Rejects with CallError, and with nothing else. Called again with the same purpose after any of them, it moves money once all the same. */
export type OneTransfer = (transfer: PurposefulTransfer) => Promise<MadeTransfer>;

/** Transfers that are made once for their purpose. */
export function oneTransfer(hand: Hand, keys: TransferKeys | undefined): OneTransfer {
  return async ({ purpose, body, signal }) => {
    if (keys === undefined)
      throw new CallError('request', 'createClient was given no transferKeys, such as transferKeysIn(folder)', { sent: false });
    const reply = await transferOnce(hand, keys, { purpose, body, signal });
    const { data, status, requestId } = resultOf(reply);
    const { wasDone, notNoted } = reply;
    if (notNoted === undefined) return { data: data as AnswerOf<'transfer'>, status, requestId, wasDone };
    throw new CallError('answer', `it was made, but could not be noted: ${notNoted}`, { sent: true, status, requestId, data });
  };
}
