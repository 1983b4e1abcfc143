import type { EpochMs } from '../domain/clock.ts';
import { type Micros, micros } from '../domain/money.ts';
import type { Lane, PurchaseState } from '../domain/purchase.ts';
import type { Store } from './store.ts';

/** What happened in a stretch of time, and what is open at its end. */
export interface DayFacts {
  /** Purchases that were made in it, by the state they are in now, those that count in no cap any more included. */
  readonly made: readonly { readonly state: PurchaseState; readonly count: number; readonly spent: Micros }[];
  readonly refunds: { readonly count: number; readonly amount: Micros };
  /** Of all times. */
  readonly open: number;
  readonly unknown: number;
  /** Trade offers that wait to be accepted. */
  readonly offers: number;
}

export interface DayQueries {
  /** Purchases of a lane that were made after `since`, until `until`. */
  dayFacts(lane: Lane, since: EpochMs, until: EpochMs): DayFacts;
  /** When the newest digest was made until then; undefined before the first. */
  digestAt(until: EpochMs): EpochMs | undefined;
}

export function createDayQueries(store: Store): DayQueries {
  const made = store.reading<[Lane, EpochMs, EpochMs], { state: PurchaseState; count: number; spent: Micros }>(
    `SELECT state, count(*) AS count, sum(amount) AS spent FROM purchases
     WHERE lane = ? AND committed IN (0, 1) AND created_at > ? AND created_at <= ? GROUP BY state ORDER BY state`,
  );
  const refunds = store.reading<[EpochMs, EpochMs], { count: number; amount: number | null }>(
    "SELECT count(*) AS count, sum(amount) AS amount FROM transactions_used WHERE used_as = 'refund' AND at > ? AND at <= ?",
  );
  const standing = store.reading<[Lane], { open: number; unknown: number; offers: number }>(
    `SELECT count(*) AS open, coalesce(sum(state = 'unknown'), 0) AS unknown,
       coalesce(sum(state = 'bought' AND order_status IS 'ACTIVE'), 0) AS offers
     FROM purchases WHERE lane = ? AND state IN ('intended', 'unknown', 'bought')`,
  );
  const digest = store.value<[EpochMs], EpochMs | null>("SELECT max(at) FROM alerts WHERE kind = 'digest' AND at <= ?");
  return {
    dayFacts(lane, since, until) {
      const { count, amount } = refunds.get(since, until) ?? { count: 0, amount: 0 };
      return {
        made: made.all(lane, since, until),
        refunds: { count, amount: micros(amount ?? 0) },
        ...(standing.get(lane) ?? { open: 0, unknown: 0, offers: 0 }),
      };
    },
    digestAt: (until) => digest(until) ?? undefined,
  };
}
