import type { EpochMs } from '../domain/clock.ts';
import { windowMs } from '../domain/limits.ts';
import { type Micros, micros } from '../domain/money.ts';
import type { Lane, PurchaseState } from '../domain/purchase.ts';
import { type CapRow, type Totals, type Usage, usageOf } from '../risk/usage.ts';
import type { Store } from './store.ts';

/** Whose use of the caps is asked for. */
export interface Probe {
  readonly strategy: string;
  readonly marketHashName: string;
}

/** An order that no purchase of ours explains. It counts in the account's caps from when it was first seen. */
export interface AdoptedOrder {
  readonly orderId: string;
  readonly amount: Micros;
  readonly marketHashName: string;
  readonly firstSeen: EpochMs;
}

export interface UsageQueries {
  /** The use of every cap of a lane, from its rows. Throws RangeError when the sums are beyond counting. */
  usage(lane: Lane, probe: Probe, now: EpochMs): Usage;
  /** What the caps count of a lane since then, adopted orders included; rows as old as that are not. */
  capRows(lane: Lane, since: EpochMs): readonly CapRow[];
  /** Sums over all time for one strategy and item. */
  totals(lane: Lane, probe: Probe): Totals;
  /** Every adopted order, oldest first. */
  adoptedOrders(): readonly AdoptedOrder[];
}

interface RecentRow {
  readonly created_at: EpochMs;
  readonly amount: Micros;
  readonly strategy: string;
  readonly market_hash_name: string;
  readonly state: PurchaseState;
}

interface AdoptedRow {
  readonly order_id: string;
  readonly amount: Micros;
  readonly name: string;
  readonly first_seen: EpochMs;
}

export function createUsage(store: Store): UsageQueries {
  const recent = store.reading<[Lane, EpochMs], RecentRow>(
    'SELECT created_at, amount, strategy, market_hash_name, state FROM purchases WHERE committed = 1 AND lane = ? AND created_at > ?',
  );
  const adopted = store.reading<[EpochMs], AdoptedRow>(
    "SELECT order_id, amount, name, first_seen FROM orders WHERE known_as = 'adopted' AND first_seen > ? ORDER BY first_seen, seq",
  );
  const kept = store.reading<[Lane, string, string], { spend: number; count: number }>(
    'SELECT spend, count FROM totals WHERE lane = ? AND strategy = ? AND item = ?',
  );
  const openCount = store.value<[Lane], number>(
    "SELECT count(*) FROM purchases WHERE state IN ('intended', 'unknown', 'bought') AND lane = ?",
  );
  const unknownCount = store.value<[Lane], number>("SELECT count(*) FROM purchases WHERE state = 'unknown' AND lane = ?");

  const capRows = (lane: Lane, since: EpochMs): CapRow[] => {
    const rows: CapRow[] = recent.all(lane, since).map((row) => ({
      at: row.created_at,
      amount: row.amount,
      strategy: row.strategy,
      marketHashName: row.market_hash_name,
      state: row.state,
    }));
    if (lane === 'paper') return rows;
    for (const { first_seen: at, amount, name: marketHashName } of adopted.all(since)) {
      rows.push({ at, amount, strategy: undefined, marketHashName, state: 'adopted' });
    }
    return rows;
  };
  const totals = (lane: Lane, { strategy, marketHashName }: Probe): Totals => ({
    spend: micros(kept.get(lane, '', '')?.spend ?? 0),
    item: kept.get(lane, '', marketHashName)?.count ?? 0,
    strategySpend: micros(kept.get(lane, strategy, '')?.spend ?? 0),
    strategyCount: kept.get(lane, strategy, '')?.count ?? 0,
    strategyItem: kept.get(lane, strategy, marketHashName)?.count ?? 0,
    open: openCount(lane) ?? 0,
    unknown: unknownCount(lane) ?? 0,
  });
  return {
    capRows,
    totals,
    usage: (lane, probe, now) => usageOf(capRows(lane, now - windowMs.day), totals(lane, probe), probe, now),
    adoptedOrders: () =>
      adopted.all(Number.MIN_SAFE_INTEGER).map(({ order_id, amount, name, first_seen }) => ({
        orderId: order_id,
        amount,
        marketHashName: name,
        firstSeen: first_seen,
      })),
  };
}
