import type { EpochMs } from '../domain/clock.ts';
import type { Decision } from '../domain/decision.ts';
import { type Micros, micros } from '../domain/money.ts';
import type { Lane, Purchase, PurchaseState } from '../domain/purchase.ts';
import { FITTING_PURCHASES } from './by-time.ts';
import { DECISION_COLUMNS, type DecisionRow, decisionOf } from './decisions.ts';
import { PURCHASE_COLUMNS, type PurchaseRow, purchaseOf } from './purchase-row.ts';
import type { Store } from './store.ts';

/** A decision with its number, by which a reader goes on where another answer ended. */
export interface NumberedDecision extends Decision {
  readonly id: number;
}

export interface DecisionFilter {
  /** Older than the decision of that number. */
  readonly before?: number | undefined;
  /** Newer than the decision of that number. */
  readonly after?: number | undefined;
  readonly verdict?: 'admitted' | 'refused' | undefined;
  readonly strategy?: string | undefined;
  readonly reason?: string | undefined;
  /** Part of the item's name, or the whole id of the listing. */
  readonly words?: string | undefined;
  readonly limit: number;
}

export interface PurchaseSlice {
  /** Older than the purchase of that number. */
  readonly before?: number | undefined;
  readonly state?: PurchaseState | undefined;
  readonly strategy?: string | undefined;
  readonly words?: string | undefined;
  readonly limit: number;
}

/** Purchases of one day (UTC), strategy and state. */
export interface DaySum {
  /** Whole days since the epoch. */
  readonly day: number;
  readonly strategy: string;
  readonly state: PurchaseState;
  /** Why the service refused them, where it did. */
  readonly cause: string | undefined;
  readonly count: number;
  /** What the caps count of them, refunds not taken off. */
  readonly spent: Micros;
  /** How many had a price on Steam, what these cost, and what Steam asked for them then. */
  readonly priced: { readonly count: number; readonly spent: Micros; readonly steam: Micros };
}

export interface DecisionCount {
  readonly strategy: string;
  readonly verdict: 'admitted' | 'refused';
  readonly reason: string | undefined;
  readonly count: number;
}

/** How long one purchase took, by the stages of its way. */
export interface Reaction {
  readonly id: number;
  readonly sentAt: EpochMs;
  /** From seen to sent, and from sent to answered, milliseconds; undefined where no answer came. */
  readonly ownMs: number;
  readonly serviceMs: number | undefined;
}

/** Questions of whoever looks on; each looks at a bounded number of rows. */
export interface PageQueries {
  /** Newest first, among the newest rows beyond the bounds alone: what nothing fits in those is not searched for further. */
  decisionPage(filter: DecisionFilter): readonly NumberedDecision[];
  newestDecision(): number;
  /** By strategy, verdict and reason, of the newest rows since then; `whole` where those are all of that time. */
  decisionCounts(since: EpochMs): { readonly counts: readonly DecisionCount[]; readonly whole: boolean };
  /** Newest first. */
  purchasePage(slice: PurchaseSlice): readonly Purchase[];
  /** Of a lane, since then, oldest day first. */
  daySums(lane: Lane, since: EpochMs): readonly DaySum[];
  /** Of the newest purchases that were sent, oldest first. */
  reactions(limit: number): readonly Reaction[];
}

/** Rows that are looked at for one answer, some hundred milliseconds at most. */
const SEARCHED = 50_000;
const COUNTED = 200_000;

interface FilterValues {
  readonly before: number | null;
  readonly after: number | null;
  readonly verdict: string | null;
  readonly strategy: string | null;
  readonly reason: string | null;
  readonly words: string | null;
  readonly limit: number;
}

export function createPageQueries(store: Store): PageQueries {
  return { ...createDecisionPages(store), ...createPurchasePages(store) };
}

function createDecisionPages(store: Store): Pick<PageQueries, 'decisionPage' | 'newestDecision' | 'decisionCounts'> {
  const page = store.reading<[FilterValues], DecisionRow & { id: number }>(
    `SELECT id, ${DECISION_COLUMNS} FROM (
       SELECT * FROM decisions WHERE id < coalesce(@before, 9007199254740991) AND id > coalesce(@after, 0)
       ORDER BY id DESC LIMIT ${SEARCHED})
     WHERE (@verdict IS NULL OR verdict = @verdict) AND (@strategy IS NULL OR strategy = @strategy)
       AND (@reason IS NULL OR reason = @reason)
       AND (@words IS NULL OR listing_id = @words OR instr(lower(market_hash_name), lower(@words)) > 0)
     ORDER BY id DESC LIMIT @limit`,
  );
  const newest = store.value<[], number | null>('SELECT max(id) FROM decisions');
  const counts = store.reading<
    [number, EpochMs],
    { strategy: string; verdict: Decision['verdict']; reason: string | null; count: number }
  >(
    `SELECT strategy, verdict, reason, count(*) AS count FROM decisions WHERE id > ? AND at >= ?
     GROUP BY strategy, verdict, reason ORDER BY count DESC`,
  );
  const timeOf = store.value<[number], EpochMs>('SELECT at FROM decisions WHERE id <= ? ORDER BY id DESC LIMIT 1');
  return {
    decisionPage: ({ before, after, verdict, strategy, reason, words, limit }) =>
      page
        .all({
          ...{ before: before ?? null, after: after ?? null, verdict: verdict ?? null, strategy: strategy ?? null },
          ...{ reason: reason ?? null, words: words ?? null, limit },
        })
        .map((row) => ({ id: row.id, ...decisionOf(row) })),
    newestDecision: () => newest() ?? 0,
    decisionCounts(since) {
      const bound = (newest() ?? 0) - COUNTED;
      return {
        counts: counts.all(bound, since).map(({ reason, ...row }) => ({ ...row, reason: reason ?? undefined })),
        whole: bound <= 0 || (timeOf(bound) ?? 0) < since,
      };
    },
  };
}

interface SumRow {
  readonly day: number;
  readonly strategy: string;
  readonly state: PurchaseState;
  readonly cause: string | null;
  readonly count: number;
  readonly spent: number;
  readonly priced: number;
  readonly priced_spent: number | null;
  readonly steam: number | null;
}

function createPurchasePages(store: Store): Pick<PageQueries, 'purchasePage' | 'daySums' | 'reactions'> {
  const page = store.reading<
    [Pick<FilterValues, 'before' | 'strategy' | 'words' | 'limit'> & { state: string | null }],
    PurchaseRow
  >(
    `SELECT ${PURCHASE_COLUMNS} FROM purchases WHERE id < coalesce(@before, 9007199254740991)
       AND ${FITTING_PURCHASES} ORDER BY id DESC LIMIT @limit`,
  );
  const sums = store.reading<[Lane, EpochMs], SumRow>(
    `SELECT CAST(created_at / 86400000 AS INTEGER) AS day, strategy, state, refusal_cause AS cause, count(*) AS count,
       sum(CASE WHEN committed = 1 THEN amount ELSE 0 END) AS spent, sum(committed = 1 AND steam > 0) AS priced,
       sum(CASE WHEN committed = 1 AND steam > 0 THEN amount END) AS priced_spent,
       sum(CASE WHEN committed = 1 AND steam > 0 THEN steam END) AS steam
     FROM purchases WHERE lane = ? AND created_at >= ? GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
  );
  const reactions = store.reading<[number], { id: number; sentAt: EpochMs; ownMs: number; serviceMs: number | null }>(
    `SELECT id, sent_at AS sentAt, max(0, sent_at - seen_at) AS ownMs, max(0, wire_answered_at - sent_at) AS serviceMs
     FROM purchases WHERE sent_at IS NOT NULL ORDER BY id DESC LIMIT ?`,
  );
  return {
    purchasePage: ({ before, state, strategy, words, limit }) =>
      page
        .all({ before: before ?? null, state: state ?? null, strategy: strategy ?? null, words: words ?? null, limit })
        .map(purchaseOf),
    daySums: (lane, since) =>
      sums.all(lane, since).map(({ day, strategy, state, cause, count, spent, priced, priced_spent, steam }) => ({
        ...{ day, strategy, state, cause: cause ?? undefined, count, spent: micros(spent) },
        priced: { count: priced, spent: micros(priced_spent ?? 0), steam: micros(steam ?? 0) },
      })),
    reactions: (limit) =>
      reactions
        .all(limit)
        .reverse()
        .map(({ serviceMs, ...row }) => ({ ...row, serviceMs: serviceMs ?? undefined })),
  };
}
