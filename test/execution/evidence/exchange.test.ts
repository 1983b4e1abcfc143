import { describe, expect, it } from 'vitest';
import type { Purchase } from '../../../src/domain/purchase.ts';
import type { OrderSeen, RefundKnown } from '../../../src/engine/evidence.ts';
import { NOON, dollars } from '../../support/values.ts';
import { accepted, known, knownOrder, look, minute, oldOrders, order, policy, verdicts } from '../support/looks.ts';

/** Two refusals of one second that were bought after all: the first holds the order that failed, the second had its money back. */
interface Given {
  readonly owed?: Partial<Purchase>;
  readonly repaid?: Partial<Purchase>;
  readonly failed?: Partial<OrderSeen>;
  readonly kept?: Partial<OrderSeen>;
  readonly refunds?: readonly RefundKnown[];
}

const blind = { refusalCause: 'gone', upstreamOrderId: undefined } as const;

function seen(given: Given = {}, at = NOON + 20 * minute): string[] {
  const failed = order({ orderId: 'S-1', statusCode: 'REVERTED', timestampMs: NOON, ...given.failed });
  const kept = order({ orderId: 'S-2', statusCode: 'COMPLETED', timestampMs: NOON + 497, ...given.kept });
  const owed = accepted({ ...blind, serviceOrderId: 'S-1', orderStatus: 'REVERTED', wear: 0.2, ...given.owed });
  const repaid = accepted({
    ...blind,
    ...{ id: 2, serviceOrderId: 'S-2', listingId: '800000002', wear: 0.3, orderStatus: 'COMPLETED' },
    ...{ state: 'refunded', refunded: dollars(10.5), createdAt: NOON + 500 },
    ...given.repaid,
  });
  const what = known({
    purchases: [owed, repaid],
    listed: new Map([
      [1, 'S-1'],
      [2, 'S-2'],
    ]),
    orders: new Map([
      ['S-1', knownOrder(failed, 6, 'ours', 1)],
      ['S-2', knownOrder(kept, 7, 'ours', 2)],
    ]),
    ownCount: 2,
    refunds: new Map([[2, given.refunds ?? [{ amount: dollars(10.5), bookedAt: NOON + 5 * minute }]]]),
  });
  return verdicts(look({ rows: [...oldOrders, failed, kept], at }), what, policy).filter((said) => said.includes('exchange'));
}

describe('orders of one moment that two purchases of the same goods hold', () => {
  it('are exchanged when money came back by its wear for the one whose order did not fail', () => {
    expect(seen()).toEqual(['2 and 1 exchange orders']);
    expect(seen({ repaid: { market: 'another' } }), 'no order names the market').toEqual(['2 and 1 exchange orders']);
    expect(seen({ kept: { amount: dollars(10) } }), 'the price without the fee').toEqual(['2 and 1 exchange orders']);
  });

  it('stay while a list may not have shown yet that the other order failed too', () => {
    expect(seen({}, NOON + 14 * minute)).toEqual([]);
    expect(seen({ refunds: [{ amount: dollars(10.5), bookedAt: undefined }] })).toEqual([]);
    expect(seen({ kept: { statusCode: 'FAILED' } })).toEqual([]);
  });

  it('stay where an answer named one of them, or anything tells them apart', () => {
    for (const role of ['owed', 'repaid'] as const) expect(seen({ [role]: { refusalCause: undefined } })).toEqual([]);
    for (const role of ['owed', 'repaid'] as const) expect(seen({ [role]: { upstreamOrderId: 'named' } })).toEqual([]);
    expect(seen({ kept: { timestampMs: NOON + 1_000 } })).toEqual([]);
    expect(seen({ failed: { timestampMs: NOON + 200 } })).toEqual([]);
    expect(seen({ kept: { timestampMs: undefined } })).toEqual([]);
    expect(seen({ kept: { amount: dollars(9.9) } })).toEqual([]);
    expect(seen({ owed: { cost: dollars(10.6) } })).toEqual([]);
    expect(seen({ owed: { itemId: '00000000000000aa' } })).toEqual([]);
  });

  it('stay where the money of the one whose order failed has come as well', () => {
    expect(seen({ owed: { state: 'refunded', refunded: dollars(10.5) } })).toEqual([]);
  });
});
