import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sum } from '../../../src/domain/money.ts';
import { noProof } from '../../../src/engine/evidence.ts';
import { NOON, dollars } from '../../support/values.ts';
import { accepted, known, look, minute, oldOrders, order, second, sent, transaction, verdicts } from '../support/looks.ts';

// An own order has taught that dates are true.
const own = accepted({ id: 9, listingId: '800000009', itemId: '00000000000000aa', marketHashName: 'P90 | Sand Spray' });
const ownOrder = order({ orderId: 'S-1', itemId: '00000000000000aa', itemName: 'P90 | Sand Spray' });

const amounts = [10.5, 8.4, 21].map(dollars);
const anAmount = fc.constantFrom(...amounts);
/** Of which nothing shows but what it took from the balance. */
const earlier = fc.record({ cost: anAmount, wasBought: fc.boolean() });
/** Money that came back, of which nobody knows for whom. The dates of some services are minutes apart from ours, or none. */
const refund = fc.record({
  amount: anAmount,
  at: fc.constantFrom(...[-3, -0.5, 0.5, 3, 4.5, 5.5, 8, 14].map((minutes) => NOON + minutes * minute)),
  isDated: fc.boolean(),
});

interface Story {
  readonly wasBought: boolean;
  readonly before: readonly { readonly cost: (typeof amounts)[number]; readonly wasBought: boolean }[];
  readonly refunds: readonly { readonly amount: (typeof amounts)[number]; readonly at: number; readonly isDated: boolean }[];
}

/** What is said of the last of the purchases, five minutes after the one before it. Balances are read just before each, and at last. */
function said({ wasBought, before, refunds }: Story): string[] {
  const cost = dollars(10.5);
  const all = [...before, { cost, wasBought }].map((one, index) => ({
    ...one,
    id: index + 1,
    createdAt: NOON + index * 5 * minute,
  }));
  const back = (from: number, until: number): number =>
    sum(refunds.filter(({ at }) => at >= from && at < until).map(({ amount }) => amount));
  const spent = (until: number): number =>
    sum(all.filter((one) => one.wasBought && one.createdAt < until).map((one) => one.cost));
  const balanceAt = (at: number): number => dollars(1_000) + back(0, at) - spent(at);
  const at = NOON + 60 * minute;
  const purchases = all.map(({ id, cost: priced, createdAt }) =>
    sent({
      ...{ id, createdAt, answeredAt: createdAt + second, wear: undefined, listingId: `80000000${id}` },
      ...{
        cost: priced,
        priceMicros: dollars(priced / 1_000_000 - 0.4),
        itemId: id === all.length ? '10807006fab895f4' : `00000000000000b${id}`,
      },
    }),
  );
  const last = all.length;
  const seen = look({
    ...{ at, rows: [...oldOrders, ownOrder], balance: balanceAt(at) / 1_000_000 },
    transactions: refunds.map((one, index) =>
      transaction({
        ...{ transactionId: `R-${index}`, type: 'refund', float: undefined, price: undefined, amount: one.amount },
        timestampMs: one.isDated ? one.at : undefined,
      }),
    ),
  });
  const proof = { ...noProof, completeLooks: 9, healthyMs: 60 * minute, firstLookAt: at - 10 * minute, lastLookAt: at - second };
  const found = verdicts(
    seen,
    known({
      ...{
        purchases: [...purchases, own],
        listed: new Map([[9, 'S-1']]),
        booked: new Map([[9, NOON]]),
        orderCount: 4,
        ownCount: 1,
      },
      expectedBalances: new Map(all.map(({ id, createdAt }) => [id, dollars(balanceAt(createdAt) / 1_000_000)])),
      proofs: new Map([[last, proof]]),
    }),
  );
  return found.map((line) => line.replace(`${last} was`, 'the last was'));
}

describe('the balance', () => {
  // Readings from before the earlier one lack its debit, which would hide behind what came back for both.
  const hidden: [Story['before'], Story['refunds']] = [
    [{ cost: dollars(10.5), wasBought: true }],
    [
      { amount: dollars(10.5), at: NOON + 4.5 * minute, isDated: true },
      { amount: dollars(21), at: NOON + 14 * minute, isDated: false },
    ],
  ];

  it('never clears one that was bought, whatever came back unclaimed and whatever else in doubt was bought', () => {
    fc.assert(
      fc.property(fc.array(earlier, { maxLength: 2 }), fc.array(refund, { maxLength: 3 }), (before, refunds) => {
        expect(said({ wasBought: true, before, refunds })).not.toContain('the last was not bought');
      }),
      { numRuns: 500, examples: [hidden] },
    );
  });

  it('clears one that was not by the readings from before an earlier one, which was bought or not', () => {
    const refunds = [{ amount: dollars(10.5), at: NOON + 4.5 * minute, isDated: true }];
    for (const wasBought of [true, false]) {
      const before = [{ cost: dollars(8.4), wasBought }];
      expect(said({ wasBought: false, before, refunds })).toContain('the last was not bought');
    }
  });
});
