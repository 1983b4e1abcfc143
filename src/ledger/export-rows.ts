import type { EpochMs } from '../domain/clock.ts';
import type { Purchase } from '../domain/purchase.ts';
import type { Shadow } from '../domain/shadow.ts';
import type { ShadowQueries } from './shadows.ts';
import { PURCHASE_COLUMNS, type PurchaseRow, purchaseOf } from './purchase-row.ts';
import type { Store } from './store.ts';

/** A purchase with when its money moved, as far as the service's transactions tell it. */
export interface ExportRow {
  readonly purchase: Purchase;
  /** When its debit was first seen; undefined before. */
  readonly paidAt: EpochMs | undefined;
  /** When the service booked the newest of its refunds, or where it did not say, when that was seen. */
  readonly refundedAt: EpochMs | undefined;
  /** What live would have come to, of a purchase on paper that was checked. */
  readonly shadow: Shadow | undefined;
}

export interface ExportQueries {
  /** The purchases made since the one time and before the other, oldest first, in batches, so that no long history is ever in memory. */
  purchasesBetween(since: EpochMs, until: EpochMs): Iterable<readonly ExportRow[]>;
}

interface Row extends PurchaseRow {
  readonly paid_at: EpochMs | null;
  readonly refunded_at: EpochMs | null;
}

/** Rows read at once. */
const BATCH = 500;

export function createExportQueries(store: Store, { shadowsOf }: Pick<ShadowQueries, 'shadowsOf'>): ExportQueries {
  const batch = store.reading<[number, EpochMs, EpochMs, number], Row>(
    `SELECT ${PURCHASE_COLUMNS},
       (SELECT min(at) FROM transactions_used WHERE purchase_id = purchases.id AND used_as IN ('bought', 'paid')) AS paid_at,
       (SELECT max(coalesce(booked_at, at)) FROM transactions_used WHERE purchase_id = purchases.id AND used_as = 'refund')
         AS refunded_at
     FROM purchases WHERE id > ? AND created_at >= ? AND created_at < ? ORDER BY id LIMIT ?`,
  );
  return {
    *purchasesBetween(since, until) {
      let rows = batch.all(0, since, until, BATCH);
      while (rows.length > 0) {
        const shadows = shadowsOf(rows.map(({ id }) => id));
        yield rows.map((row) => ({
          purchase: purchaseOf(row),
          paidAt: row.paid_at ?? undefined,
          refundedAt: row.refunded_at ?? undefined,
          shadow: shadows.get(row.id),
        }));
        rows = batch.all(rows.at(-1)?.id ?? 0, since, until, BATCH);
      }
    },
  };
}
