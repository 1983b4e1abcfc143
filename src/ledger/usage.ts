import type { EpochMs } from '../domain/clock.ts';
import { type Lags, windowStart } from '../domain/lag.ts';
import { windowMs } from '../domain/limits.ts';
import { MICROS_MAX, type Micros, micros, sum } from '../domain/money.ts';
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
  /** The same where the account's caps are all there are: figures of a strategy or an item are not looked for, and are beyond any cap. */
  usageOfAccount(lane: Lane, now: EpochMs): Usage;
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

/** What `usageOf` of risk counts row by row, summed where the rows are, at a fraction of the cost: of the whole lane. */
const SPENT = `
  SELECT coalesce(sum(amount), 0) AS spend, count(*) AS committed
  FROM purchases WHERE committed = 1 AND lane = ? AND created_at > ? AND created_at <= ?`;

/** The same of one strategy and one item, which costs several times as much. */
const SPAN = `
  SELECT coalesce(sum(item = @item), 0) AS item,
    coalesce(sum(amount * (strategy = @strategy)), 0) AS strategySpend, coalesce(sum(strategy = @strategy), 0) AS strategyCount,
    coalesce(sum(strategy = @strategy AND item = @item), 0) AS strategyItem
  FROM purchases WHERE committed = 1 AND lane = @lane AND created_at > @after AND created_at <= @until`;

interface Spent {
  readonly spend: number;
  readonly committed: number;
}

interface Span {
  readonly item: number;
  readonly strategySpend: number;
  readonly strategyCount: number;
  readonly strategyItem: number;
}

const unspent: Spent = { spend: 0, committed: 0 };
/** Later than any row is. */
const NEVER = Number.MAX_SAFE_INTEGER;
const nothing: Span = { item: 0, strategySpend: 0, strategyCount: 0, strategyItem: 0 };

/** In place of a figure that was not looked for: no cap is as high, so that one which asks for it all the same refuses. */
const UNCOUNTED = { hour: Infinity, day: Infinity, total: Infinity };
const UNSUMMED = { hour: MICROS_MAX, day: MICROS_MAX, total: MICROS_MAX };

type OfProbe = Pick<Usage, 'item' | 'strategySpend' | 'strategyCount' | 'strategyItem'>;
const ofNobody: OfProbe = { item: UNCOUNTED, strategySpend: UNSUMMED, strategyCount: UNCOUNTED, strategyItem: UNCOUNTED };

/** When the windows of the caps begin. */
interface Since {
  readonly hourAgo: EpochMs;
  readonly dayAgo: EpochMs;
}

export function createUsage(store: Store, lags: () => Lags): UsageQueries {
  const rows = createRowQueries(store);
  const totals = createTotals(store);
  const spent = store.reading<[Lane, EpochMs, EpochMs], Spent>(SPENT);
  const narrow = createNarrow(store);
  const usage = (lane: Lane, probe: Probe | undefined, now: EpochMs): Usage => {
    const slow = lags();
    const since = { hourAgo: windowStart(now - windowMs.hour, slow), dayAgo: windowStart(now - windowMs.day, slow) };
    const hour = spent.get(lane, since.hourAgo, NEVER) ?? unspent;
    const before = spent.get(lane, since.dayAgo, since.hourAgo) ?? unspent;
    const total = totals(lane, probe ?? { strategy: '', marketHashName: '' }, now);
    const strangers = lane === 'live' ? rows.adoptedSince(since.dayAgo) : [];
    const lately = strangers.filter((one) => one.firstSeen > since.hourAgo);
    return {
      spend: {
        hour: withOrders(hour.spend, lately),
        day: withOrders(hour.spend + before.spend, strangers),
        total: total.spend,
      },
      ...(probe === undefined ? ofNobody : narrow(lane, probe, since, { lately, strangers, total })),
      open: total.open,
      unknown: total.unknown,
      committedInHour: hour.committed,
    };
  };
  return {
    capRows: rows.capRows,
    totals,
    adoptedOrders: () => rows.adoptedSince(Number.MIN_SAFE_INTEGER).map(({ item: _, ...order }) => order),
    usage,
    usageOfAccount: (lane, now) => usage(lane, undefined, now),
  };
}

interface Around {
  readonly lately: readonly AdoptedItem[];
  readonly strangers: readonly AdoptedItem[];
  readonly total: Totals;
}

/** What the caps of one strategy and one item count. */
function createNarrow(store: Store): (lane: Lane, probe: Probe, since: Since, around: Around) => OfProbe {
  const span = store.reading<[{ strategy: string; item: string; lane: Lane; after: EpochMs; until: EpochMs }], Span>(SPAN);
  return (lane, { strategy, marketHashName }, { hourAgo, dayAgo }, { lately, strangers, total }) => {
    const wanted = { lane, strategy, item: itemKey(marketHashName) };
    const hour = span.get({ ...wanted, after: hourAgo, until: NEVER }) ?? nothing;
    const before = span.get({ ...wanted, after: dayAgo, until: hourAgo }) ?? nothing;
    const sameItem = (orders: readonly AdoptedItem[]): number =>
      orders.filter(({ item }) => item === '' || item === wanted.item).length;
    const inWindows = (key: keyof Span): { hour: number; day: number } => ({ hour: hour[key], day: hour[key] + before[key] });
    const [item, strategySpend] = [inWindows('item'), inWindows('strategySpend')];
    return {
      item: { hour: item.hour + sameItem(lately), day: item.day + sameItem(strangers), total: total.item },
      strategySpend: { hour: micros(strategySpend.hour), day: micros(strategySpend.day), total: total.strategySpend },
      strategyCount: { ...inWindows('strategyCount'), total: total.strategyCount },
      strategyItem: { ...inWindows('strategyItem'), total: total.strategyItem },
    };
  };
}

/** An adopted order as what item it counts; empty where it may be any. */
type AdoptedItem = AdoptedOrder & { readonly item: string };

function withOrders(own: number, strangers: readonly AdoptedOrder[]): Micros {
  return strangers.length === 0 ? micros(own) : sum([micros(own), ...strangers.map(({ amount }) => amount)]);
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
  const counts = store.reading<[{ lane: Lane }], { open: number; unknown: number }>(
    `SELECT (SELECT count(*) FROM purchases WHERE lane = @lane AND state IN ('intended', 'unknown', 'bought')) AS open,
       (SELECT count(*) FROM purchases WHERE lane = @lane AND state = 'unknown') AS unknown`,
  );
  const strangers = store.reading<[EpochMs], { open: number; nameless: number }>(
    `SELECT (SELECT count(*) FROM orders WHERE known_as = 'adopted' AND first_seen > ? AND status_code NOT IN (${FINAL})) AS open,
       (SELECT count(*) FROM orders WHERE known_as = 'adopted' AND item = '') AS nameless`,
  );
  return (lane, { strategy, marketHashName }, now) => {
    const item = itemKey(marketHashName);
    const rows = kept.all(lane, strategy, item);
    const sums = (ofStrategy: string, ofItem: string) => rows.find((row) => row.strategy === ofStrategy && row.item === ofItem);
    const { open = 0, unknown = 0 } = counts.get({ lane }) ?? {};
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
