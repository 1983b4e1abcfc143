import type { EpochMs } from '../domain/clock.ts';
import type { Purchase, PurchaseState } from '../domain/purchase.ts';
import type { SendTimes } from '../engine/journal.ts';
import { PURCHASE_COLUMNS, type PurchaseRow, bit, purchaseOf } from './purchase-row.ts';
import { closesListing } from './schema.ts';
import type { Store } from './store.ts';

/** What may change in a purchase after its intent was written. */
export type Change = Partial<
  Pick<
    Purchase,
    | 'state'
    | 'serviceOrderId'
    | 'upstreamOrderId'
    | 'orderStatus'
    | 'paid'
    | 'refunded'
    | 'reason'
    | 'held'
    | 'wasUnknown'
    | 'refusalCause'
    | 'debitSeen'
    | 'answeredAt'
    | 'completedAt'
    | 'settlementAt'
  >
>;

/** Why a purchase is as it is: one row that is never changed, written in the transaction of the change that it explains. */
export interface Evidence {
  /** `intent`, `outcome`, `late`, `orphan`, `verdict`, `debit`, `clock`, the kind of a finding, or `contradiction`. */
  readonly kind: string;
  readonly note: string | undefined;
  /** The evidence itself, as it was read. */
  readonly json?: unknown;
}

export interface Moves {
  find(id: number): Purchase | undefined;
  /** The purchase, or a thrown RangeError: a purchase number that does not exist is a mistake of the caller. */
  mustFind(id: number): Purchase;
  /** Changes a purchase and keeps why. A move that is not legal is refused by the database. Runs inside a transaction. */
  change(before: Purchase, change: Change, evidence: Evidence, now: EpochMs, times?: SendTimes): Purchase;
  /** Keeps evidence that changes nothing. */
  note(purchase: Purchase, evidence: Evidence, now: EpochMs): void;
  /** The first evidence of a new purchase. */
  begin(purchase: Purchase, kind: string): void;
}

interface ChangeValues {
  readonly [column: string]: string | number | null;
}

const CHANGE = `
  UPDATE purchases SET
    moved_at = CASE WHEN state <> @state THEN @now ELSE moved_at END,
    accepted_at = CASE WHEN state <> @state AND @state = 'bought' THEN @now ELSE accepted_at END,
    accepted_seq = CASE WHEN state <> @state AND @state = 'bought' THEN @seq ELSE accepted_seq END,
    surplus = CASE WHEN state = 'rejected' AND @state = 'bought' AND EXISTS (
      SELECT 1 FROM purchases AS other WHERE other.market = purchases.market AND other.listing_id = purchases.listing_id
        AND other.account = purchases.account AND other.id <> purchases.id AND +lane = 'live' AND ${closesListing}
    ) THEN 1 ELSE surplus END,
    committed = CASE WHEN @state = 'expired' OR (@state = 'rejected' AND @held = 0) THEN 0 ELSE 1 END,
    amount = coalesce(@paid, cost), state = @state, service_order_id = @serviceOrderId, upstream_order_id = @upstreamOrderId, order_status = @orderStatus,
    paid = @paid, refunded = @refunded, reason = @reason, held = @held, was_unknown = @wasUnknown, refusal_cause = @refusalCause,
    debit_seen = @debitSeen, answered_at = @answeredAt, completed_at = @completedAt, settlement_at = @settlementAt,
    committed_at = coalesce(@committedAt, committed_at), sent_at = coalesce(@sentAt, sent_at), wire_answered_at = coalesce(@wireAnsweredAt, wire_answered_at), updated_at = @updatedAt
  WHERE id = @id`;

/** Reading one purchase and changing it, always together with the evidence for it. */
export function createMoves(store: Store): Moves {
  const select = store.reading<[number], PurchaseRow>(`SELECT ${PURCHASE_COLUMNS} FROM purchases WHERE id = ?`);
  const update = store.writing<[ChangeValues]>(CHANGE);
  const keep = store.writing<[number, EpochMs, string | null, string, string, string | null, string | null]>(
    'INSERT INTO evidence (purchase_id, at, from_state, to_state, kind, note, json) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const find = (id: number): Purchase | undefined => {
    const row = select.get(id);
    return row && purchaseOf(row);
  };
  const write = (from: PurchaseState | null, after: Purchase, evidence: Evidence, now: EpochMs): number => {
    const json = evidence.json === undefined ? null : JSON.stringify(evidence.json);
    return Number(keep(after.id, now, from, after.state, evidence.kind, evidence.note ?? null, json).lastInsertRowid);
  };
  return {
    find,
    mustFind(id) {
      const purchase = find(id);
      if (purchase === undefined) throw new RangeError(`there is no purchase ${id}`);
      return purchase;
    },
    change(before, change, evidence, now, times) {
      const after: Purchase = { ...before, ...change, updatedAt: Math.max(now, before.updatedAt) };
      const seq = write(before.state, after, evidence, now);
      update({ ...valuesOf(after, times), now, seq });
      return after;
    },
    note(purchase, evidence, now) {
      write(purchase.state, purchase, evidence, now);
    },
    begin(purchase, kind) {
      write(null, purchase, { kind, note: undefined }, purchase.createdAt);
    },
  };
}

function valuesOf(after: Purchase, times: SendTimes | undefined): ChangeValues {
  return {
    id: after.id,
    state: after.state,
    serviceOrderId: after.serviceOrderId ?? null,
    upstreamOrderId: after.upstreamOrderId ?? null,
    orderStatus: after.orderStatus ?? null,
    paid: after.paid ?? null,
    refunded: after.refunded,
    reason: after.reason ?? null,
    held: bit(after.held),
    wasUnknown: bit(after.wasUnknown),
    refusalCause: after.refusalCause ?? null,
    debitSeen: bit(after.debitSeen),
    answeredAt: after.answeredAt ?? null,
    completedAt: after.completedAt ?? null,
    settlementAt: after.settlementAt ?? null,
    committedAt: times?.committedAt ?? null,
    sentAt: times?.sentAt ?? null,
    wireAnsweredAt: times?.answeredAt ?? null,
    updatedAt: after.updatedAt,
  };
}
