import type { EpochMs } from '../domain/clock.ts';
import type { FaultCause } from '../domain/fault.ts';
import { type Micros, formatDollars, microsFromDollars } from '../domain/money.ts';
import { type Purchase, closesListing } from '../domain/purchase.ts';
import type { Refusal } from './caps.ts';

/** What an earlier purchase of a listing means for a new one. */
export type Taken =
  | { /** Bought, in flight, unknown, or once unknown: never again. */ readonly kind: 'closed' }
  | {
      /** Counted on paper at this base price in dollars; another price is another offer. */ readonly kind: 'simulated';
      readonly price: number;
    }
  | {
      readonly kind: 'refused';
      /** Base price in dollars as it was sent. */
      readonly price: number;
      readonly cause: FaultCause | undefined;
      /** Its money is still held. */
      readonly held: boolean;
      readonly at: EpochMs;
      /** The balance believed in when it was sent. */
      readonly balance: Micros | undefined;
    };

/** What tells whether the cause of a refusal has gone. */
export interface Since {
  readonly balance: Micros | undefined;
  /** When a purchase was last accepted, or a person acted (start, resume); undefined when never. */
  readonly provenAt: EpochMs | undefined;
}

/** What a purchase leaves behind for its listing; undefined when it leaves nothing (its request never left). */
export function takenBy(purchase: Purchase): Taken | undefined {
  if (purchase.state === 'expired') return undefined;
  if (purchase.state === 'simulated') return { kind: 'simulated', price: purchase.price };
  if (purchase.state === 'rejected' && !purchase.wasUnknown) {
    return {
      kind: 'refused',
      price: purchase.price,
      cause: purchase.refusalCause as FaultCause | undefined,
      held: purchase.held,
      at: purchase.answeredAt ?? purchase.updatedAt,
      balance: purchase.baseBalance,
    };
  }
  return closesListing(purchase) ? { kind: 'closed' } : undefined;
}

/** Causes of a refusal that say nothing about the listing, so that the same offer may be tried again once they have gone. */
const passingCauses: ReadonlySet<string> = new Set<FaultCause>(['rate', 'ban', 'funds', 'key', 'owner']);

/** Whether an earlier purchase forbids a new one at this price. */
export function takenRefusal(taken: Taken | undefined, price: number, since: Since): Refusal | undefined {
  if (taken === undefined) return undefined;
  if (taken.kind === 'closed') return { reason: 'taken', detail: 'an earlier purchase of this listing stands' };
  if (taken.kind === 'simulated') {
    return taken.price === price ? alreadySimulated(price) : undefined;
  }
  if (taken.held) return { reason: 'refusal-unconfirmed', detail: 'its last refusal is not confirmed yet' };
  if (taken.price !== price) return undefined;
  if (taken.cause === undefined || !passingCauses.has(taken.cause)) {
    return { reason: 'refused-before', detail: `refused before ${samePrice(price)}: ${taken.cause ?? 'no cause given'}` };
  }
  return causeGone(taken, since)
    ? undefined
    : { reason: 'refusal-cause', detail: `refused for ${taken.cause}, which has not gone` };
}

/** Another account of the same process has the listing. */
export const claimedElsewhere: Refusal = { reason: 'claimed', detail: 'another account has it' };

/**
 * Whether what became of a listing in one account keeps every other account from buying it. What is bought, in flight or was ever unknown
 * does for ever; a refusal does until it is confirmed, and then still, unless its cause was the account's own (its rate, its money, its key,
 * its trade URL), which says that the listing stands.
 */
export function keepsFromOthers(taken: Taken | undefined): boolean {
  if (taken === undefined || taken.kind === 'simulated') return false;
  if (taken.kind === 'closed') return true;
  return taken.held || taken.cause === undefined || !passingCauses.has(taken.cause);
}

/** Paper has counted this very offer. */
export function alreadySimulated(price: number): Refusal {
  return { reason: 'already-simulated', detail: `counted before ${samePrice(price)}` };
}

/** It is the base price that makes an offer the same; everywhere else the price with the fee is shown. */
function samePrice(price: number): string {
  const exact = microsFromDollars(price, 'up');
  return `at the same price (${exact === undefined ? `$${price}` : formatDollars(exact)} without the fee)`;
}

/** A slow-down is over by the time anything is admitted; money must have come in; a key or trade URL must have proved itself. */
function causeGone(taken: Extract<Taken, { kind: 'refused' }>, since: Since): boolean {
  if (taken.cause === 'rate' || taken.cause === 'ban') return true;
  if (taken.cause === 'funds') {
    return since.balance !== undefined && taken.balance !== undefined && since.balance > taken.balance;
  }
  return since.provenAt !== undefined && since.provenAt > taken.at;
}
