import Database from 'better-sqlite3';
import type { BooksView } from '../../src/sandbox/audit.ts';
import type { EvidenceRow, PurchaseRow, Rows } from './audit/rows.ts';
import type { Post } from './door.ts';
import type { Lived } from './lived.ts';
import { planOf } from './plan.ts';
import { RuleLog } from './rule-log.ts';

// Books, journals and buys made by hand, for the auditor to look at: two of a listing each were bought, and nothing is wrong with them.

export const at = Date.UTC(2026, 10, 2, 9);
const base = planOf(1, 'safety');
export const limits = {
  ...base.bot.limits,
  spend: { hour: 10, total: 100 },
  perItem: {},
  unknown: 1,
  openPurchases: 9,
  perHour: 9,
  maxPrice: 9,
  reserve: 5,
  refusalsInRow: 2,
};
export const plan: typeof base = {
  ...base,
  ...{ pace: 1, faults: {}, clockSteps: [] },
  bot: {
    ...base.bot,
    require: 'ok',
    intervalMs: 5_000,
    timeoutMs: 10_000,
    dedicated: true,
    healthStaleMs: 15_000,
    buysPerSecond: 1,
    limits,
    strategies: [{ name: 'anything', priority: 0, price: { max: 9 } }],
  },
};

type Order = BooksView['orders'][number];

export function row(id: number, given: Partial<PurchaseRow> = {}): PurchaseRow {
  return {
    id,
    state: 'completed',
    held: 0,
    was_unknown: 0,
    refusal_cause: null,
    strategy: 'anything',
    market: 'c5game',
    listing_id: String(id),
    market_hash_name: 'P250 | Sand Dune',
    wear: 0.2,
    price: 4,
    cost: 4_000_000,
    paid: null,
    refunded: 0,
    service_order_id: `o${id}`,
    order_status: 'COMPLETED',
    reason: null,
    base_seq: 0,
    created_at: at + id * 1_000,
    ...given,
  };
}

export function evidence(seq: number, purchase: number, to: string, given: Partial<EvidenceRow> = {}): EvidenceRow {
  return { seq, purchase_id: purchase, at, from_state: null, to_state: to, kind: 'intent', note: null, json: null, ...given };
}

export function rows(purchases: readonly PurchaseRow[], history: readonly EvidenceRow[] = []): Rows {
  const orders = purchases.map(({ id, cost }) => ({
    ...{ seq: id, order_id: `o${id}`, known_as: 'ours', purchase_id: id, amount: cost, name: 'P250 | Sand Dune', first_seen: at },
  }));
  return { purchases, evidence: history, orders, halts: [], alerts: [] };
}

export function books(...ids: number[]): BooksView {
  const orders = ids.map(
    (id): Order =>
      ({
        ...{
          id: `o${id}`,
          upstreamId: '1',
          account: 'a',
          market: 'c5game',
          listingId: String(id),
          itemId: 'i',
          name: 'P250 | Sand Dune',
        },
        ...{ wear: null, price: 4_000_000, cost: 4_000_000, createdAt: at + id * 1_000 + 5, code: 'COMPLETED', updatedAt: at },
        ...{ settlementAt: null, cancelReason: '', refunded: 0, origin: 'ours' },
      }) as unknown as Order,
  );
  const bookings = ids.map((id) => ({
    ...{ orderId: `o${id}`, kind: 'purchase', amount: -4_000_000, balanceAfter: 50_000_000, at: at + id * 1_000 + 5 },
  }));
  return { orders, bookings, events: [], faults: {} } as unknown as BooksView;
}

export const health = JSON.stringify({
  success: true,
  data: { status: 'ok', service: {}, markets: { c5: { status: 'ok', staleMs: 10 } } },
});
/** One entry of the live listings with nothing wrong in it. */
export function entry(id: string, given: Record<string, unknown> = {}): Record<string, unknown> {
  const goods = { itemId: 'i', marketHashName: 'P250 | Sand Dune', wear: 0.2 };
  return { id, market: 'c5game', ...goods, price: 4, priceWithFee: 4, ...given };
}

export function feedOf(...listings: readonly unknown[]): string {
  return JSON.stringify({ success: true, data: { listings, listingsCount: listings.length } });
}

export const feed = feedOf(entry('1'), entry('2'), entry('3'));

export function post(seq: number, given: Partial<Post> = {}): Post {
  return {
    ...{ seq, boot: 1, at: at + seq * 1_000, market: 'c5game', listingId: '1', price: 4, outcomes: [], delivered: undefined },
    carried: { sentAt: at, arrivedAt: at, answer: undefined },
    early: false,
    told: { health: [{ at, text: health }], feeds: [{ at, text: feed }] },
    ...given,
  };
}

export function answered(code: string, status = 409): Post['delivered'] {
  const body = [Buffer.from(JSON.stringify({ success: false, code, message: '' }))];
  return { at: at + 1_500, ending: { kind: 'raw', status, headers: { 'content-type': 'application/json' }, body } };
}

export function answeredWith(data: unknown): Post['delivered'] {
  const body = [Buffer.from(JSON.stringify({ success: true, data }))];
  return { at: at + 1_500, ending: { kind: 'raw', status: 200, headers: { 'content-type': 'application/json' }, body } };
}

/** What an auditor asks of a life, where it differs from the one in which purchases 1 and 2 were bought and nothing is wrong. */
export interface Told {
  readonly plan?: Partial<Lived['plan']>;
  readonly rows?: Partial<Rows>;
  readonly books?: BooksView;
  readonly posts?: readonly Post[];
  readonly restored?: Lived['restored'];
  readonly lines?: Lived['log']['lines'];
  /** Where its files are; left out: it has none. */
  readonly folder?: string;
}

export const secrets = {
  topLevelKey: 'top-level-key',
  childKeys: ['the-child-key'],
  tradeUrl: 'https://steamcommunity.com/tradeoffer/new/?partner=1&token=the-token',
};

/** A life that has ended so, as its auditor meets it. */
export function livedOf(told: Told = {}): Lived {
  const bought = [row(1), row(2, { created_at: at + 3_000 })];
  const history = [
    evidence(1, 1, 'intended'),
    evidence(2, 1, 'completed'),
    evidence(3, 2, 'intended'),
    evidence(4, 2, 'completed'),
  ];
  const db = ledgerOf({ ...rows(bought, history), ...told.rows });
  const storage = {
    exists: true,
    folder: told.folder ?? '/nowhere',
    read: <T>(work: (ledger: Database.Database) => T) => work(db),
  };
  const posts = told.posts ?? [post(1), post(3, { listingId: '2' })];
  const ofPlan = { ...plan, ...told.plan };
  return {
    ...{
      plan: ofPlan,
      storage,
      door: { posts },
      log: { lines: told.lines ?? [], isWhole: true },
      rules: new RuleLog(ofPlan.bot),
    },
    ...{ sandbox: secrets, books: () => told.books ?? books(1, 2), restored: told.restored ?? [] },
  } as unknown as Lived;
}

/** A ledger of these rows, with the columns that an auditor reads. */
function ledgerOf({ purchases, evidence: history, orders, halts, alerts, breakerAt = [] }: Rows): Database.Database {
  const db = new Database(':memory:');
  const decisions = breakerAt.map((moment, id) => ({ id, at: moment, lane: 'live', reason: 'breaker-per-hour' }));
  const tables = {
    purchases: purchases.map((one) => ({ ...one, lane: 'live' })),
    evidence: history,
    orders,
    halts,
    alerts,
    decisions,
  };
  const columns = {
    ...{ purchases: row(0), evidence: evidence(0, 0, ''), orders: rows([row(0)]).orders[0] },
    ...{ halts: halt('', 0), alerts: alert(''), decisions: { id: 0, at: 0, lane: '', reason: '' } },
  };
  for (const [table, all] of Object.entries(tables)) {
    const names = Object.keys({ ...columns[table as keyof typeof columns], id: 0, lane: '' });
    db.exec(`CREATE TABLE ${table} (${names.join(', ')})`);
    const insert = db.prepare(`INSERT INTO ${table} VALUES (${names.map((name) => `@${name}`).join(', ')})`);
    all.forEach((one, place) => insert.run({ id: place, lane: 'live', ...one }));
  }
  return db;
}

export function halt(by: string, moment: number, until: number | null = null): Rows['halts'][number] {
  return { reason: 'r', by_whom: by, at: moment, resumed_at: until };
}

export function alert(kind: string): Rows['alerts'][number] {
  return { kind, at, message: 'm', purchase_id: null };
}
