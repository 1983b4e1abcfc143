import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { micros } from '../../../src/domain/money.ts';
import type { Purchase } from '../../../src/domain/purchase.ts';
import { audit } from '../../../src/risk/audit/audit.ts';
import type { Shown } from '../../../src/risk/audit/books.ts';
import { NOON } from '../../support/values.ts';
import { MINUTE, type Pair, agreeing, bought, debitOf, moveBalance, negative, orderOf, serviceAlsoShows } from './books.ts';

const cents = fc.integer({ min: 1, max: 20_000 });

/** Purchases of every kind, some of the same item at the same price. */
const purchases = fc
  .array(
    fc.record({
      cents,
      item: fc.integer({ min: 1, max: 4 }),
      state: fc.constantFrom<Purchase['state']>('bought', 'completed', 'refunded', 'rejected', 'expired'),
      back: fc.integer({ min: 1, max: 100 }),
    }),
    { maxLength: 12 },
  )
  .map((drawn) =>
    drawn.map(({ cents: price, item, state, back }, index) => {
      const cost = micros(price * 10_000);
      const refunded = micros(state === 'refunded' ? Math.max(10_000, Math.round((price * back) / 100) * 10_000) : 0);
      const goods = { itemId: String(item).padStart(16, '0'), marketHashName: `Item ${item}` };
      return bought(index + 1, { ...goods, state, cost, priceMicros: cost, refunded });
    }),
  );

const worlds = fc.record({ purchases, linked: fc.boolean(), order: fc.integer({ min: 0, max: 1_000 }) });
type World = { readonly purchases: readonly Purchase[]; readonly linked: boolean; readonly order: number };

/** Books that agree, the rows of the service in any order, with the ledger's own links or without. */
function pairOf({ purchases, linked, order }: World): Pair {
  const pair = agreeing(purchases);
  if (!linked) {
    pair.ours.orders = [];
    pair.ours.transactions = [];
  }
  const { orders, transactions } = pair.theirs;
  pair.theirs.orders = turned(orders, order);
  pair.theirs.transactions = turned(transactions, order);
  return pair;
}

/** Purchases of two kinds of goods without a wear, a cent or two apart, with a fee; what of them the ledger has linked, and what is in doubt. */
const alikes = fc.record({
  drawn: fc.array(
    fc.record({
      cents: fc.integer({ min: 17, max: 21 }),
      item: fc.integer({ min: 1, max: 2 }),
      state: fc.constantFrom<Purchase['state']>('bought', 'completed', 'unknown', 'rejected'),
      wasBought: fc.boolean(),
      orderLinked: fc.boolean(),
      debitLinked: fc.boolean(),
      saysPaid: fc.boolean(),
      orderShowsPrice: fc.boolean(),
    }),
    { maxLength: 8 },
  ),
  showsPrices: fc.boolean(),
  order: fc.nat(),
});
type Alikes = typeof alikes extends fc.Arbitrary<infer T> ? T : never;

/** Books that agree: what is linked is linked rightly, and one in doubt was bought or not. */
function pairOfAlikes({ drawn, showsPrices, order }: Alikes): Pair {
  const truly = drawn.map(({ cents: price, item, state, wasBought, saysPaid }, index) => {
    const cost = micros(Math.round(price * 1.05) * 10_000);
    const goods = { itemId: String(item).padStart(16, '0'), marketHashName: `Item ${item}`, wear: undefined };
    const own = bought(index + 1, { ...goods, cost, priceMicros: micros(price * 10_000), paid: saysPaid ? cost : undefined });
    return { own, isBought: state === 'bought' || state === 'completed' || (state === 'unknown' && wasBought), state };
  });
  const pair = agreeing(truly.filter(({ isBought }) => isBought).map(({ own }) => own));
  const said = truly.map(({ own, state }): Purchase => {
    const isKnown = (drawn[own.id - 1]?.orderLinked ?? false) && (state === 'bought' || state === 'completed');
    const serviceOrderId = isKnown ? own.serviceOrderId : undefined;
    return state === 'unknown' || state === 'rejected'
      ? { ...own, state, paid: undefined, serviceOrderId, wasUnknown: state === 'unknown', orderStatus: undefined }
      : { ...own, state, serviceOrderId };
  });
  const linked = (id: number | undefined, by: 'orderLinked' | 'debitLinked'): boolean =>
    said.some((own) => own.id === id && (own.state === 'bought' || own.state === 'completed') && drawn[own.id - 1]?.[by]);
  pair.ours.purchases = said;
  pair.ours.orders = pair.ours.orders.filter(({ purchaseId }) => linked(purchaseId, 'orderLinked'));
  pair.ours.transactions = pair.ours.transactions.filter(({ purchaseId }) => linked(purchaseId, 'debitLinked'));
  const { orders, transactions } = pair.theirs;
  if (!orders.ok || !transactions.ok) throw new Error('there are lists');
  const shown = orders.rows.map((row) => {
    const own = truly.find(({ own: { id } }) => row.orderId === `order-${id}`)?.own;
    return own !== undefined && drawn[own.id - 1]?.orderShowsPrice ? { ...row, amount: own.priceMicros } : row;
  });
  const booked = transactions.rows.map((row) => (showsPrices ? row : { ...row, price: undefined }));
  pair.theirs.orders = turned({ ...orders, rows: shown }, order);
  pair.theirs.transactions = turned({ ...transactions, rows: booked }, order);
  return pair;
}

function turned<T>(list: Shown<T>, by: number): Shown<T> {
  if (!list.ok || list.rows.length === 0) return list;
  const at = by % list.rows.length;
  return { ...list, rows: [...list.rows.slice(at), ...list.rows.slice(0, at)] };
}

function found({ ours, theirs }: Pair): unknown[] {
  return audit(ours, theirs).differences.map(({ kind, purchaseId, difference }) => ({ kind, purchaseId, difference }));
}

describe('the laws of the audit', () => {
  it('books that agree differ in nothing, however their rows stand and whatever the ledger has linked', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        expect(found(pairOf(world))).toEqual([]);
      }),
    );
  });

  it('goods without a wear that cost about the same are told apart, whichever of them the ledger has linked', () => {
    fc.assert(
      fc.property(alikes, (world) => {
        expect(found(pairOfAlikes(world))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('what a stranger buys is found, at exactly what was debited, and nothing beside it', () => {
    fc.assert(
      fc.property(worlds, cents, (world, price) => {
        const pair = pairOf(world);
        const cost = micros(price * 10_000);
        const strange = bought(99, {
          itemId: 'f'.repeat(16),
          marketHashName: 'Something else',
          cost,
          createdAt: NOON + 900 * MINUTE,
        });
        serviceAlsoShows(pair, { orders: [orderOf(strange)], transactions: [debitOf(strange)] });
        expect(found(pair)).toEqual([{ kind: 'order-unexplained', purchaseId: null, difference: negative(cost) }]);
      }),
    );
  });

  it('of orders of others that cost about the same each has its debit, whichever of its two prices it shows', () => {
    const strange = fc.record({ cents: fc.integer({ min: 17, max: 21 }), showsPrice: fc.boolean() });
    fc.assert(
      fc.property(fc.array(strange, { maxLength: 6 }), fc.nat(), (drawn, order) => {
        const pair = agreeing([]);
        const others = drawn.map(({ cents: price }, index) => {
          const cost = micros(Math.round(price * 1.05) * 10_000);
          const goods = { itemId: 'f'.repeat(16), marketHashName: 'Something else', wear: undefined };
          return bought(90 + index, { ...goods, cost, priceMicros: micros(price * 10_000), createdAt: NOON + 900 * MINUTE });
        });
        const orders = others.map((own, index) => orderOf(own, drawn[index]?.showsPrice ? { amount: own.priceMicros } : {}));
        serviceAlsoShows(pair, { orders, transactions: others.map((own) => debitOf(own)) });
        pair.ours.orders = orders.map(({ orderId, amount }) => ({
          ...{ orderId, amount, as: 'adopted', purchaseId: undefined, firstSeen: NOON + 901 * MINUTE },
        }));
        pair.theirs.orders = turned(pair.theirs.orders, order);
        expect(found(pair)).toEqual([]);
      }),
    );
  });

  it('a debit that drifts from what we have booked is found to the cent, once', () => {
    fc.assert(
      fc.property(worlds, fc.integer({ min: 1, max: 500 }), fc.nat(), (world, drift, which) => {
        const pair = pairOf({ ...world, linked: true });
        const spent = pair.ours.purchases.filter(({ state }) => state === 'bought' || state === 'completed');
        fc.pre(spent.length > 0);
        const own = spent[which % spent.length]!;
        const more = micros(drift * 10_000);
        const { transactions, movements } = pair.theirs;
        if (!transactions.ok || !movements.ok) throw new Error('there are lists');
        const amount = micros(own.cost + more);
        pair.theirs.transactions = {
          ...transactions,
          rows: transactions.rows.map((row) => (row.transactionId === `debit-${own.id}` ? { ...row, amount } : row)),
        };
        const at = movements.rows.findIndex((row) => row.at === own.createdAt && row.change === negative(own.cost));
        pair.theirs.movements = {
          ...movements,
          rows: movements.rows.toSpliced(at, 1, { change: negative(amount), at: own.createdAt }),
        };
        moveBalance(pair, negative(more));
        expect(found(pair)).toEqual([{ kind: 'debit', purchaseId: own.id, difference: negative(more) }]);
      }),
    );
  });

  it('money that is gone without a trace is found to the cent', () => {
    fc.assert(
      fc.property(worlds, cents, (world, gone) => {
        const pair = pairOf(world);
        moveBalance(pair, micros(-gone * 10_000));
        expect(found(pair)).toEqual([{ kind: 'balance', purchaseId: null, difference: -gone * 10_000 }]);
        expect(audit(pair.ours, pair.theirs).total).toBe(-gone * 10_000);
      }),
    );
  });

  it('is plain values, so that it travels as JSON and comes back the same', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const { ours, theirs } = pairOf(world);
        const report = audit(ours, theirs);
        expect(JSON.parse(JSON.stringify(report))).toEqual(report);
      }),
    );
  });
});
