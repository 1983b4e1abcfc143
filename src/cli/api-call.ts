import { join } from 'node:path';
import type { EndpointName } from '../api/endpoints.ts';
import { transferKeysIn } from '../app/transfers/folder.ts';
import type { TransferBody, TransferKeys } from '../app/transfers/kept.ts';
import { type OnceReply, transferOnce } from '../app/transfers/once.ts';
import type { HandReply, HandRequest } from '../gateway/hand.ts';
import { prepareFolder } from '../ledger/folder.ts';
import type { Settings } from '../settings/settings.ts';
import { CommandFailure, exits } from './exit.ts';
import type { ServiceByHand } from './service.ts';

export type ReplyByHand = HandReply & Partial<Pick<OnceReply, 'wasDone' | 'notNoted'>>;

/**
 * One call of an endpoint. A transfer's key is kept in the data folder before it is sent: the one in its body, or one that is made from its
 * purpose.
 */
export async function callByHand(
  { hand, settings }: ServiceByHand,
  name: EndpointName,
  request: HandRequest,
  purpose: string | undefined,
): Promise<ReplyByHand> {
  if (name !== 'transfer' || !isObject(request.body)) {
    if (purpose === undefined) return hand.call(name, request);
    throw new CommandFailure(exits.wrong, 'Nothing was sent: --purpose is for transfers alone, and needs a body.');
  }
  const { idempotencyKey, ...body } = request.body as TransferBody & { readonly idempotencyKey?: unknown };
  if (purpose !== undefined && idempotencyKey !== undefined) throw twoKeys();
  if (purpose !== undefined) return transferOnce(hand, keysOf(settings), { purpose, body, key: request.key });
  if (hand.brokenRule(name, request) !== undefined || typeof idempotencyKey !== 'string') return hand.call(name, request);
  return transferOnce(hand, keysOf(settings), { purpose: idempotencyKey, body, idempotencyKey, key: request.key });
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** What remembers the transfers of a configuration, in its data folder. Throws CommandFailure where that cannot be used. */
export function keysOf(settings: Settings): TransferKeys {
  const fault = prepareFolder(settings.data);
  if (fault) throw new CommandFailure(exits.failed, `Nothing was sent: its key could not be kept: ${fault.message}`);
  return transferKeysIn(join(settings.data, 'magpie.transfers'));
}

function twoKeys(): CommandFailure {
  return new CommandFailure(
    exits.wrong,
    'Nothing was sent: the body has an idempotencyKey, and --purpose makes one. → leave one of the two out',
  );
}
