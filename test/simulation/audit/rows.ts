import type Database from 'better-sqlite3';

/** A live purchase as its row stands in the file. Amounts in micro-dollars. */
export interface PurchaseRow {
  readonly id: number;
  readonly state: string;
  readonly held: number;
  readonly was_unknown: number;
  readonly refusal_cause: string | null;
  readonly strategy: string;
  readonly market: string;
  readonly listing_id: string;
  readonly market_hash_name: string;
  readonly wear: number | null;
  readonly price: number;
  readonly cost: number;
  readonly paid: number | null;
  readonly refunded: number;
  readonly service_order_id: string | null;
  readonly order_status: string | null;
  readonly reason: string | null;
  /** The newest order that was known when it was written. */
  readonly base_seq: number;
  readonly created_at: number;
}

export interface EvidenceRow {
  readonly seq: number;
  readonly purchase_id: number;
  readonly at: number;
  readonly from_state: string | null;
  readonly to_state: string;
  readonly kind: string;
  readonly note: string | null;
  readonly json: string | null;
}

export interface OrderRow {
  readonly seq: number;
  readonly order_id: string;
  readonly known_as: string;
  readonly purchase_id: number | null;
  readonly amount: number;
  readonly name: string;
  readonly first_seen: number;
}

export interface HaltRow {
  readonly reason: string;
  readonly by_whom: string;
  readonly at: number;
  readonly resumed_at: number | null;
}

export interface AlertRow {
  readonly kind: string;
  readonly at: number;
  readonly message: string;
  readonly purchase_id: number | null;
}

/** The ledger, by raw SQL. */
export interface Rows {
  readonly purchases: readonly PurchaseRow[];
  readonly evidence: readonly EvidenceRow[];
  readonly orders: readonly OrderRow[];
  readonly halts: readonly HaltRow[];
  readonly alerts: readonly AlertRow[];
  /** When matches were refused because as many were bought within an hour as may be; undefined: nobody asked. */
  readonly breakerAt?: readonly number[];
}

export function readRows(db: Database.Database): Rows {
  const all = <T>(sql: string): T[] => db.prepare<[], T>(sql).all();
  return {
    purchases: all<PurchaseRow>("SELECT * FROM purchases WHERE lane = 'live' ORDER BY id"),
    evidence: all<EvidenceRow>(
      "SELECT * FROM evidence WHERE purchase_id IN (SELECT id FROM purchases WHERE lane = 'live') ORDER BY seq",
    ),
    orders: all<OrderRow>('SELECT * FROM orders ORDER BY seq'),
    halts: all<HaltRow>('SELECT * FROM halts ORDER BY id'),
    alerts: all<AlertRow>('SELECT * FROM alerts ORDER BY id'),
    breakerAt: all<{ at: number }>(
      "SELECT at FROM decisions WHERE lane = 'live' AND reason = 'breaker-per-hour' ORDER BY id",
    ).map(({ at }) => at),
  };
}

/** The parts of the journal that two runs of one life must share to the byte. */
export function journalText(db: Database.Database): string {
  const tables = ['purchases', 'evidence', 'orders', 'transactions_used', 'halts', 'balances', 'alerts', 'decisions', 'hours'];
  return tables.map((table) => JSON.stringify(db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all())).join('\n');
}

export function keyOf(row: { readonly market: string; readonly listing_id: string }): string {
  return `${row.market}:${row.listing_id}`;
}
