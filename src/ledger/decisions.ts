import type { EpochMs } from '../domain/clock.ts';
import type { Decision } from '../domain/decision.ts';
import type { Micros } from '../domain/money.ts';
import type { Lane } from '../domain/purchase.ts';
import type { ReasonCode } from '../domain/reason.ts';
import type { Journal } from '../engine/journal.ts';
import type { Store } from './store.ts';

export interface DecisionQueries {
  /** What was decided about a listing, newest first; of any market when none is given. */
  decisionsOf(
    listingId: string,
    filter?: { readonly market?: string | undefined; readonly limit?: number | undefined },
  ): readonly Decision[];
  /** The newest decisions of all, newest first. */
  decisions(limit: number): readonly Decision[];
  /** The wording of a strategy by its hash; undefined when it was never used here. */
  strategyText(hash: string): string | undefined;
}

export interface Decisions extends DecisionQueries, Pick<Journal, 'recordDecisions'> {
  /** Keeps the wording of a strategy; a wording that is known costs nothing. */
  keepStrategy(hash: string, text: string, now: EpochMs): void;
  /** Forgets at most `limit` decisions made before then, oldest first. Returns how many: fewer than `limit` means that it is done. */
  pruneDecisions(before: EpochMs, limit: number): number;
}

export interface DecisionRow {
  readonly at: EpochMs;
  readonly lane: Lane;
  readonly market: string;
  readonly listing_id: string;
  readonly market_hash_name: string;
  readonly strategy: string;
  readonly strategy_hash: string;
  readonly cost: Micros;
  readonly verdict: 'admitted' | 'refused';
  readonly reason: ReasonCode | null;
  readonly detail: string | null;
}

export const DECISION_COLUMNS =
  'at, lane, market, listing_id, market_hash_name, strategy, strategy_hash, cost, verdict, reason, detail';

/** Decisions shown of one listing unless asked otherwise. */
const SHOWN = 1_000;

export function createDecisionQueries(store: Store): DecisionQueries {
  const ofListing = store.reading<[string, string | null, string | null, number], DecisionRow>(
    `SELECT ${DECISION_COLUMNS} FROM decisions WHERE listing_id = ? AND (? IS NULL OR market = ?) ORDER BY id DESC LIMIT ?`,
  );
  const newest = store.reading<[number], DecisionRow>(`SELECT ${DECISION_COLUMNS} FROM decisions ORDER BY id DESC LIMIT ?`);
  const text = store.value<[string], string>('SELECT text FROM strategies WHERE hash = ?');
  return {
    decisionsOf: (listingId, { market, limit } = {}) =>
      ofListing.all(listingId, market ?? null, market ?? null, limit ?? SHOWN).map(decisionOf),
    decisions: (limit) => newest.all(limit).map(decisionOf),
    strategyText: text,
  };
}

/**
 * Decisions are kept by commits that do not wait for the disk: a power cut may cost the last of them, and
 * no purchase waits for them.
 */
export function createDecisions(relaxed: Store): Decisions {
  const insert = relaxed.writing<
    [EpochMs, string, string, string, string, string, string, number, string, string | null, string | null]
  >(`INSERT INTO decisions (${DECISION_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const keep = relaxed.writing<[string, string, EpochMs]>(
    'INSERT OR IGNORE INTO strategies (hash, text, first_seen) VALUES (?, ?, ?)',
  );
  const prune = relaxed.writing<[number, EpochMs]>(
    'DELETE FROM decisions WHERE id IN (SELECT id FROM (SELECT id, at FROM decisions ORDER BY id LIMIT ?) WHERE at < ?)',
  );
  const oldest = relaxed.value<[], EpochMs>('SELECT at FROM decisions ORDER BY id LIMIT 1');
  const queries = createDecisionQueries(relaxed);
  return {
    ...queries,
    recordDecisions(decisions) {
      if (decisions.length === 0) return;
      relaxed.transaction('decisions', () => {
        for (const one of decisions) {
          const { at, lane, market, listingId, marketHashName, strategy, strategyHash, cost, verdict, reason, detail } = one;
          insert(
            at,
            lane,
            market,
            listingId,
            marketHashName,
            strategy,
            strategyHash,
            cost,
            verdict,
            reason ?? null,
            detail ?? null,
          );
        }
      });
    },
    keepStrategy(hash, text, now) {
      if (queries.strategyText(hash) === undefined) relaxed.transaction('strategy', () => void keep(hash, text, now));
    },
    pruneDecisions(before, limit) {
      // Asked every second: without anything to forget nothing is written.
      if ((oldest() ?? before) >= before) return 0;
      return relaxed.transaction('prune-decisions', () => prune(limit, before).changes);
    },
  };
}

export function decisionOf(row: DecisionRow): Decision {
  return {
    at: row.at,
    lane: row.lane,
    market: row.market,
    listingId: row.listing_id,
    marketHashName: row.market_hash_name,
    strategy: row.strategy,
    strategyHash: row.strategy_hash,
    cost: row.cost,
    verdict: row.verdict,
    reason: row.reason ?? undefined,
    detail: row.detail ?? undefined,
  };
}
