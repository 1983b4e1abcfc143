import type { Alert } from '../domain/alert.ts';
import type { EpochMs } from '../domain/clock.ts';
import type { Lane, Purchase, PurchaseState } from '../domain/purchase.ts';
import { type AlertRow, STANDING_ALERTS, alertOf } from './alerts.ts';
import { PURCHASE_COLUMNS, type PurchaseRow, purchaseOf } from './purchase-row.ts';
import type { Store } from './store.ts';

/** A piece of a list that is newest first by time, and by number where times are the same: what lists of several ledgers are joined from. */
export interface TimeSlice {
  /** What is older than this, or as old with a smaller number. */
  readonly before: { readonly at: EpochMs; readonly id: number };
  /** Then or later. */
  readonly since: EpochMs;
  readonly limit: number;
}

export interface PurchasesOfTime extends TimeSlice {
  readonly state?: PurchaseState | undefined;
  readonly strategy?: string | undefined;
  /** Part of the item's name, or the whole id of the listing. */
  readonly words?: string | undefined;
}

export interface NumberedAlert extends Alert {
  readonly id: number;
}

export interface ByTimeQueries {
  purchasesByTime(slice: PurchasesOfTime): readonly Purchase[];
  /** As `alerts` of a single ledger: without digests, and without trade offers that no longer wait. */
  alertsByTime(slice: TimeSlice): readonly NumberedAlert[];
}

/** What narrows a list of purchases; null does not. */
export const FITTING_PURCHASES = `(@state IS NULL OR state = @state) AND (@strategy IS NULL OR strategy = @strategy)
  AND (@words IS NULL OR listing_id = @words OR instr(lower(market_hash_name), lower(@words)) > 0)`;

interface SliceValues {
  readonly at: EpochMs;
  readonly id: number;
  readonly since: EpochMs;
  readonly limit: number;
}

interface PurchaseValues extends SliceValues {
  readonly lane: Lane;
  readonly committed: 0 | 1;
  readonly state: string | null;
  readonly strategy: string | null;
  readonly words: string | null;
}

/** There is an index by time for each of these alone: asked of one after another, no more is read than is asked for. */
const kinds = [
  { lane: 'live', committed: 1 },
  { lane: 'live', committed: 0 },
  { lane: 'paper', committed: 1 },
  { lane: 'paper', committed: 0 },
] as const;

export function createByTimeQueries(store: Store): ByTimeQueries {
  const purchases = store.reading<[PurchaseValues], PurchaseRow>(
    `SELECT ${PURCHASE_COLUMNS} FROM purchases WHERE lane = @lane AND committed = @committed
       AND created_at BETWEEN @since AND @at AND (created_at < @at OR id < @id) AND ${FITTING_PURCHASES}
     ORDER BY created_at DESC, id DESC LIMIT @limit`,
  );
  const alerts = store.reading<[SliceValues], AlertRow & { readonly id: number }>(
    `SELECT id, kind, at, message, next, purchase_id FROM alerts
     WHERE at BETWEEN @since AND @at AND (at < @at OR id < @id) AND ${STANDING_ALERTS} ORDER BY at DESC, id DESC LIMIT @limit`,
  );
  return {
    purchasesByTime({ state, strategy, words, ...slice }) {
      const values = { ...valuesOf(slice), state: state ?? null, strategy: strategy ?? null, words: words ?? null };
      return kinds
        .flatMap((kind) => purchases.all({ ...kind, ...values }))
        .toSorted((one, other) => other.created_at - one.created_at || other.id - one.id)
        .slice(0, slice.limit)
        .map(purchaseOf);
    },
    alertsByTime: (slice) => alerts.all(valuesOf(slice)).map((row) => ({ id: row.id, ...alertOf(row) })),
  };
}

function valuesOf({ before, since, limit }: TimeSlice): SliceValues {
  return { ...before, since, limit };
}
