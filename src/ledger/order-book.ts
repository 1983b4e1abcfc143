import type { EpochMs } from '../domain/clock.ts';
import { type Micros, micros } from '../domain/money.ts';
import { itemKey } from '../domain/text.ts';
import type { KnownOrder, OrderSeen } from '../engine/evidence.ts';
import type { Meta } from './meta.ts';
import type { Store } from './store.ts';

/** A billion dollars: what an order of somebody else can count at most, so that a hostile row cannot break the sums. */
const AMOUNT_MAX = micros(1_000_000_000_000_000);

/** The orders of the account that were ever seen. */
export interface OrderBook {
  find(orderId: string): KnownOrder | undefined;
  /** Those of the given orders that are known. */
  among(orderIds: readonly string[]): ReadonlyMap<string, KnownOrder>;
  newestSeq(): number;
  /** By purchase, of those given: the id under which a list has shown its order. */
  listedOf(purchaseIds: readonly number[]): ReadonlyMap<number, string>;
  /** Orders, each once: in all, and those that are ours. */
  counts(): { readonly all: number; readonly own: number };

  /** An order of a list that is not known yet. Inside a transaction, as are those below. */
  add(order: OrderSeen, as: 'baseline' | 'adopted', now: EpochMs): void;
  /**
   * Makes an order a purchase's own, known from an answer or shown by a list (under an id that may be another); one that was
   * taken for somebody else's is explained by that. False when it belongs to another purchase, or the purchase has an order from
   * such a source already: one piece of evidence settles one purchase.
   */
  claim(order: OrderSeen, purchaseId: number, from: 'answer' | 'list', now: EpochMs): boolean;
  /** Gives each of two purchases the other's order. False unless each has one, under one id, that a list has shown. */
  exchange(purchaseId: number, withId: number): boolean;
  /** Newest state of an order that is known. */
  refresh(order: OrderSeen, now: EpochMs): void;
}

interface OrderRow {
  readonly seq: number;
  readonly order_id: string;
  readonly known_as: 'ours' | 'baseline' | 'adopted';
  readonly purchase_id: number | null;
  readonly amount: Micros;
  readonly status_code: string;
}

interface OwnRow {
  readonly seq: number;
  readonly order_id: string;
  readonly listed: 0 | 1;
  readonly same_as: number | null;
}

interface OrderValues {
  readonly [column: string]: string | number | null;
}

const COLUMNS = 'seq, order_id, known_as, purchase_id, amount, status_code';

const INSERT = `
  INSERT INTO orders (account, order_id, known_as, purchase_id, listed, same_as, amount, name, item, item_id, currency, status_code,
    status_label, ordered_at, settlement_at, cancel_reason, first_seen, last_seen)
  VALUES (@account, @orderId, @knownAs, @purchaseId, @listed, @sameAs, @amount, @name, @item, @itemId, @currency, @statusCode,
    @statusLabel, @orderedAt, @settlementAt, @cancelReason, @now, @now)`;

const REFRESH = `
  UPDATE orders SET status_code = @statusCode, status_label = @statusLabel, settlement_at = @settlementAt,
    cancel_reason = @cancelReason, last_seen = @now WHERE account = @account AND order_id = @orderId`;

export function createOrderBook(store: Store, meta: Meta): OrderBook {
  const insert = store.writing<[OrderValues]>(INSERT);
  const update = store.writing<[OrderValues]>(REFRESH);
  const account = (): string => meta.text('account') ?? '';
  const queries = createQueries(store, account);
  return {
    ...queries,
    add: (order, as, now) =>
      void insert({ ...rowOf(order, account(), now), knownAs: as, purchaseId: null, listed: 1, sameAs: null }),
    claim: createClaim(store, account, queries.find, insert),
    exchange: createExchange(store),
    refresh: (order, now) => void update(rowOf(order, account(), now)),
  };
}

function createQueries(
  store: Store,
  account: () => string,
): Pick<OrderBook, 'find' | 'among' | 'newestSeq' | 'listedOf' | 'counts'> {
  const byId = store.reading<[string, string], OrderRow>(`SELECT ${COLUMNS} FROM orders WHERE account = ? AND order_id = ?`);
  const among = store.reading<[string, string], OrderRow>(
    `SELECT ${COLUMNS} FROM orders WHERE account = ? AND order_id IN (SELECT value FROM json_each(?))`,
  );
  const listed = store.reading<[string], { purchase_id: number; order_id: string }>(
    'SELECT purchase_id, order_id FROM orders WHERE listed = 1 AND purchase_id IN (SELECT value FROM json_each(?))',
  );
  const newest = store.value<[], number | null>('SELECT max(seq) FROM orders');
  const counts = store.reading<[], { everything: number; own: number }>(
    "SELECT count(*) AS everything, count(*) FILTER (WHERE known_as = 'ours') AS own FROM orders WHERE same_as IS NULL",
  );
  return {
    find(orderId) {
      const row = byId.get(account(), orderId);
      return row && knownOf(row);
    },
    among: (orderIds) => new Map(among.all(account(), JSON.stringify(orderIds)).map((row) => [row.order_id, knownOf(row)])),
    newestSeq: () => newest() ?? 0,
    listedOf: (ids) => new Map(listed.all(JSON.stringify(ids)).map((row) => [row.purchase_id, row.order_id])),
    counts() {
      const row = counts.get();
      return { all: row?.everything ?? 0, own: row?.own ?? 0 };
    },
  };
}

function createClaim(
  store: Store,
  account: () => string,
  find: OrderBook['find'],
  insert: (values: OrderValues) => unknown,
): OrderBook['claim'] {
  const own = store.reading<[number], OwnRow>(
    'SELECT seq, order_id, listed, same_as FROM orders WHERE purchase_id = ? ORDER BY seq',
  );
  const link = store.writing<[number, number | null, number]>(
    "UPDATE orders SET known_as = 'ours', purchase_id = ?, same_as = ? WHERE seq = ?",
  );
  const list = store.writing<[number]>('UPDATE orders SET listed = 1 WHERE seq = ?');
  return (order, purchaseId, from, now) => {
    const rows = own.all(purchaseId);
    const mine = rows.find((row) => row.order_id === order.orderId);
    const shown = rows.find((row) => row.listed === 1);
    if (mine) {
      if (from === 'answer' || mine.listed === 1) return true;
      if (shown) return false;
      list(mine.seq);
      return true;
    }
    const first = rows.find((row) => row.same_as === null);
    const known = find(order.orderId);
    if (known?.purchaseId !== undefined) return false;
    // From each source a purchase has one order: what a list shows may only be added to what an answer named, and vice versa.
    const taken = from === 'list' || known ? shown !== undefined : rows.length > (shown ? 1 : 0);
    if (taken) return false;
    if (known) link(purchaseId, first?.seq ?? null, known.seq);
    else {
      const listed = from === 'list' ? 1 : 0;
      insert({ ...rowOf(order, account(), now), knownAs: 'ours', purchaseId, listed, sameAs: first?.seq ?? null });
    }
    return true;
  };
}

function createExchange(store: Store): OrderBook['exchange'] {
  const own = store.reading<[number], Pick<OwnRow, 'seq' | 'listed'>>('SELECT seq, listed FROM orders WHERE purchase_id = ?');
  const give = store.writing<[string, number | null, number]>('UPDATE orders SET known_as = ?, purchase_id = ? WHERE seq = ?');
  return (purchaseId, withId) => {
    const [one, ...more] = own.all(purchaseId);
    const [other, ...others] = own.all(withId);
    if (purchaseId === withId || one?.listed !== 1 || other?.listed !== 1 || more.length + others.length > 0) return false;
    // One purchase has one order at any time: for a moment the first is nobody's, as what is in no sum.
    give('baseline', null, one.seq);
    give('ours', purchaseId, other.seq);
    give('ours', withId, one.seq);
    return true;
  };
}

function knownOf(row: OrderRow): KnownOrder {
  return {
    seq: row.seq,
    orderId: row.order_id,
    as: row.known_as,
    purchaseId: row.purchase_id ?? undefined,
    amount: row.amount,
    statusCode: row.status_code,
  };
}

function rowOf(order: OrderSeen, account: string, now: EpochMs): OrderValues {
  return {
    account,
    orderId: order.orderId,
    amount: Math.min(Math.abs(order.amount), AMOUNT_MAX),
    name: order.itemName ?? '',
    item: itemKey(order.itemName ?? ''),
    itemId: order.itemId ?? null,
    currency: order.currency ?? null,
    statusCode: order.statusCode,
    statusLabel: order.statusLabel ?? null,
    orderedAt: order.timestampMs ?? null,
    settlementAt: order.settlementAt ?? null,
    cancelReason: order.cancelReason ?? null,
    now,
  };
}
