import type { EpochMs } from '../domain/clock.ts';
import { ZERO } from '../domain/money.ts';
import type { Lane, Purchase, PurchaseState } from '../domain/purchase.ts';
import { itemKey } from '../domain/text.ts';
import type { Intent } from '../risk/intent.ts';

export const INSERT_INTENT = `
  INSERT INTO purchases (account, lane, state, strategy, strategy_hash, market, listing_id, item_id, market_hash_name, item, wear,
    paint_seed, price, price_micros, price_with_fee, cost, amount, committed, steam, base_seq, base_total, base_balance, seen_at, decided_at,
    created_at, updated_at, moved_at)
  VALUES (@account, @lane, @state, @strategy, @strategyHash, @market, @listingId, @itemId, @marketHashName, @item, @wear,
    @paintSeed, @price, @priceMicros, @priceWithFee, @cost, @cost, 1, @steam, @baseSeq, @baseTotal, @baseBalance, @seenAt, @decidedAt,
    @createdAt, @createdAt, @createdAt)`;

export interface IntentValues {
  readonly [column: string]: string | number | null;
}

/** A purchase whose row has no number yet. */
type Begun = Omit<Purchase, 'id'>;

/** What stands around a purchase when it begins. */
type Around = Pick<Purchase, 'account' | 'createdAt' | 'baseSeq' | 'baseTotal' | 'baseBalance'>;

/** As the columns are that `INSERT_INTENT` leaves out. */
const nothingYet = {
  serviceOrderId: undefined,
  upstreamOrderId: undefined,
  orderStatus: undefined,
  paid: undefined,
  refunded: ZERO,
  reason: undefined,
  held: false,
  wasUnknown: false,
  refusalCause: undefined,
  debitSeen: false,
  answeredAt: undefined,
  completedAt: undefined,
  settlementAt: undefined,
} as const;

const states: Readonly<Record<Lane, PurchaseState>> = { live: 'intended', paper: 'simulated' };

/** The purchase as its row is read from now on. */
export function begunFrom({ lane, strategy, strategyHash, listing }: Intent, around: Around): Begun {
  return {
    lane,
    state: states[lane],
    strategy,
    strategyHash,
    market: listing.market,
    listingId: listing.id,
    itemId: listing.itemId,
    marketHashName: listing.name,
    wear: listing.wear,
    paintSeed: listing.paintSeed,
    price: listing.price,
    priceMicros: listing.priceMicros,
    priceWithFee: listing.priceWithFee,
    cost: listing.cost,
    steam: listing.steam,
    ...nothingYet,
    ...around,
    updatedAt: around.createdAt,
  };
}

/** What `INSERT_INTENT` writes of it. */
export function valuesOf(begun: Begun, seenAt: EpochMs, decidedAt: EpochMs): IntentValues {
  return {
    account: begun.account,
    lane: begun.lane,
    state: begun.state,
    strategy: begun.strategy,
    strategyHash: begun.strategyHash,
    market: begun.market,
    listingId: begun.listingId,
    itemId: begun.itemId,
    marketHashName: begun.marketHashName,
    item: itemKey(begun.marketHashName),
    wear: begun.wear ?? null,
    paintSeed: begun.paintSeed ?? null,
    price: begun.price,
    priceMicros: begun.priceMicros,
    priceWithFee: begun.priceWithFee,
    cost: begun.cost,
    steam: begun.steam ?? null,
    baseSeq: begun.baseSeq,
    baseTotal: begun.baseTotal ?? null,
    baseBalance: begun.baseBalance ?? null,
    seenAt,
    decidedAt,
    createdAt: begun.createdAt,
  };
}
