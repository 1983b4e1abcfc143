import fc from 'fast-check';
import { micros } from '../../src/domain/money.ts';
import type { BuyOutcome } from '../../src/domain/outcome.ts';
import { type Purchase, closesListing, isResolvable } from '../../src/domain/purchase.ts';
import type { Finding } from '../../src/engine/evidence.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { NOON, dollars, listing, noLimits, wideLimits } from '../support/values.ts';
import { freshFolder, opened, order, outcomes, wish } from './support.ts';

export const NAMES = ['AK-47 | Redline (Field-Tested)', 'Glock-18 | Fade (Factory New)'] as const;
/** As lists write them: otherwise, of another item, or none at all. */
const SHOWN = [...NAMES, NAMES[0].toUpperCase(), NAMES[1].replace(' | ', '  | '), 'P250 | Sand Dune (Well-Worn)', undefined];
/** An order on its way, and those that are not. */
const CODES = ['PENDING', 'HOLD', 'COMPLETED', 'FAILED'];
export const STRATEGIES = ['cheap', 'fades'] as const;
export const ORDERS = Array.from({ length: 12 }, (_, n) => `o${n}`);
export const LANES = ['live', 'paper'] as const;

const limits = {
  ...wideLimits,
  maxPrice: dollars(400),
  spend: { hour: dollars(300), day: dollars(700), total: dollars(1_500) },
  perItem: { hour: 4, day: 6, total: 9 },
  reserve: dollars(100),
  openPurchases: 6,
  unknown: 3,
};
export const strategyLimits = { spend: { hour: dollars(250), total: dollars(900) }, count: { day: 5 }, perItem: { total: 6 } };

function spendTimes(share: number): typeof limits.spend {
  const { hour, day, total } = limits.spend;
  return { hour: micros(hour * share), day: micros(day * share), total: micros(total * share) };
}

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
  const row = fc
    .record({ n: small, amount, itemName: fc.constantFrom(...SHOWN), statusCode: fc.constantFrom(...CODES) })
    .map(({ n, ...shown }) => order(`o${n}`, shown));
  const transactionId = small.map((n) => `t${n}`);
  const maybe = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(values, { nil: undefined });
  const own = { purchaseId: fc.constant(id), note: fc.constant('') };
  return fc.oneof(
    fc.record({
      kind: fc.constant('bought' as const),
      ...own,
      order: maybe(row),
      transactionId: maybe(transactionId),
      paid: maybe(amount),
    }),
    fc.record({ kind: fc.constantFrom('status' as const, 'completed' as const), purchaseId: own.purchaseId, order: row }),
    fc.record({ kind: fc.constant('paid' as const), ...own, paid: amount, transactionId: maybe(transactionId) }),
    fc.record({ kind: fc.constant('refund' as const), ...own, amount, transactionId }),
    fc.record({ kind: fc.constantFrom('refusal-confirmed' as const, 'not-bought' as const), ...own }),
    row.map((order) => ({ kind: 'order' as const, order, as: 'adopted' as const, purchaseId: undefined })),
    row.map((order) => ({ kind: 'order' as const, order, as: 'ours' as const, purchaseId: id })),
    row.map((order) => ({ kind: 'order' as const, order, as: 'baseline' as const, purchaseId: undefined })),
  );
};

export type Step =
  | {
      readonly kind: 'commit';
      readonly lane: 'live' | 'paper';
      readonly strategy: string;
      readonly id: number;
      readonly price: number;
    }
  | { readonly kind: 'outcome'; readonly which: number; readonly outcome: BuyOutcome }
  | { readonly kind: 'apply'; readonly which: number; readonly make: (id: number) => Finding[] }
  | { readonly kind: 'exchange'; readonly which: number; readonly other: number }
  | { readonly kind: 'balance'; readonly dollars: number }
  | { readonly kind: 'verdict'; readonly which: number; readonly as: 'bought' | 'not-bought' }
  | { readonly kind: 'halt' | 'resume' | 'restart' }
  | { readonly kind: 'wait' | 'set-back'; readonly ms: number }
  /** Other limits are in force from here on. */
  | { readonly kind: 'limits'; readonly share: number };

export const step: fc.Arbitrary<Step> = fc.oneof(
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
      make: fc
        .array(finding(0), { minLength: 1, maxLength: 3 })
        .map(
          (found) => (id: number) =>
            found.map((one) => ('purchaseId' in one && one.purchaseId !== undefined ? { ...one, purchaseId: id } : one)),
        ),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('exchange' as const), which: fc.nat(), other: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('balance' as const), dollars: fc.integer({ min: 0, max: 3_000 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('verdict' as const),
      which: fc.nat(),
      as: fc.constantFrom('bought' as const, 'not-bought' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('halt' as const, 'resume' as const, 'resume' as const, 'restart' as const) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 30_000, 3_600_000, 43_200_000, 950_400_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.record({ kind: fc.constant('set-back' as const), ms: fc.constantFrom(40_000, 3_700_000, 90_000_000) }),
      fc.record({ kind: fc.constant('limits' as const), share: fc.constantFrom(0.5, 1, 2) }),
    ),
  },
);

interface Admitted {
  readonly purchase: Purchase;
  /** As it was offered. */
  readonly price: number;
  readonly halted: boolean;
  readonly closed: boolean;
}

/** A ledger that things happen to, with the time at which they do. */
export class World {
  readonly folder = freshFolder();
  now = NOON;
  limits = limits;
  ledger: Ledger;
  /** A start has found other sums than the rows give. */
  recounted = false;
  /** What was admitted, each with whether that was right by what stood before it. */
  readonly admitted: Admitted[] = [];

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
        if (purchase)
          this.ledger.recordOutcome(purchase.id, step.outcome, { sentAt: undefined, answeredAt: undefined }, undefined, this.now);
        return;
      }
      case 'apply': {
        const purchase = this.pick(step.which);
        if (purchase) this.ledger.apply(step.make(purchase.id), this.now);
        return;
      }
      case 'exchange':
        return this.exchange(step);
      case 'balance':
        return this.read(step.dollars);
      case 'verdict': {
        const purchase = this.pick(step.which);
        if (purchase && isResolvable(purchase)) this.ledger.resolve(purchase.id, step.as, 'looked', this.now);
        return;
      }
      case 'halt':
        return void this.ledger.halt('x', 'person', this.now);
      case 'resume':
        return this.ledger.resume(this.now);
      case 'restart':
        return this.restart();
      case 'wait':
        this.now += step.ms;
        return this.read(2_000);
      case 'set-back':
        return this.setBack(step.ms);
      case 'limits':
        this.limits = { ...limits, spend: spendTimes(step.share), openPurchases: limits.openPurchases * step.share };
    }
  }

  restart(): void {
    this.ledger.close();
    const result = openLedger({ folder: this.folder });
    if (!result.ok) throw new Error(result.fault.message);
    this.ledger = result.value.ledger;
    this.recounted ||= result.value.recounted;
    this.ledger.orphansToUnknown(this.now);
  }

  /** The clock of all runs so far was ahead: the next one knows what time it is. */
  setBack(ms: number): void {
    this.now -= ms;
    this.restart();
    this.ledger.drawBack(this.now);
    this.read(2_000);
  }

  /** Two purchases with an order each, where there are such, are found to have each other's. */
  exchange({ which, other }: Extract<Step, { kind: 'exchange' }>): void {
    const all = this.ledger.purchases();
    const listed = this.ledger.known([], [], this.now).listed;
    const having = all.filter(({ id }) => listed.has(id));
    const among = having.length > 1 ? having : all;
    const [one, two] = [among[which % Math.max(1, among.length)], among[other % Math.max(1, among.length)]];
    if (!one || !two) return;
    this.ledger.apply([{ kind: 'exchanged', purchaseId: one.id, withId: two.id, note: '' }], this.now);
  }

  commit({ lane, strategy, id, price }: Extract<Step, { kind: 'commit' }>): void {
    const halted = this.ledger.halted() !== undefined;
    const market = id % 3 === 0 ? 'ecosteam' : 'c5game';
    const name = NAMES[id % 2]!;
    const offer = listing({
      id: String(id),
      name: id % 5 === 0 ? name.toLowerCase() : name,
      price,
      priceWithFee: price * 1.05,
      market,
    });
    const closed = this.ledger
      .purchases({ lane: 'live' })
      .some((one) => one.market === market && one.listingId === offer.id && closesListing(one));
    const approved = wish({ lane, strategy, limits: { ...noLimits, ...strategyLimits }, listing: offer });
    const result = this.ledger.commitIntent(approved, this.limits, this.now);
    if (result.ok) this.admitted.push({ purchase: result.purchase, price, halted, closed: closed && lane === 'live' });
  }
}
