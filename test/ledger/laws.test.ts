import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BuyOutcome } from '../../src/domain/outcome.ts';
import { type Purchase, closesListing, committedAmount, isCommitted, isReserved, mayMove } from '../../src/domain/purchase.ts';
import { emptyExposure, usage, withAdopted, withPurchase } from '../../src/engine/exposure.ts';
import type { Finding } from '../../src/engine/evidence.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { available } from '../../src/risk/balance.ts';
import { NOON, dollars, listing, noLimits, wideLimits } from '../support/values.ts';
import { freshFolder, opened, order, outcomes, raw, wish } from './support.ts';

const NAMES = ['AK-47 | Redline (Field-Tested)', 'Glock-18 | Fade (Factory New)'] as const;
const STRATEGIES = ['cheap', 'fades'] as const;
const LANES = ['live', 'paper'] as const;

const limits = {
  ...wideLimits,
  maxPrice: dollars(400),
  spend: { hour: dollars(300), day: dollars(700), total: dollars(1_500) },
  perItem: { hour: 4, day: 6, total: 9 },
  reserve: dollars(100),
  openPurchases: 6,
  unknown: 3,
};
const strategyLimits = { spend: { hour: dollars(250), total: dollars(900) }, count: { day: 5 }, perItem: { total: 6 } };

/** Amounts in dollars as feeds send them: cents, six decimals, tiny, huge, long fractions. */
const price = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 10_000 }).map((cents) => cents / 100) },
  { weight: 2, arbitrary: fc.double({ min: 1e-7, max: 400, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(0.1 + 0.2, 1.005, 1e-6, 99.999999999, 1e9) },
);
const small = fc.nat({ max: 11 });
const amount = fc.integer({ min: 0, max: 300_000_000 }).map((value) => dollars(value / 1_000_000));

const outcome: fc.Arbitrary<BuyOutcome> = fc.oneof(
  small.map((n) => outcomes.bought(`o${n}`)),
  fc.constantFrom(outcomes.refused('gone'), outcomes.refused('funds'), outcomes.unknown('u'), outcomes.unsent()),
);

const finding = (id: number): fc.Arbitrary<Finding> => {
  const row = fc.record({ n: small, amount }).map(({ n, amount }) => order(`o${n}`, { amount, itemName: NAMES[n % 2] }));
  const transactionId = small.map((n) => `t${n}`);
  const maybe = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(values, { nil: undefined });
  const own = { purchaseId: fc.constant(id), note: fc.constant('') };
  return fc.oneof(
    fc.record({ kind: fc.constant('bought' as const), ...own, order: maybe(row), transactionId: maybe(transactionId), paid: maybe(amount) }),
    fc.record({ kind: fc.constantFrom('status' as const, 'completed' as const), purchaseId: own.purchaseId, order: row }),
    fc.record({ kind: fc.constant('paid' as const), ...own, paid: amount, transactionId: maybe(transactionId) }),
    fc.record({ kind: fc.constant('refund' as const), ...own, amount, transactionId }),
    fc.record({ kind: fc.constantFrom('refusal-confirmed' as const, 'not-bought' as const), ...own }),
    row.map((order) => ({ kind: 'order' as const, order, as: 'adopted' as const, purchaseId: undefined })),
    row.map((order) => ({ kind: 'order' as const, order, as: 'ours' as const, purchaseId: id })),
    row.map((order) => ({ kind: 'order' as const, order, as: 'baseline' as const, purchaseId: undefined })),
  );
};

type Step =
  | { readonly kind: 'commit'; readonly lane: 'live' | 'paper'; readonly strategy: string; readonly id: number; readonly price: number }
  | { readonly kind: 'outcome'; readonly which: number; readonly outcome: BuyOutcome }
  | { readonly kind: 'apply'; readonly which: number; readonly make: (id: number) => Finding[] }
  | { readonly kind: 'balance'; readonly dollars: number }
  | { readonly kind: 'verdict'; readonly which: number; readonly as: 'bought' | 'not-bought' }
  | { readonly kind: 'halt' | 'resume' | 'restart' }
  | { readonly kind: 'wait'; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('commit' as const),
      lane: fc.constantFrom(...LANES, 'live' as const, 'live' as const),
      strategy: fc.constantFrom(...STRATEGIES),
      id: fc.nat({ max: 14 }),
      price,
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('outcome' as const), which: fc.nat(), outcome }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('apply' as const),
      which: fc.nat(),
      make: fc.array(finding(0), { minLength: 1, maxLength: 3 }).map((found) => (id: number) => found.map((one) => ('purchaseId' in one && one.purchaseId !== undefined ? { ...one, purchaseId: id } : one))),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('balance' as const), dollars: fc.integer({ min: 0, max: 3_000 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('verdict' as const), which: fc.nat(), as: fc.constantFrom('bought' as const, 'not-bought' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('halt' as const, 'resume' as const, 'resume' as const, 'restart' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 30_000, 3_600_000, 43_200_000) }) },
);

class World {
  readonly folder = freshFolder();
  now = NOON;
  ledger: Ledger;
  committed = 0;

  constructor() {
    this.ledger = opened(this.folder);
    this.ledger.bindAccount('account-1');
    this.read(2_000);
  }

  read(amount: number): void {
    this.ledger.recordBalance({ amount: dollars(amount), beganAt: this.now, endedAt: this.now });
  }

  pick(which: number): Purchase | undefined {
    const all = this.ledger.purchases();
    return all[which % Math.max(1, all.length)];
  }

  do(step: Step): void {
    this.now += 1;
    switch (step.kind) {
      case 'commit':
        return this.commit(step);
      case 'outcome': {
        const purchase = this.pick(step.which);
        if (purchase) this.ledger.recordOutcome(purchase.id, step.outcome, { sentAt: undefined, answeredAt: undefined }, undefined, this.now);
        return;
      }
      case 'apply': {
        const purchase = this.pick(step.which);
        if (purchase) this.ledger.apply(step.make(purchase.id), this.now);
        return;
      }
      case 'balance':
        return this.read(step.dollars);
      case 'verdict': {
        const purchase = this.pick(step.which);
        if (purchase?.state === 'unknown') this.ledger.resolve(purchase.id, step.as, 'looked', this.now);
        return;
      }
      case 'halt':
        return void this.ledger.halt('x', 'person', this.now);
      case 'resume':
        return this.ledger.resume(this.now);
      case 'restart':
        this.ledger.close();
        this.ledger = opened(this.folder);
        return void this.ledger.orphansToUnknown(this.now);
      case 'wait':
        this.now += step.ms;
        return this.read(2_000);
    }
  }

  commit({ lane, strategy, id, price }: Extract<Step, { kind: 'commit' }>): void {
    const halted = this.ledger.halted();
    const offer = listing({ id: String(id), name: NAMES[id % 2]!, price, priceWithFee: price * 1.05, market: id % 3 === 0 ? 'ecosteam' : 'c5game' });
    const closed = this.ledger.purchases({ lane }).some((one) => one.market === offer.market && one.listingId === offer.id && closesListing(one) && lane === 'live');
    const result = this.ledger.commitIntent(wish({ lane, strategy, limits: { ...noLimits, ...strategyLimits }, listing: offer }), limits, this.now);
    if (!result.ok) return;
    this.committed += 1;
    expect(halted).toBeUndefined();
    expect(closed).toBe(false);
    expect(result.purchase.price).toBe(price);
    this.checkCaps(result.purchase);
  }

  /** What invariant 5 says of an admission of ours. */
  checkCaps({ lane, strategy, marketHashName, cost }: Purchase): void {
    const used = this.ledger.usage(lane, { strategy, marketHashName }, this.now);
    expect(cost).toBeLessThanOrEqual(limits.maxPrice);
    for (const window of ['hour', 'day', 'total'] as const) {
      expect(used.spend[window]).toBeLessThanOrEqual(limits.spend[window]);
      expect(used.item[window]).toBeLessThanOrEqual(limits.perItem[window]);
    }
    expect(used.strategySpend.hour).toBeLessThanOrEqual(strategyLimits.spend.hour);
    expect(used.strategySpend.total).toBeLessThanOrEqual(strategyLimits.spend.total);
    expect(used.strategyCount.day).toBeLessThanOrEqual(strategyLimits.count.day);
    expect(used.strategyItem.total).toBeLessThanOrEqual(strategyLimits.perItem.total);
    expect(used.open).toBeLessThanOrEqual(limits.openPurchases);
    const reading = this.ledger.balance()!;
    expect(this.now - reading.beganAt).toBeLessThanOrEqual(60_000);
    if (lane === 'live') expect(available(reading, this.ledger.holds())).toBeGreaterThanOrEqual(limits.reserve);
  }

  /** What holds after every step. */
  checkRows(): void {
    const purchases = [...this.ledger.everyPurchase()];
    const adopted = this.ledger.adoptedOrders();
    for (const lane of LANES) {
      const exposure = emptyExposure();
      for (const purchase of purchases) if (purchase.lane === lane) withPurchase(exposure, purchase);
      if (lane === 'live') for (const one of adopted) withAdopted(exposure, one.orderId, { at: one.firstSeen, amount: one.amount, marketHashName: one.marketHashName });
      for (const strategy of STRATEGIES) {
        for (const marketHashName of NAMES) {
          expect(this.ledger.usage(lane, { strategy, marketHashName }, this.now)).toEqual(usage(exposure, { strategy, marketHashName }, this.now));
        }
      }
    }
    const boughtAfterAll = ({ id }: Purchase): boolean => this.ledger.evidenceOf(id).some(({ from, to }) => from === 'rejected' && to === 'bought');
    const closing = purchases
      .filter((one) => one.lane === 'live' && closesListing(one) && !boughtAfterAll(one))
      .map((one) => `${one.market}:${one.listingId}`);
    expect(new Set(closing).size).toBe(closing.length);
    const orderIds = purchases.flatMap(({ serviceOrderId }) => serviceOrderId ?? []);
    expect(new Set(orderIds).size).toBe(orderIds.length);
    const reserved = purchases.filter(isReserved).reduce((total, one) => total + committedAmount(one), 0);
    expect(this.ledger.reserved()).toBe(reserved);
    for (const purchase of purchases) this.checkHistory(purchase);
  }

  checkHistory(purchase: Purchase): void {
    const history = this.ledger.evidenceOf(purchase.id);
    expect(history[0]?.from).toBeUndefined();
    for (const { from, to } of history.slice(1)) expect(from === to || mayMove(from!, to), `${from} to ${to}`).toBe(true);
    for (const [index, row] of history.slice(1).entries()) expect(row.from).toBe(history[index]!.to);
    expect(history.at(-1)?.to).toBe(purchase.state);
    expect(purchase.refunded).toBeLessThanOrEqual(committedAmount(purchase));
  }
}

describe('whatever happens, in whatever order', () => {
  it('no admission passes a cap, no listing is bought twice, and every sum is what the rows say', () => {
    let committed = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
        const world = new World();
        try {
          for (const one of steps) {
            world.do(one);
            world.checkRows();
          }
        } finally {
          committed += world.committed;
          world.ledger.close();
        }
      }),
      { numRuns: 60 },
    );
    expect(committed, 'not vacuous').toBeGreaterThan(200);
  }, 60_000);
});

describe('the schema', () => {
  it('says of every combination what the domain says', () => {
    const folder = freshFolder();
    opened(folder).close();
    const db = raw(folder);
    const where = db
      .prepare<[], string>("SELECT sql FROM sqlite_schema WHERE name = 'one_live_purchase'")
      .pluck()
      .get()!
      .replace(/^.* WHERE /s, '');
    const states = ['intended', 'unknown', 'bought', 'completed', 'refunded', 'rejected', 'expired'] as const;
    const row = db.prepare<[string, number, number], number>(
      `SELECT ${where} FROM (SELECT 'live' AS lane, 0 AS surplus, ? AS state, ? AS held, ? AS was_unknown)`,
    );
    for (const state of states) {
      for (const held of [false, true]) {
        for (const wasUnknown of [false, true]) {
          const closes = row.pluck().get(state, held ? 1 : 0, wasUnknown ? 1 : 0) === 1;
          expect(closes, `${state} ${held} ${wasUnknown}`).toBe(closesListing({ state, held, wasUnknown }));
        }
      }
    }
    expect(isCommitted({ state: 'rejected', held: false })).toBe(false);
  });

  it('lets exactly the moves of the domain happen', () => {
    const folder = freshFolder();
    const ledger = opened(folder);
    ledger.bindAccount('a');
    const sql = raw(folder).prepare<[], string>("SELECT sql FROM sqlite_schema WHERE name = 'rule_legal_moves'").pluck().get()!;
    expect(sql.match(/'\w+ \w+'/g)).toMatchInlineSnapshot(`
      [
        "'intended unknown'",
        "'intended bought'",
        "'intended rejected'",
        "'intended expired'",
        "'unknown bought'",
        "'unknown rejected'",
        "'bought completed'",
        "'bought refunded'",
        "'completed refunded'",
        "'rejected bought'",
      ]
    `);
  });
});
