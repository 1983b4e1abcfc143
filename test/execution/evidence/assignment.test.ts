import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Micros } from '../../../src/domain/money.ts';
import type { Purchase } from '../../../src/domain/purchase.ts';
import { type TransactionSeen, noProof } from '../../../src/engine/evidence.ts';
import { Assignment } from '../../../src/execution/evidence/assignment.ts';
import { NOON, dollars } from '../../support/values.ts';
import { accepted, known, look, minute, oldOrders, order, second, sent, transaction, verdicts } from '../support/looks.ts';

describe('an assignment', () => {
  type Wants = readonly (readonly (readonly number[])[])[];
  const rows = [0, 1, 2, 3, 4];
  const wants = fc.array(fc.array(fc.subarray(rows), { minLength: 1, maxLength: 2 }), { maxLength: 6 });

  /** As many takers as can have a row at once, every way tried. */
  function most(lists: Wants, used: ReadonlySet<number> = new Set()): number {
    const [first, ...others] = lists;
    if (first === undefined) return 0;
    const without = most(others, used);
    const fitting = [...new Set(first.flat())].filter((row) => !used.has(row));
    return Math.max(without, ...fitting.map((row) => 1 + most(others, new Set([...used, row]))));
  }

  it('gives as many takers a row as can have one, and says of each whether it is one more', () => {
    fc.assert(
      fc.property(wants, (lists) => {
        const assignment = new Assignment<number, number>((taker) => lists[taker] ?? []);
        lists.forEach((_, taker) => {
          const before = most(lists.slice(0, taker));
          expect(assignment.give(taker)).toBe(most(lists.slice(0, taker + 1)) > before);
        });
        const { pairs } = assignment;
        expect(pairs).toHaveLength(most(lists));
        expect(new Set(pairs.map(([, taker]) => taker)).size).toBe(pairs.length);
        for (const [row, taker] of pairs) expect(lists[taker]?.flat()).toContain(row);
      }),
      { numRuns: 300 },
    );
  });

  it('asks each taker once what it may have', () => {
    const many = Array.from({ length: 500 }, (_, row) => row);
    let asked = 0;
    const assignment = new Assignment<number, number>(() => {
      asked += 1;
      return [many];
    });
    const given = Array.from({ length: 1_000 }, (_, taker) => assignment.give(taker));
    expect(given.filter(Boolean)).toHaveLength(500);
    expect(asked).toBe(1_000);
  });
});

describe('debits of goods without an order that shows', () => {
  /** Prices of which one with the fee is the next one without it. */
  const prices = [10, 10.5, 11.03].map((price, index) => ({ price, cost: dollars([10.5, 11.03, 11.58][index]!) }));
  const thing = fc.record({
    price: fc.constantFrom(...prices),
    wear: fc.constantFrom(undefined, 0.2, 0.3),
    showsWear: fc.boolean(),
    showsPrice: fc.boolean(),
  });
  type Thing = typeof thing extends fc.Arbitrary<infer T> ? T : never;

  const costing = ({
    price: { price, cost },
    wear,
  }: Thing): { price: number; priceMicros: Micros; cost: Micros; wear: number | undefined } => ({
    ...{ price, priceMicros: dollars(price), cost, wear },
  });

  function debitOf({ price, wear, showsWear, showsPrice }: Thing, transactionId: string, status: string): TransactionSeen {
    const shown = { float: showsWear ? wear : undefined, price: showsPrice ? dollars(price.price) : undefined };
    return transaction({ transactionId, status, amount: price.cost, ...shown });
  }

  /** What is said of purchase 1, in whose favour everything else is: its order is hidden, and the balance seems untouched. */
  function said(own: Thing, others: readonly Thing[], wasBought: boolean, status: string): string[] {
    const bought: Purchase[] = others.map((one, index) =>
      accepted({
        ...costing(one),
        id: 2 + index,
        serviceOrderId: `S-${2 + index}`,
        listingId: `80000000${2 + index}`,
        createdAt: NOON + index,
      }),
    );
    const ids = bought.map(({ id }) => [id, `S-${id}`] as const);
    const orders = bought.map(({ cost, serviceOrderId }) => order({ orderId: serviceOrderId!, amount: cost }));
    const debits = others.map((one, index) => debitOf(one, `T-${2 + index}`, 'completed'));
    const seen = look({
      ...{ at: NOON + 40 * minute, rows: [...oldOrders, ...orders], balance: 100 },
      transactions: wasBought ? [debitOf(own, 'T-1', status), ...debits] : debits,
    });
    const proof = {
      ...noProof,
      completeLooks: 9,
      healthyMs: 60 * minute,
      firstLookAt: NOON + minute,
      lastLookAt: seen.beganAt - second,
    };
    return verdicts(
      seen,
      known({
        ...{ purchases: [sent(costing(own)), ...bought], listed: new Map(ids), orderCount: 3 + ids.length, ownCount: ids.length },
        ...{ expectedBalances: new Map([[1, dollars(100)]]), proofs: new Map([[1, proof]]) },
      }),
    );
  }

  it('are never all of others where one is its own, whichever of them show what', () => {
    fc.assert(
      fc.property(thing, fc.array(thing, { maxLength: 4 }), fc.constantFrom('completed', 'failed'), (own, others, status) => {
        expect(said(own, others, true, status)).not.toContain('1 was not bought');
      }),
      { numRuns: 400 },
    );
  });

  it('are all of others where each of them is, and it was not bought', () => {
    fc.assert(
      fc.property(thing, fc.array(thing, { maxLength: 4 }), (own, others) => {
        expect(said(own, others, false, 'completed')).toContain('1 was not bought');
      }),
      { numRuns: 400 },
    );
  });
});
