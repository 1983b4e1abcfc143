import type { EpochMs } from '../domain/clock.ts';
import { type Micros, micros } from '../domain/money.ts';
import type { FaultCause } from '../domain/fault.ts';
import type { Timings } from '../domain/outcome.ts';
import { type Lane, type Purchase, type PurchaseState, purchaseStates } from '../domain/purchase.ts';
import { refusalsInRow } from '../risk/breaker.ts';
import { PURCHASE_COLUMNS, type PurchaseRow, purchaseOf } from './purchase-row.ts';
import type { Store } from './store.ts';

export interface PurchaseFilter {
  readonly state?: PurchaseState | undefined;
  readonly lane?: Lane | undefined;
  /** Created then or later. */
  readonly since?: EpochMs | undefined;
  readonly limit?: number | undefined;
}

/** One row of the evidence for a purchase. */
export interface EvidenceRow {
  readonly seq: number;
  readonly purchaseId: number;
  readonly at: EpochMs;
  readonly from: PurchaseState | undefined;
  readonly to: PurchaseState;
  readonly kind: string;
  readonly note: string | undefined;
  /** The evidence as JSON; undefined when the note says it all. */
  readonly json: string | undefined;
}

export interface PurchaseQueries {
  purchase(id: number): Purchase | undefined;
  /** Newest first. */
  purchases(filter?: PurchaseFilter): readonly Purchase[];
  /** Those of one listing, of both lanes, newest first. */
  purchasesOfListing(market: string, listingId: string): readonly Purchase[];
  /** Every purchase there is, oldest first, in batches, so that a long history is never in memory at once. */
  everyPurchase(): Iterable<Purchase>;
  /** How many purchases are in each state, of both lanes. */
  countsByState(): Readonly<Record<PurchaseState, number>>;
  /** Held by intended, unknown and not yet confirmed refusals. */
  reserved(): Micros;
  evidenceOf(purchaseId: number): readonly EvidenceRow[];
  timingsOf(purchaseId: number): Timings | undefined;
  /** Of the newest purchases whose request left, newest first. */
  newestTimings(limit: number): readonly Timings[];
  /** Sequence of the newest evidence: what was changed after it by anybody, `purchasesTouchedAfter` tells. */
  evidenceSeq(): number;
  purchasesTouchedAfter(evidenceSeq: number): readonly Purchase[];
  /** How often purchases went from one state to another by evidence after that sequence; with the newest's. */
  movesAfter(evidenceSeq: number): { readonly upTo: number; readonly moves: readonly Move[] };
  /** Refusals in a row up to now that count for the breaker, since the last accepted purchase or the last resume. */
  refusalsInRow(): number;
  /** The latest time in any row: a wall clock behind it is wrong. Undefined in an empty ledger. */
  newestRowAt(): EpochMs | undefined;
}

/** From one state to another; new purchases come from none. */
export interface Move {
  readonly from: PurchaseState | null;
  readonly to: PurchaseState;
  readonly count: number;
}

interface FilterValues {
  readonly state: PurchaseState | null;
  readonly lane: Lane | null;
  readonly since: EpochMs | null;
  readonly limit: number;
}

/** Rows read at once when all are wanted. */
const BATCH = 1_000;

/** More refusals in a row than any sensible `limits.breaker.refusalsInRow`. */
const OUTCOMES_MAX = 10_000;

export function createPurchaseQueries(store: Store): PurchaseQueries {
  const one = store.reading<[number], PurchaseRow>(`SELECT ${PURCHASE_COLUMNS} FROM purchases WHERE id = ?`);
  const filtered = store.reading<[FilterValues], PurchaseRow>(
    `SELECT ${PURCHASE_COLUMNS} FROM purchases
     WHERE (@state IS NULL OR state = @state) AND (@lane IS NULL OR lane = @lane) AND (@since IS NULL OR created_at >= @since)
     ORDER BY id DESC LIMIT @limit`,
  );
  const ofListing = store.reading<[string, string], PurchaseRow>(
    `SELECT ${PURCHASE_COLUMNS} FROM purchases WHERE market = ? AND listing_id = ? ORDER BY id DESC`,
  );
  const batch = store.reading<[number, number], PurchaseRow>(
    `SELECT ${PURCHASE_COLUMNS} FROM purchases WHERE id > ? ORDER BY id LIMIT ?`,
  );
  const counts = store.reading<[], { state: PurchaseState; count: number }>(
    'SELECT state, count(*) AS count FROM purchases GROUP BY state',
  );
  const reservedSum = store.value<[], number | null>(
    "SELECT sum(amount) FROM purchases WHERE id IN (SELECT id FROM purchases WHERE lane = 'live' AND state IN ('intended', 'unknown') UNION SELECT id FROM purchases WHERE held = 1)",
  );
  return {
    purchase(id) {
      const row = one.get(id);
      return row && purchaseOf(row);
    },
    purchases: ({ state, lane, since, limit } = {}) =>
      filtered.all({ state: state ?? null, lane: lane ?? null, since: since ?? null, limit: limit ?? -1 }).map(purchaseOf),
    purchasesOfListing: (market, listingId) => ofListing.all(market, listingId).map(purchaseOf),
    *everyPurchase() {
      let rows = batch.all(0, BATCH);
      while (rows.length > 0) {
        yield* rows.map(purchaseOf);
        rows = batch.all(rows.at(-1)?.id ?? 0, BATCH);
      }
    },
    countsByState() {
      const found = new Map(counts.all().map(({ state, count }) => [state, count]));
      const states = Object.keys(purchaseStates) as PurchaseState[];
      return Object.fromEntries(states.map((state) => [state, found.get(state) ?? 0])) as Record<PurchaseState, number>;
    },
    reserved: () => micros(reservedSum() ?? 0),
    ...createEvidenceQueries(store),
    ...createTimeQueries(store),
    ...createOutcomeQueries(store),
  };
}

function createEvidenceQueries(
  store: Store,
): Pick<PurchaseQueries, 'evidenceOf' | 'evidenceSeq' | 'purchasesTouchedAfter' | 'movesAfter'> {
  const evidence = store.reading<[number], EvidenceColumns>(
    'SELECT seq, purchase_id, at, from_state, to_state, kind, note, json FROM evidence WHERE purchase_id = ? ORDER BY seq',
  );
  const newest = store.value<[], number | null>('SELECT max(seq) FROM evidence');
  const moves = store.reading<[number, number], Move>(
    `SELECT from_state AS "from", to_state AS "to", count(*) AS count FROM evidence
     WHERE seq > ? AND seq <= ? AND from_state IS NOT to_state GROUP BY 1, 2`,
  );
  const touched = store.reading<[number], PurchaseRow>(
    `SELECT ${PURCHASE_COLUMNS} FROM purchases WHERE id IN (SELECT purchase_id FROM evidence WHERE seq > ?) ORDER BY id`,
  );
  return {
    evidenceOf: (id) => evidence.all(id).map(evidenceOf),
    evidenceSeq: () => newest() ?? 0,
    movesAfter(seq) {
      const upTo = newest() ?? 0;
      return { upTo, moves: upTo === seq ? [] : moves.all(seq, upTo) };
    },
    purchasesTouchedAfter: (seq) => touched.all(seq).map(purchaseOf),
  };
}

interface TimesRow {
  readonly seen: number;
  readonly decided: number;
  readonly committed: number | null;
  readonly sent: number | null;
  readonly answered: number | null;
}

const TIMES = 'seen_at AS seen, decided_at AS decided, committed_at AS committed, sent_at AS sent, wire_answered_at AS answered';

function createTimeQueries(store: Store): Pick<PurchaseQueries, 'timingsOf' | 'newestTimings'> {
  const one = store.reading<[number], TimesRow>(`SELECT ${TIMES} FROM purchases WHERE id = ?`);
  const newest = store.reading<[number], TimesRow>(
    `SELECT ${TIMES} FROM purchases WHERE sent_at IS NOT NULL ORDER BY id DESC LIMIT ?`,
  );
  return {
    timingsOf(id) {
      const row = one.get(id);
      return row && timingsFrom(row);
    },
    newestTimings: (limit) => newest.all(limit).map(timingsFrom),
  };
}

function timingsFrom({ seen, decided, committed, sent, answered }: TimesRow): Timings {
  return {
    seenAt: seen,
    decidedAt: decided,
    committedAt: committed ?? undefined,
    sentAt: sent ?? undefined,
    answeredAt: answered ?? undefined,
  };
}

/** Answered after a person last resumed; a ledger of before that noted its place knows the time alone. */
const SINCE_RESUME = `coalesce(
  (SELECT max(seq) FROM evidence WHERE purchase_id = purchases.id AND from_state IS NOT to_state)
    > (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'resumedSeq'),
  answered_at > coalesce((SELECT max(resumed_at) FROM halts), 0))`;

function createOutcomeQueries(store: Store): Pick<PurchaseQueries, 'refusalsInRow' | 'newestRowAt'> {
  const outcomes = store.reading<[number], { bought: 0 | 1; refusal_cause: FaultCause | null }>(
    `SELECT state IN ('bought', 'completed', 'refunded') AS bought, refusal_cause FROM purchases
     WHERE lane = 'live' AND ${SINCE_RESUME} ORDER BY id DESC LIMIT ?`,
  );
  const newest = store.value<[], EpochMs | null>(
    `SELECT max(at) FROM (
       SELECT at FROM (SELECT at FROM evidence ORDER BY seq DESC LIMIT 1)
       UNION ALL SELECT at FROM (SELECT ended_at AS at FROM balances ORDER BY seq DESC LIMIT 1)
       UNION ALL SELECT at FROM (SELECT at FROM alerts ORDER BY id DESC LIMIT 1)
       UNION ALL SELECT at FROM (SELECT at FROM decisions ORDER BY id DESC LIMIT 1)
       UNION ALL SELECT at FROM (SELECT max(at, coalesce(resumed_at, at)) AS at FROM halts ORDER BY id DESC LIMIT 1))`,
  );
  return {
    refusalsInRow() {
      let inRow = 0;
      for (const { bought, refusal_cause: cause } of outcomes.all(OUTCOMES_MAX)) {
        if (bought === 1) return inRow;
        if (cause !== null) inRow = refusalsInRow(inRow, { bought: false, cause });
      }
      return inRow;
    },
    newestRowAt: () => newest() ?? undefined,
  };
}

interface EvidenceColumns {
  readonly seq: number;
  readonly purchase_id: number;
  readonly at: EpochMs;
  readonly from_state: PurchaseState | null;
  readonly to_state: PurchaseState;
  readonly kind: string;
  readonly note: string | null;
  readonly json: string | null;
}

function evidenceOf(row: EvidenceColumns): EvidenceRow {
  return {
    seq: row.seq,
    purchaseId: row.purchase_id,
    at: row.at,
    from: row.from_state ?? undefined,
    to: row.to_state,
    kind: row.kind,
    note: row.note ?? undefined,
    json: row.json ?? undefined,
  };
}
