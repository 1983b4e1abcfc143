import { describe, expect, it } from 'vitest';
import type { BooksView } from '../../src/sandbox/audit.ts';
import { capViolations, everything } from './audit/caps.ts';
import { finalViolations } from './audit/final.ts';
import type { EvidenceRow, PurchaseRow, Rows } from './audit/rows.ts';
import { soldTwice, truthOf } from './audit/truth.ts';
import { wireViolations } from './audit/wire.ts';
import type { Post } from './door.ts';
import type { RulesPlan } from './bot-plan.ts';
import { answered, at, books, entry, evidence, feedOf, health, limits, plan, post, row, rows } from './hand-made.ts';
import { RuleLog } from './rule-log.ts';

const finals = (ours: Rows, view: BooksView): string[] =>
  finalViolations(ours, truthOf(view, ours.purchases), plan).map(({ check, detail }) => `${check}: ${detail}`);

describe('the auditor finds', () => {
  it('nothing where books agree', () => {
    expect(finals(rows([row(1), row(2)]), books(1, 2))).toEqual([]);
  });

  it('a purchase that is lost, invented, or in another state or at another price than in truth', () => {
    expect(finals(rows([row(1, { state: 'rejected' })]), books(1))).toEqual([
      'lost: order o1 of 4000000 was made by a buy of ours; purchases of the listing: 1 rejected',
    ]);
    expect(finals(rows([row(1)]), books())).toContain('invented: completed, but the exchange sold it to nobody of ours ()');
    expect(finals(rows([row(1, { state: 'bought' })]), books(1))).toEqual([
      'state: bought, but its order is COMPLETED and 0 came back',
    ]);
    expect(finals(rows([row(1, { paid: 3_000_000 })]), books(1))).toEqual(['money: paid 3000000, debited 4000000']);
    expect(finals(rows([row(1, { state: 'unknown' })]), books())[0]).toContain('unresolved: still unknown');
  });

  it('money that came back for another, unless nothing tells the two apart and the sum is right', () => {
    const view = books(1, 2);
    const failed = view.orders.map((order) => ({ ...order, code: 'FAILED' as const }));
    const bookings = [...view.bookings, { orderId: 'o1', kind: 'refund', amount: 1_000_000 } as (typeof view.bookings)[number]];
    const given = (wear: number | null, back: number): string[] =>
      finals(rows([row(1, { state: 'bought', wear }), row(2, { state: 'refunded', wear, refunded: back })]), {
        ...view,
        orders: failed,
        bookings,
      });
    expect(given(null, 1_000_000)).toEqual([]);
    expect(given(null, 2_000_000)).toContain('refund: refunded 0, came back 1000000');
    expect(given(0.2, 1_000_000)).toContain('refund: refunded 0, came back 1000000');
  });

  it('orders that were exchanged, unless nothing tells their purchases apart', () => {
    const pair = (given: Partial<PurchaseRow>): Rows => {
      const whole = rows([row(1, given), row(2, given)]);
      return { ...whole, orders: whole.orders.map((one) => ({ ...one, purchase_id: 3 - (one.purchase_id ?? 0) })) };
    };
    const blind = { wear: null, was_unknown: 1 };
    for (const given of [blind, { wear: null, refusal_cause: 'gone' }]) expect(finals(pair(given), books(1, 2))).toEqual([]);
    for (const given of [
      { ...blind, wear: 0.2 },
      { ...blind, was_unknown: 0 },
    ])
      expect(finals(pair(given), books(1, 2))).toContain('matching: order o1 is ours of 2');
    const worn = { ...blind, wear: 0.2 };
    const made = (apart: number): BooksView => {
      const view = books(1, 2);
      return { ...view, orders: view.orders.map((one, index) => ({ ...one, createdAt: at + 5_003 + index * apart })) };
    };
    expect(finals(pair(worn), made(3))).toEqual([]);
    expect(finals(pair(worn), made(997))).toContain('matching: order o1 is ours of 2');
  });

  it('an order that belongs to another purchase, or that is taken for a stranger’s', () => {
    const swapped = rows([row(1), row(2)]);
    const orders = swapped.orders.map((order) => ({ ...order, purchase_id: order.purchase_id === 1 ? 2 : 1 }));
    expect(finals({ ...swapped, orders }, books(1, 2)).filter((text) => text.startsWith('matching'))).toHaveLength(4);
    const strange = swapped.orders.map((order) => ({ ...order, known_as: 'adopted', purchase_id: null }));
    expect(finals({ ...swapped, orders: strange }, books(1, 2))).toContain('stranger: our own order o1 is adopted');
  });

  it('a cap that was passed, by what was known or by what was really sold', () => {
    const bought = [row(1), row(2), row(3)];
    const all = (...history: EvidenceRow[]): string[] =>
      capViolations(rows(bought, history), truthOf(books(1, 2, 3), bought), () => [plan.bot], everything).map(
        ({ check, detail }) => `${check}: ${detail}`,
      );
    const intents = [evidence(1, 1, 'intended'), evidence(3, 2, 'intended'), evidence(5, 3, 'intended')];
    expect(all(...intents)).toEqual([
      'cap: spend hour (known): 12000000 of 10000000',
      'cap: spend hour (real): 12000000 of 10000000',
    ]);
    const refused = { from_state: 'intended', kind: 'outcome' };
    const freed = [
      ...intents,
      evidence(2, 1, 'rejected', refused),
      evidence(4, 1, 'rejected', { from_state: 'rejected', kind: 'refusal-confirmed' }),
    ].sort((a, b) => a.seq - b.seq);
    expect(all(...freed)).toEqual([
      'cap: spend hour (real): 12000000 of 10000000',
      'freed-wrongly: its money was given back, and order o1 had been made',
    ]);
  });

  it('a cap that was passed by what others had bought, from when it was adopted on', () => {
    const both = [row(1), row(2, { base_seq: 7, market_hash_name: 'AWP | Asiimov (Field-Tested)' })];
    const given = rows(both, [evidence(1, 1, 'intended'), evidence(2, 2, 'intended')]);
    const stranger = { seq: 7, order_id: 'x', known_as: 'adopted', purchase_id: null, amount: 3_000_000, first_seen: at };
    const found = (name: string, seq = 7, perItem = {}): string[] => {
      const orders = [...given.orders, { ...stranger, name, seq }];
      const bot = { ...plan.bot, limits: { ...limits, perItem } };
      return capViolations({ ...given, orders }, truthOf(books(1, 2), both), () => [bot], everything).map(({ detail }) => detail);
    };
    const passed = ['spend hour (known): 11000000 of 10000000', 'spend hour (real): 11000000 of 10000000'];
    expect(found('P250 | Sand Dune')).toEqual(passed);
    expect(found('P250 | Sand Dune', 8)).toEqual([]);
    const item = 'perItem day (known): 2 of 1';
    expect(found('awp |  Asiimov (Field-Tested) ', 7, { day: 1 })).toContain(item);
    expect(found('', 7, { day: 1 })).toContain(item);
    expect(found('P250 | Sand Dune', 7, { day: 1 })).toEqual(passed);
  });

  it('a listing of which buys of ours have made two orders', () => {
    const once = books(1, 2);
    expect(soldTwice(truthOf(once, [row(1)]))).toEqual([]);
    const orders = once.orders.map((order) => ({ ...order, listingId: '1' }));
    const purchases = [row(1, { state: 'rejected' }), row(2, { listing_id: '1' })];
    const truth = truthOf({ ...once, orders }, purchases);
    expect(soldTwice(truth)).toMatchObject([{ check: 'twice', listing: 'c5game:1', detail: expect.stringContaining('o1, o2') }]);
    expect([...truth.sold].map(([id, { order }]) => [id, order.id])).toEqual([
      [2, 'o2'],
      [1, 'o1'],
    ]);
  });

  it('money that was given back for what was sold, unless it is counted for one that nothing tells apart from it', () => {
    const refused = [evidence(3, 1, 'rejected', { kind: 'outcome' }), evidence(4, 1, 'rejected', { kind: 'refusal-confirmed' })];
    const found = (given: Partial<PurchaseRow>, owner: number): string[] => {
      const both = [row(1, { wear: null, state: 'rejected' }), row(2, { wear: null, ...given })];
      const whole = rows(both, [evidence(1, 1, 'intended'), evidence(2, 2, 'intended'), ...refused]);
      const orders = whole.orders.map((one) => (one.order_id === 'o1' ? { ...one, purchase_id: owner } : one));
      return capViolations({ ...whole, orders }, truthOf(books(1), both), () => [plan.bot], everything).map(({ check }) => check);
    };
    expect(found({}, 2)).toEqual([]);
    expect(found({}, 1)).toEqual(['freed-wrongly']);
    for (const other of [{ wear: 0.2 }, { cost: 3_000_000 }, { market_hash_name: 'P90 | Sand Spray' }])
      expect(found(other, 2)).toEqual(['freed-wrongly']);
  });

  it('a purchase for a strategy that was gone or on paper, where no change of rules was under way', () => {
    const one = [row(1)];
    const found = (...rules: RulesPlan[]): string[] =>
      capViolations(rows(one, [evidence(1, 1, 'intended')]), truthOf(books(1), one), () => rules, everything).map(
        ({ check }) => check,
      );
    const gone = { ...plan.bot, strategies: [] };
    const onPaper = { ...plan.bot, strategies: plan.bot.strategies.map((each) => ({ ...each, mode: 'dry-run' as const })) };
    expect(found(plan.bot)).toEqual([]);
    expect(found(gone)).toEqual(['strategy']);
    expect(found(onPaper)).toEqual(['strategy']);
    expect(found(gone, plan.bot)).toEqual([]);
  });

  it('the rules of a purchase: those that were taken last, and those before while it may not know of them', () => {
    const log = new RuleLog(plan.bot);
    const [tight, wide] = [{ ...plan.bot }, { ...plan.bot }];
    log.start(0);
    const taken = log.save(tight, 4);
    expect(log.isWaiting).toBe(true);
    expect(log.of({ id: 4, created_at: at })).toEqual([log.of({ id: 1, created_at: at })[0]]);
    expect(log.of({ id: 5, created_at: at })).toHaveLength(2);
    taken(at);
    expect(log.of({ id: 5, created_at: at + 14_999 })).toHaveLength(2);
    expect(log.of({ id: 5, created_at: at + 15_000 })).toEqual([tight]);
    log.save(wide, 7);
    log.start(9);
    expect(log.of({ id: 10, created_at: at })).toEqual([wide]);
    expect(log.isWaiting).toBe(false);
  });

  it('a purchase while as many are unknown as may be', () => {
    const both = [row(1), row(2)];
    const history = [
      evidence(1, 1, 'intended'),
      evidence(2, 1, 'unknown', { from_state: 'intended' }),
      evidence(3, 2, 'intended'),
    ];
    const found = capViolations(rows(both, history), truthOf(books(1, 2), both), () => [plan.bot], everything);
    expect(found.map(({ detail }) => detail)).toEqual(['bought while 1 are unknown']);
  });
});

describe('on the wire the auditor finds', () => {
  const found = (...posts: Post[]): string[] => wireViolations(posts, truthOf(books(), []), plan).map(({ check }) => check);

  it('nothing in one buy at the price that was shown, nor in a second after a refusal that passed', () => {
    expect(found(post(1))).toEqual([]);
    expect(found(post(1, { delivered: answered('RATE_LIMITED', 429) }), post(2))).toEqual([]);
  });

  it('a listing that is sent again where it may have been bought, or at the price at which it was refused', () => {
    expect(found(post(1), post(2))).toEqual(['resent']);
    expect(found(post(1, { delivered: answered('ORDER_PROCESSING') }), post(2))).toEqual(['resent']);
    expect(found(post(1, { delivered: answered('INTERNAL_ERROR', 500) }), post(2))).toEqual(['resent']);
    expect(found(post(1, { delivered: answered('PRICE_CHANGED') }), post(2))).toEqual(['resent']);
  });

  it('buys that are closer to each other than the rate, by another start of the process too', () => {
    const refused = { delivered: answered('RATE_LIMITED', 429) };
    expect(found(post(1, refused), post(2, { boot: 2 }))).toEqual([]);
    expect(found(post(1, refused), post(2, { boot: 2, at: at + 1_900 }))).toEqual(['rate']);
  });

  it('a price that was not there yet when the buy left, though the rest of its answer shows it', () => {
    const text = feedOf(entry('1'), entry('2', { price: 5, priceWithFee: 5 }));
    const arriving = (length: number): Post['told'] => ({
      ...post(1).told,
      feeds: [{ at, text: text.slice(0, length), part: true }],
    });
    expect(found(post(1, { told: arriving(text.indexOf('},{') + 1) }))).toEqual([]);
    expect(found(post(1, { told: arriving(text.length) }))).toEqual([]);
    expect(found(post(1, { told: arriving(text.indexOf('},{')) }))).toEqual(['price']);
    expect(found(post(1, { told: arriving(text.indexOf('}]')), listingId: '2', price: 5 }))).toEqual(['price']);
  });

  it('a price that nobody showed, and a market that was not healthy', () => {
    expect(found(post(1, { price: 3.99 }))).toEqual(['price']);
    const told = post(1).told;
    const stale = { ...told, health: [{ at: at - 20_000, text: health }] };
    const down = { ...told, health: [{ at, text: health.replace('"status":"ok","staleMs"', '"status":"down","staleMs"') }] };
    expect(found(post(1, { told: stale }))).toEqual(['health']);
    expect(found(post(1, { told: down }))).toEqual(['health']);
  });
});
