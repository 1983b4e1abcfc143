import type { Micros } from '../domain/money.ts';
import type { Lane, Purchase, PurchaseState } from '../domain/purchase.ts';

/** The columns of a purchase in the order in which the queries of this folder name them. */
export const PURCHASE_COLUMNS =
  'id, account, lane, state, strategy, strategy_hash, market, listing_id, item_id, market_hash_name, wear, paint_seed, price, ' +
  'price_micros, price_with_fee, cost, steam, service_order_id, upstream_order_id, order_status, paid, refunded, reason, held, ' +
  'was_unknown, refusal_cause, debit_seen, base_seq, base_total, base_balance, created_at, updated_at, answered_at, completed_at, ' +
  'settlement_at';

/** A purchase as SQLite gives it. */
export interface PurchaseRow {
  readonly id: number;
  readonly account: string;
  readonly lane: Lane;
  readonly state: PurchaseState;
  readonly strategy: string;
  readonly strategy_hash: string;
  readonly market: string;
  readonly listing_id: string;
  readonly item_id: string;
  readonly market_hash_name: string;
  readonly wear: number | null;
  readonly paint_seed: number | null;
  readonly price: number;
  readonly price_micros: Micros;
  readonly price_with_fee: number;
  readonly cost: Micros;
  readonly steam: Micros | null;
  readonly service_order_id: string | null;
  readonly upstream_order_id: string | null;
  readonly order_status: string | null;
  readonly paid: Micros | null;
  readonly refunded: Micros;
  readonly reason: string | null;
  readonly held: 0 | 1;
  readonly was_unknown: 0 | 1;
  readonly refusal_cause: string | null;
  readonly debit_seen: 0 | 1;
  readonly base_seq: number;
  readonly base_total: number | null;
  readonly base_balance: Micros | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly answered_at: number | null;
  readonly completed_at: number | null;
  readonly settlement_at: number | null;
}

export function purchaseOf(row: PurchaseRow): Purchase {
  return {
    id: row.id,
    account: row.account,
    lane: row.lane,
    state: row.state,
    strategy: row.strategy,
    strategyHash: row.strategy_hash,
    market: row.market,
    listingId: row.listing_id,
    itemId: row.item_id,
    marketHashName: row.market_hash_name,
    wear: row.wear ?? undefined,
    paintSeed: row.paint_seed ?? undefined,
    price: row.price,
    priceMicros: row.price_micros,
    priceWithFee: row.price_with_fee,
    cost: row.cost,
    steam: row.steam ?? undefined,
    serviceOrderId: row.service_order_id ?? undefined,
    upstreamOrderId: row.upstream_order_id ?? undefined,
    orderStatus: row.order_status ?? undefined,
    paid: row.paid ?? undefined,
    refunded: row.refunded,
    reason: row.reason ?? undefined,
    held: row.held === 1,
    wasUnknown: row.was_unknown === 1,
    refusalCause: row.refusal_cause ?? undefined,
    debitSeen: row.debit_seen === 1,
    baseSeq: row.base_seq,
    baseTotal: row.base_total ?? undefined,
    baseBalance: row.base_balance ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    answeredAt: row.answered_at ?? undefined,
    completedAt: row.completed_at ?? undefined,
    settlementAt: row.settlement_at ?? undefined,
  };
}

/** SQLite's yes and no. */
export function bit(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}
