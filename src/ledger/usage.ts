import type { EpochMs } from '../domain/clock.ts';
import { type Lags, windowStart } from '../domain/lag.ts';
import { windowMs } from '../domain/limits.ts';
import { type Micros, micros, sum } from '../domain/money.ts';
import type { Lane, PurchaseState } from '../domain/purchase.ts';
import { itemKey } from '../domain/text.ts';
import { ADOPTED_OPEN_MS, type CapRow, type Totals, type Usage, finalStatuses } from '../risk/usage.ts';
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
  /** It is on its way: neither delivered nor failed, as far as any list has said. */
  readonly open: boolean;
}

export interface UsageQueries {
  /** The use of every cap of a lane, from its rows. Throws RangeError when the sums are beyond counting. */
  usage(lane: Lane, probe: Probe, now: EpochMs): Usage;
  /** What the caps count of a lane since then, adopted orders included; rows as old as that are not. */
  capRows(lane: Lane, since: EpochMs): readonly CapRow[];
  /** Sums over all time for one strategy and item, and what is open now. */
  totals(lane: Lane, probe: Probe, now: EpochMs): Totals;
  /** Every adopted order, oldest first. */
  adoptedOrders(): readonly AdoptedOrder[];
}

interface RecentRow {
  readonly created_at: EpochMs;
  readonly amount: Micros;
  readonly strategy: string;
  readonly market_hash_name: string;
  readonly item: string;
  readonly state: PurchaseState;
}

interface AdoptedRow {
  readonly order_id: string;
  readonly amount: Micros;
  readonly name: string;
  readonly item: string;
  readonly first_seen: EpochMs;
  readonly open: 0 | 1;
}

const FINAL = finalStatuses.map((code) => `'${code}'`).join(', ');

/** What `usageOf` of risk counts row by row, summed where the rows are, at a fraction of the cost. */
const SPAN = `
  SELECT coalesce(sum(amount), 0) AS spend, coalesce(sum(item = @item), 0) AS item,
    coalesce(sum(amount * (strategy = @strategy)), 0) AS strategySpend, coalesce(sum(strategy = @strategy), 0) AS strategyCount,
    coalesce(sum(strategy = @strategy AND item = @item), 0) AS strategyItem, count(*) AS committed
  FROM purchases WHERE committed = 1 AND lane = @lane AND created_at > @after AND created_at <= @until`;

interface Span {
  readonly spend: number;
  readonly item: number;
  readonly strategySpend: number;
  readonly strategyCount: number;
  readonly strategyItem: number;
  readonly committed: number;
}

const nothing: Span = { spend: 0, item: 0, strategySpend: 0, strategyCount: 0, strategyItem: 0, committed: 0 };

export function createUsage(store: Store, lags: () => Lags): UsageQueries {
  const rows = createRowQueries(store);
  const totals = createTotals(store);
  const span = store.reading<[{ strategy: string; item: string; lane: Lane; after: EpochMs; until: EpochMs }], Span>(SPAN);
  return {
    capRows: rows.capRows,
    totals,
    adoptedOrders: () => rows.adoptedSince(Number.MIN_SAFE_INTEGER).map(({ item: _, ...order }) => order),
    usage(lane, { strategy, marketHashName }, now) {
      const slow = lags();
      const [hourAgo, dayAgo] = [windowStart(now - windowMs.hour, slow), windowStart(now - windowMs.day, slow)];
      const wanted = { lane, strategy, item: itemKey(marketHashName) };
      const hour = span.get({ ...wanted, after: hourAgo, until: Number.MAX_SAFE_INTEGER }) ?? nothing;
      const before = span.get({ ...wanted, after: dayAgo, until: hourAgo }) ?? nothing;
      const total = totals(lane, { strategy, marketHashName }, now);
      const strangers = lane === 'live' ? rows.adoptedSince(dayAgo) : [];
      const lately = strangers.filter((one) => one.firstSeen > hourAgo);
      const sameItem = (orders: readonly AdoptedItem[]): number =>
        orders.filter(({ item }) => item === '' || item === wanted.item).length;
      const inWindows = (key: keyof Span): { hour: number; day: number } => ({ hour: hour[key], day: hour[key] + before[key] });
      const [spend, item, strategySpend] = [inWindows('spend'), inWindows('item'), inWindows('strategySpend')];
      return {
        spend: { hour: withOrders(spend.hour, lately), day: withOrders(spend.day, strangers), total: total.spend },
        item: { hour: item.hour + sameItem(lately), day: item.day + sameItem(strangers), total: total.item },
        strategySpend: { hour: micros(strategySpend.hour), day: micros(strategySpend.day), total: total.strategySpend },
        strategyCount: { ...inWindows('strategyCount'), total: total.strategyCount },
        strategyItem: { ...inWindows('strategyItem'), total: total.strategyItem },
        open: total.open,
        unknown: total.unknown,
        committedInHour: hour.committed,
      };
    },
  };
}

/** An adopted order as what item it counts; empty where it may be any. */
type AdoptedItem = AdoptedOrder & { readonly item: string };

function withOrders(own: number, strangers: readonly AdoptedOrder[]): Micros {
  return sum([micros(own), ...strangers.map(({ amount }) => amount)]);
}

function createRowQueries(store: Store): Pick<UsageQueries, 'capRows'> & { adoptedSince(since: EpochMs): AdoptedItem[] } {
  const recent = store.reading<[Lane, EpochMs], RecentRow>(
    'SELECT created_at, amount, strategy, market_hash_name, item, state FROM purchases WHERE committed = 1 AND lane = ? AND created_at > ?',
  );
  const adopted = store.reading<[EpochMs], AdoptedRow>(
    `SELECT order_id, amount, name, item, first_seen, status_code NOT IN (${FINAL}) AS open FROM orders
     WHERE known_as = 'adopted' AND first_seen > ? ORDER BY first_seen, seq`,
  );
  const adoptedSince = (since: EpochMs): AdoptedItem[] =>
    adopted.all(since).map(({ order_id, amount, name, item, first_seen, open }) => ({
      orderId: order_id,
      amount,
      marketHashName: name,
      item,
      firstSeen: first_seen,
      open: open === 1,
    }));
  return {
    adoptedSince,
    capRows(lane, since) {
      const rows: CapRow[] = recent.all(lane, since).map((row) => ({
        at: row.created_at,
        amount: row.amount,
        strategy: row.strategy,
        marketHashName: row.market_hash_name,
        item: row.item,
        state: row.state,
      }));
      if (lane === 'paper') return rows;
      for (const { firstSeen: at, amount, marketHashName, item } of adoptedSince(since)) {
        rows.push({ at, amount, strategy: undefined, marketHashName, item, state: 'adopted' });
      }
      return rows;
    },
  };
}

function createTotals(store: Store): UsageQueries['totals'] {
  const kept = store.reading<[Lane, string, string], { strategy: string; item: string; spend: number; count: number }>(
    "SELECT strategy, item, spend, count FROM totals WHERE lane = ? AND strategy IN ('', ?) AND item IN ('', ?)",
  );
  const counts = store.reading<[Lane], { open: number; unknown: number }>(
    `SELECT count(*) AS open, count(*) FILTER (WHERE state = 'unknown') AS unknown FROM purchases
     WHERE lane = ? AND state IN ('intended', 'unknown', 'bought')`,
  );
  const strangers = store.reading<[EpochMs], { open: number; nameless: number }>(
    `SELECT (SELECT count(*) FROM orders WHERE known_as = 'adopted' AND first_seen > ? AND status_code NOT IN (${FINAL})) AS open,
       (SELECT count(*) FROM orders WHERE known_as = 'adopted' AND item = '') AS nameless`,
  );
  return (lane, { strategy, marketHashName }, now) => {
    const item = itemKey(marketHashName);
    const rows = kept.all(lane, strategy, item);
    const sums = (ofStrategy: string, ofItem: string) => rows.find((row) => row.strategy === ofStrategy && row.item === ofItem);
    const { open = 0, unknown = 0 } = counts.get(lane) ?? {};
    const others = (lane === 'live' ? strangers.get(now - ADOPTED_OPEN_MS) : undefined) ?? { open: 0, nameless: 0 };
    return {
      spend: micros(sums('', '')?.spend ?? 0),
      item: (sums('', item)?.count ?? 0) + (item === '' ? 0 : others.nameless),
      strategySpend: micros(sums(strategy, '')?.spend ?? 0),
      strategyCount: sums(strategy, '')?.count ?? 0,
      strategyItem: sums(strategy, item)?.count ?? 0,
      open: open + others.open,
      unknown,
    };
  };
}
