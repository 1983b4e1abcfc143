import type { EpochMs } from '../../domain/clock.ts';
import { ZERO } from '../../domain/money.ts';
import type { Purchase, PurchaseState } from '../../domain/purchase.ts';
import type { BuyOutcome } from '../../domain/outcome.ts';
import type { Approved, Intent } from '../../risk/intent.ts';

/** The row of a purchase as the ledger would have begun it. */
export function begun(id: number, intent: Approved<Intent>, at: EpochMs): Purchase {
  const { lane, strategy, strategyHash, listing } = intent;
  return {
    ...{ id, account: '', lane, state: lane === 'live' ? 'intended' : 'simulated', strategy, strategyHash },
    ...{ market: listing.market, listingId: listing.id, itemId: listing.itemId, marketHashName: listing.name },
    ...{ wear: listing.wear, paintSeed: listing.paintSeed, price: listing.price, priceMicros: listing.priceMicros },
    ...{ priceWithFee: listing.priceWithFee, cost: listing.cost, steam: listing.steam },
    ...{ serviceOrderId: undefined, upstreamOrderId: undefined, orderStatus: undefined, paid: undefined, refunded: ZERO },
    ...{ reason: undefined, held: false, wasUnknown: false, refusalCause: undefined, debitSeen: false },
    ...{ baseSeq: 0, baseTotal: undefined, baseBalance: undefined, createdAt: at, updatedAt: at },
    ...{ answeredAt: undefined, completedAt: undefined, settlementAt: undefined },
  };
}

/** The same row once it has come to something. */
export function moved(purchase: Purchase, state: PurchaseState, at: EpochMs, fields: Partial<Purchase> = {}): Purchase {
  return { ...purchase, state, updatedAt: at, ...fields };
}

export const accepted: BuyOutcome = {
  ...{ kind: 'bought', serviceOrderId: 'replayed', upstreamOrderId: undefined, orderStatus: 'SUCCESS' },
  ...{ message: undefined, mismatch: undefined, requestId: undefined },
};

export function refusedFor(cause: 'gone' | 'other'): BuyOutcome {
  return {
    ...{ kind: 'refused', cause, status: 409, code: undefined, message: 'replayed', requestId: undefined },
    retryAfterMs: undefined,
  };
}
