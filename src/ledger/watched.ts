import type { EpochMs } from '../domain/clock.ts';
import type { Purchase } from '../domain/purchase.ts';
import { PURCHASE_COLUMNS, type PurchaseRow, purchaseOf } from './purchase-row.ts';
import type { Store } from './store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * How long evidence may still change a purchase, in milliseconds. A refusal is watched for ten minutes; what was unknown once, and
 * what is completed or returned, for ten days; a completed order besides that until a day after its trade protection of seven
 * days; a refund of which a part is missing, two months.
 */
const watchMs = {
  refused: 10 * MINUTE_MS,
  disproved: 10 * DAY_MS,
  completed: 10 * DAY_MS,
  afterSettlement: 8 * DAY_MS,
  refunded: 10 * DAY_MS,
  partlyRefunded: 60 * DAY_MS,
} as const;

const UNCERTAIN = `
  SELECT id FROM purchases WHERE lane = 'live' AND state IN ('intended', 'unknown', 'bought')
  UNION SELECT id FROM purchases WHERE held = 1`;

const WATCHED = `
  ${UNCERTAIN}
  UNION SELECT id FROM purchases WHERE lane = 'live' AND state = 'rejected' AND moved_at >= @disproved
    AND (was_unknown = 1 OR answered_at >= @refused)
  UNION SELECT id FROM purchases WHERE lane = 'live' AND state = 'completed' AND moved_at >= @completed
  UNION SELECT id FROM purchases WHERE state = 'completed' AND settlement_at >= @afterSettlement
  UNION SELECT id FROM purchases WHERE lane = 'live' AND state = 'refunded' AND moved_at >= @partlyRefunded
    AND (moved_at >= @refunded OR refunded < amount)`;

export interface Watched {
  /** On whose fate something is open: on their way, of unknown outcome, bought and not final, or held. In the order of their making. */
  uncertain(): Purchase[];
  /** Which evidence may still change. In the order of their making. */
  watched(now: EpochMs): Purchase[];
}

/**
 * Purchases that looks are held against. Each look asks for nearly the same ones as the last, so rows are kept until evidence is
 * written about them: no change of a purchase is without it.
 */
export function createWatched(store: Store): Watched {
  const uncertainIds = store.reading<[], { id: number }>(`${UNCERTAIN} ORDER BY id`);
  const watchedIds = store.reading<[Record<keyof typeof watchMs, EpochMs>], { id: number }>(`${WATCHED} ORDER BY id`);
  const touched = store.reading<[number], { seq: number; id: number }>(
    'SELECT max(seq) AS seq, purchase_id AS id FROM evidence WHERE seq > ? GROUP BY purchase_id',
  );
  const select = store.reading<[string], PurchaseRow>(
    `SELECT ${PURCHASE_COLUMNS} FROM purchases WHERE id IN (SELECT value FROM json_each(?))`,
  );
  const kept = new Map<number, Purchase>();
  let keptAtSeq = 0;

  const forgetTouched = (): void => {
    for (const { seq, id } of touched.all(keptAtSeq)) {
      kept.delete(id);
      keptAtSeq = Math.max(keptAtSeq, seq);
    }
  };

  const rowsOf = (ids: readonly number[]): Purchase[] => {
    forgetTouched();
    const missing = ids.filter((id) => !kept.has(id));
    if (missing.length > 0) for (const row of select.all(JSON.stringify(missing))) kept.set(row.id, purchaseOf(row));
    return ids.flatMap((id) => kept.get(id) ?? []);
  };

  return {
    uncertain: () => rowsOf(uncertainIds.all().map(({ id }) => id)),
    watched(now) {
      const since = Object.fromEntries(Object.entries(watchMs).map(([name, ms]) => [name, now - ms]));
      const purchases = rowsOf(watchedIds.all(since as Record<keyof typeof watchMs, EpochMs>).map(({ id }) => id));
      if (kept.size > 2 * purchases.length + 100) {
        kept.clear();
        for (const one of purchases) kept.set(one.id, one);
      }
      return purchases;
    },
  };
}
