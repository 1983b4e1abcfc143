import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { micros } from '../../src/domain/money.ts';
import type { BuyOrder } from '../../src/engine/ports.ts';
import { accountsPlanOf } from './accounts/plan.ts';
import { PlatformWorld } from './accounts/platform-world.ts';
import { ofLeaving, ofPost } from './at-the-door.ts';
import { auditEnd, auditHistory } from './audit/audit.ts';
import type { EvidenceRow, PurchaseRow, Rows } from './audit/rows.ts';
import type { Post } from './door.ts';
import {
  type Told,
  alert,
  answered,
  answeredWith,
  at,
  books,
  entry,
  evidence,
  feed,
  feedOf,
  halt,
  livedOf,
  plan,
  post,
  row,
  rows,
  secrets,
} from './hand-made.ts';
import { live } from './life.ts';
import type { Lived } from './lived.ts';
import { Person } from './person.ts';
import { planOf } from './plan.ts';
import { RuleLog } from './rule-log.ts';
import type { Violation } from './violation.ts';
import { World } from './world.ts';

const bought = (id: number): EvidenceRow[] => [evidence(2 * id, id, 'intended'), evidence(2 * id + 1, id, 'completed')];

/** The life in which these were bought, with what differs of their rows. */
function journal(purchases: readonly PurchaseRow[], more: Partial<Rows> = {}): Partial<Rows> {
  return {
    ...rows(
      purchases,
      purchases.flatMap(({ id }) => bought(id)),
    ),
    ...more,
  };
}

const two = (given: Partial<PurchaseRow>): Told => ({ rows: journal([row(1, given), row(2, { created_at: at + 3_000 })]) });
const one = (given: Partial<Post>): Told => ({ posts: [post(1, given), post(3, { listingId: '2' })] });
const shown = (...feeds: Post['told']['feeds']): Told => one({ told: { ...post(1).told, feeds } });
const beyond = { ...plan, kind: 'beyond' as const };
const stranger = { seq: 9, order_id: 'o9', known_as: 'adopted', purchase_id: null, amount: 1, name: '', first_seen: at };

/** The orders of the books, those of 1 and 2 among them, each as it is changed. */
function booked(
  change: (order: ReturnType<typeof books>['orders'][number]) => object,
  ...ids: number[]
): ReturnType<typeof books> {
  const view = books(...ids);
  return { ...view, orders: view.orders.map((order) => ({ ...order, ...change(order) })) };
}

const foreign = booked(({ id }) => (id === 'o9' ? { origin: 'foreign', name: 'AWP | Asiimov' } : {}), 1, 2, 9);
const failed = booked(({ id }) => (id === 'o1' ? { code: 'FAILED' } : {}), 1, 2);
const cameBack = [...failed.bookings, { ...failed.bookings[0], kind: 'refund', amount: 4_000_000 }] as typeof failed.bookings;
const poor = books(1, 2);
const orders = rows([row(1), row(2)]).orders;
const paid = evidence(9, 1, 'completed', { kind: 'paid', at: at + 9, json: '{"paid":4010001}' });
const refusals = [1, 3, 5].map((seq) =>
  post(seq, {
    ...{ at: at + seq * 2_000, listingId: String(seq) },
    told: {
      health: [{ ...post(1).told.health[0], at: at + seq * 2_000 }],
      feeds: [{ at: at + seq * 2_000, text: feedOf(entry(String(seq))) }],
    } as Post['told'],
    delivered: { ...answered('TRADE_URL_INVALID', 400), at: at + seq * 2_000 + 100 } as Post['delivered'],
  }),
);
const otherGoods = one({ delivered: answeredWith({ order: { serviceOrderId: 'o1' }, item: { id: '2' } }) });
const ofAnswer = evidence(9, 1, 'bought', { kind: 'outcome', at: at + 9, json: '{"serviceOrderId":"o1"}' });
const both = [row(1), row(2, { created_at: at + 3_000 })];

/** Lives in which a promise is broken, by what is promised. */
const broken: readonly (readonly [check: string, told: Told | ((folder: string) => Told)])[] = [
  ['rate', { posts: [post(1), post(1.5, { listingId: '2' })] }],
  ['resent', { posts: [post(1), post(3)] }],
  ['bought-and-sent', { posts: [post(1, { delivered: answered('RATE_LIMITED', 429) }), post(3)] }],
  ['health', one({ told: { ...post(1).told, health: [] } })],
  ['price', one({ price: 3.99 })],
  ['bad-listing', shown({ at, text: feedOf(entry('1', { priceWithFee: 3 })) })],
  [
    'snapshot-stale',
    one({ at: at + 10_001, told: { ...post(1).told, health: [{ ...post(1).told.health[0], at: at + 10_000 }] } as Post['told'] }),
  ],
  [
    'superseded',
    shown({ at, text: feed }, { at: at + 500, text: feedOf(entry('1', { price: 5, priceWithFee: 5 }), entry('2')) }),
  ],
  ['cap', { rows: journal([row(1), row(2), row(3)]), books: books(1, 2, 3) }],
  ['strategy', two({ strategy: 'nobody-wants-it' })],
  ['unknown-pause', { rows: { ...rows(both, [evidence(1, 1, 'unknown'), ...bought(2)]) } }],
  [
    'freed-wrongly',
    {
      rows: journal(both, {
        evidence: [
          ...bought(1),
          ...bought(2),
          evidence(8, 1, 'rejected', { from_state: 'intended', kind: 'outcome' }),
          evidence(9, 1, 'rejected', { from_state: 'rejected', kind: 'refusal-confirmed' }),
        ],
      }),
    },
  ],
  [
    'reserve',
    { books: { ...poor, bookings: poor.bookings.map((booking) => ({ ...booking, balanceAfter: micros(4_999_999) })) } },
  ],
  ['overlooked', { plan: { ...beyond, faults: {} }, restored: [{ copiedAt: at, at: at + 10_000, lastId: 0 }] }],
  ['undetected', { plan: beyond, books: foreign }],
  [
    'undetected',
    { plan: beyond, books: foreign, rows: journal(both, { orders: [...orders, stranger], halts: [halt('evidence', at)] }) },
  ],
  [
    'unhalted',
    { plan: beyond, books: foreign, rows: journal(both, { orders: [...orders, stranger], alerts: [alert('adopted')] }) },
  ],
  ['unhalted', { rows: journal(both, { evidence: [...bought(1), ...bought(2), paid] }) }],
  ['unhalted', { ...otherGoods, rows: journal(both, { evidence: [...bought(1), ...bought(2), ofAnswer] }) }],
  ['unhalted', { posts: refusals }],
  ['unhalted', { rows: journal(both, { breakerAt: [at] }) }],
  ['secret', { lines: [{ at, boot: 1, event: 'said', fields: { url: secrets.tradeUrl } }] }],
  ['secret', (folder) => ({ folder: withFile(folder, `bytes, and ${secrets.childKeys[0]} among them`) })],
  ['lost', two({ state: 'rejected' })],
  [
    'lost',
    { ...two({ state: 'rejected' }), plan: beyond, rows: journal([row(1, { state: 'rejected' }), row(2)], { orders: [] }) },
  ],
  ['twice', { books: booked(({ id }) => (id === 'o3' ? { listingId: '1' } : {}), 1, 2, 3) }],
  ['twice', { rows: journal([row(1), row(3, { listing_id: '1' }), row(2)]) }],
  ['unresolved', two({ state: 'unknown' })],
  ['unresolved', two({ state: 'rejected', held: 1 })],
  ['invented', { books: books(2) }],
  ['state', two({ state: 'bought' })],
  ['money', two({ paid: 3_000_000 })],
  ['refund', { ...two({ state: 'refunded', refunded: 3_000_000 }), books: { ...failed, bookings: cameBack } }],
  [
    'matching',
    { rows: journal(both, { orders: orders.map((order) => ({ ...order, purchase_id: 3 - (order.purchase_id ?? 0) })) }) },
  ],
  ['stranger', { rows: journal(both, { orders: orders.map((order) => ({ ...order, known_as: 'adopted' })) }) }],
];

/** Near to those, and nothing is wrong. */
const sound: readonly (readonly [what: string, told: Told | ((folder: string) => Told)])[] = [
  ['nothing differs', {}],
  ['it is a life beyond our assumptions', { plan: beyond }],
  ['a buy left just before its match had waited for too long', { posts: [post(1, { at: at + 9_999 })] }],
  [
    'an answer in another unit came after the one that showed the offer',
    shown(
      { at, text: feed },
      { at: at + 500, text: feedOf(...['1', '2', '3'].map((id) => entry(id, { price: 400, priceWithFee: 400 }))) },
    ),
  ],
  ['what showed it otherwise came in the same moment', shown({ at, text: feed }, { at: at + 1_000, text: feedOf(entry('2')) })],
  [
    'an order of others was told of, and halted a dedicated account',
    {
      plan: beyond,
      books: foreign,
      rows: journal(both, { orders: [...orders, stranger], alerts: [alert('adopted')], halts: [halt('evidence', at)] }),
    },
  ],
  [
    'a debit above the price halted',
    {
      rows: journal([row(1, { paid: 4_000_000 }), both[1] as PurchaseRow], {
        evidence: [...bought(1), ...bought(2), paid],
        halts: [halt('evidence', at + 9)],
      }),
    },
  ],
  [
    'an answer with other goods halted',
    {
      ...otherGoods,
      rows: journal(both, { evidence: [...bought(1), ...bought(2), ofAnswer], halts: [halt('outcome', at + 9)] }),
    },
  ],
  ['refusals in a row were those of another start', { posts: refusals.map((each, place) => ({ ...each, boot: place + 1 })) }],
  ['a resume came after the refusals', { posts: refusals, lines: [{ at: at + 9_000, boot: 1, event: 'resumed', fields: {} }] }],
  [
    'refusals in a row were no fault of ours',
    {
      posts: refusals.map((each) => ({
        ...each,
        delivered: { ...answered('PRICE_CHANGED'), at: each.delivered?.at } as Post['delivered'],
      })),
    },
  ],
  [
    'the purchases of an hour were used up, which halted',
    { rows: journal(both, { breakerAt: [at], halts: [halt('purchases-per-hour', at)] }) },
  ],
  ['its folder has no secret in it', (folder) => ({ folder: withFile(folder, 'bytes') })],
];

function withFile(folder: string, text: string): string {
  writeFileSync(join(folder, 'magpie.db'), text);
  return folder;
}

function audited(told: Told | ((folder: string) => Told)): readonly Violation[] {
  const lived = livedOf(typeof told === 'function' ? told(mkdtempSync(join(tmpdir(), 'checks-'))) : told);
  return [...auditHistory(lived).violations, ...auditEnd(lived).violations];
}

const checksOf = (violations: readonly Violation[]): string[] => violations.map(({ check }) => check);

describe('the end of a life', () => {
  it.each(sound)('shows nothing where %s', (_, told) => {
    expect(audited(told)).toEqual([]);
  });

  it.each(broken)('shows what is wrong: %s', (check, told) => {
    expect(checksOf(audited(told))).toContain(check);
  });
});

const committed = { lane: 'live', state: 'intended', listing: '1', price: 4 };

/** Rows with which no request may leave. */
const unfit: readonly (readonly [check: string, purchases: readonly (typeof committed)[]])[] = [
  ['intent-first', []],
  ['intent-first', [committed, committed]],
  ['intent-first', [{ ...committed, state: 'unknown' }]],
  ['intent-first', [{ ...committed, lane: 'paper' }]],
  ['intent-first', [{ ...committed, listing: '2' }]],
  ['price', [{ ...committed, price: 4.01 }]],
];

const ofDoor = ['intent-synced', 'halted'];
const ofLife = ['vacuous', 'stuck', 'reload', 'false-halt'];
const ofWorld = ['start', 'defect'];
const ofRestore = ['restore'];
const ofPlatform = ['platform-defect'];

describe('at the door', () => {
  const order: BuyOrder = { listingId: '1', itemId: 'i', market: 'c5game', price: 4 };
  function doorOf(purchases: readonly (typeof committed)[], { halted = 0, atRisk = false } = {}): Lived {
    const db = new Database(':memory:');
    db.exec('CREATE TABLE purchases (lane, state, market, listing_id, price); CREATE TABLE halts (reason, resumed_at)');
    const insert = db.prepare("INSERT INTO purchases VALUES (@lane, @state, 'c5game', @listing, @price)");
    for (const purchase of purchases) insert.run(purchase);
    db.exec(`INSERT INTO halts VALUES ('long ago', 1)`);
    if (halted > 0) db.exec(`INSERT INTO halts VALUES ('it must stop', NULL)`);
    const read = (sql: string, ...values: string[]): unknown[] => db.prepare(sql).all(...values);
    return { now: at, storage: { rows: read, atRisk } } as unknown as Lived;
  }

  it('nothing is wrong with a request whose row is committed and synced', () => {
    expect(ofPost(doorOf([committed, { ...committed, listing: '2', price: 5 }]), order)).toEqual([]);
    expect(ofLeaving(doorOf([committed]), order)).toEqual([]);
  });

  it.each(unfit)('%s is shown of one that has no row of its own', (check, purchases) => {
    expect(checksOf(ofPost(doorOf(purchases), order))).toEqual([check]);
  });

  it('intent-synced is shown of one whose row a power cut would take, halted of one that leaves while a halt stands', () => {
    const found = [
      ...ofPost(doorOf([committed], { atRisk: true }), order),
      ...ofLeaving(doorOf([committed], { halted: 1 }), order),
    ];
    expect(checksOf(found)).toEqual(ofDoor);
  });
});

describe('a life itself', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('shows vacuous, stuck, reload and false-halt where it buys nothing, takes no rules and halts without a reason', async () => {
    const drawn = planOf(1, 'safety', 'short');
    const bot = { ...drawn.bot, intervalMs: 30 * 86_400_000, limits: { ...drawn.bot.limits, maxPrice: 0.000001 } };
    vi.spyOn(RuleLog.prototype, 'isWaiting', 'get').mockReturnValue(true);
    const { haltForGood } = Person.prototype;
    vi.spyOn(Person.prototype, 'haltForGood').mockImplementation(function (this: Person) {
      this.tripped.push({ at, reason: 'it says so', by: 'evidence' }, { at, reason: 'so many', by: 'purchases-per-hour' });
      Reflect.apply(haltForGood, this, []);
    });
    const { violations } = await live({ ...drawn, bot, minutes: 1, pace: 1, acts: [], crashes: [], clockSteps: [], disk: [] });
    expect(checksOf(violations)).toEqual(ofLife);
  });

  it('shows start where its process cannot begin, and defect where a promise fails that nobody hears', () => {
    const world = new World(planOf(1, 'safety', 'short'));
    const platform = new PlatformWorld(accountsPlanOf(1, 2, 'short'), undefined);
    vi.spyOn(world.storage, 'open').mockImplementationOnce(() => {
      throw new Error('it does not open');
    });
    world.boot();
    world.boot();
    world.rejected(new Error('nobody hears'));
    platform.rejected(new Error('nobody hears'));
    expect(checksOf(world.violations)).toEqual(ofWorld);
    expect(checksOf(platform.violations)).toEqual(ofPlatform);
    platform.dispose();
    world.dispose();
  });
});

describe('a copy of the ledger', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('shows restore where it cannot be put in the place of the ledger', async () => {
    const world = new World({ ...planOf(10, 'beyond', 'short'), restores: [{ copiedAt: 1_000, at: 2_000, downMs: 10_000 }] });
    const fault = { kind: 'damaged', message: 'it is damaged' } as const;
    vi.spyOn(world.storage, 'restore').mockReturnValue({ ok: false, fault });
    world.begin();
    await world.time.run(world.now + 3_000);
    expect(checksOf(world.violations)).toEqual(ofRestore);
    world.dispose();
  });
});

describe('each check of the auditor', () => {
  const here = fileURLToPath(new URL('.', import.meta.url));
  const textOf = (file: string): string => readFileSync(join(here, file), 'utf8');
  const elsewhere = { isolation: 'accounts/accounts.test.ts', 'two-accounts': 'accounts/accounts.test.ts' };

  it('is shown by a test', () => {
    const files = readdirSync(here, { recursive: true, encoding: 'utf8' });
    const sources = files.filter((file) => file.endsWith('.ts') && !file.includes('.test.')).map(textOf);
    const named = /(?:violation|fail)\(\s*(?:[^',()]+\? '([\w-]+)' : )?'([\w-]+)'|check: '([\w-]+)'/g;
    const names = [...sources.join('\n').matchAll(named)].flatMap((match) => match.slice(1));
    const checks = new Set(names.filter((name) => name !== undefined));
    const proved = [...broken, ...unfit].map(([check]) => check);
    const inWords = Object.entries(elsewhere).flatMap(([name, file]) =>
      textOf(file).includes(`toContain('${name}')`) ? name : [],
    );
    expect([...checks].sort()).toEqual(
      [...new Set([...proved, ...ofDoor, ...ofLife, ...ofWorld, ...ofRestore, ...ofPlatform, ...inWords])].sort(),
    );
  });
});
