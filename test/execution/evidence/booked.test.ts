import { describe, expect, it } from 'vitest';
import { listingKey } from '../../../src/domain/listing.ts';
import type { Purchase } from '../../../src/domain/purchase.ts';
import { type Known, type Look, type OrderSeen, type TransactionSeen, noProof } from '../../../src/engine/evidence.ts';
import { NOON, dollars } from '../../support/values.ts';
import {
  dedicated,
  known,
  look,
  minute,
  oldOrders,
  order,
  own,
  ownDebit,
  ownOrder,
  refused,
  second,
  sent,
  transaction,
  verdicts,
} from '../support/looks.ts';

interface Seen {
  readonly at?: number;
  readonly rows: readonly OrderSeen[];
  readonly debits: readonly TransactionSeen[];
  readonly listings?: Look['listings'];
}

const said = (purchases: readonly Purchase[], seen: Seen, more: Partial<Known> = {}): string[] =>
  verdicts(
    look({
      at: seen.at ?? NOON + 10 * minute,
      rows: [...oldOrders, ownOrder, ...seen.rows],
      transactions: [ownDebit, ...seen.debits],
      listings: seen.listings ?? new Map(),
    }),
    known({
      ...{ purchases: [...purchases, own], orderCount: 4, ownCount: 1, usedTransactions: new Set(['T-9']) },
      ...{ listed: new Map([[9, 'S-1']]), booked: new Map([[9, NOON + second]]) },
      ...more,
    }),
    dedicated,
  ).filter((one) => !one.startsWith('9 '));

describe('goods that were offered again, of the same wear', () => {
  const first = sent();
  const answered = NOON + 3 * minute + second;
  const offeredAgain = { listingId: '800000002', createdAt: NOON + 3 * minute, answeredAt: answered };
  const again = sent({ id: 2, ...offeredAgain });
  const dearer = sent({ ...again, price: 10.2, priceMicros: dollars(10.2), cost: dollars(10.71) });
  const debit = transaction({ transactionId: 'T-2', timestampMs: answered });
  const made = order({ orderId: 'O-2', timestampMs: answered });
  const failed = { rows: [order({ statusCode: 'FAILED' })], debits: [transaction({ status: 'failed' })] };

  it('have an order each, though each debit could be of either', () => {
    const seen = { rows: [order(), made], debits: [transaction(), debit] };
    const ours = ['O-1 is ours (1)', 'O-2 is ours (2)'];
    expect(said([first, again], seen)).toEqual(expect.arrayContaining(ours));
    expect(said([first, again], { rows: [...failed.rows, made], debits: [...failed.debits, debit] })).toEqual(
      expect.arrayContaining(ours),
    );
    const both = [first, again].map((one) => ({ ...one, state: 'bought' as const }));
    expect(said(both, { ...seen, at: NOON + 20 * minute })).toEqual(expect.arrayContaining(ours));
  });

  it('have an order each at another price', () => {
    const rows = [order(), { ...made, amount: dollars(10.71) }];
    const debits = [transaction(), { ...debit, price: dollars(10.2), amount: dollars(10.71) }];
    const found = said([first, dearer], { rows, debits });
    expect(found).toContain('1 was bought by O-1 and T-1 for $10.50');
    expect(found).toContain('2 was bought by O-2 and T-2 for $10.71');
  });

  it('have a row of which one alone is gone, where the debit could be of either', () => {
    const listings = new Map([
      [listingKey('c5game', '800000001'), 'gone' as const],
      [listingKey('c5game', '800000002'), 'standing' as const],
    ]);
    const found = said([first, again], { ...failed, listings });
    expect(found).toContain('1 was bought by O-1 for $10.50');
  });

  it('are not held for refused while such orders are there', () => {
    const seen = {
      rows: [...failed.rows, { ...made, statusCode: 'FAILED' }],
      debits: [transaction({ status: 'failed' }), { ...debit, status: 'failed' }],
    };
    const proof = { ...noProof, completeLooks: 1, firstLookAt: NOON + 4 * minute };
    const refusals = [refused(), refused({ id: 2, ...offeredAgain })];
    const found = said(refusals, seen, { proofs: new Map([1, 2].map((id) => [id, proof])) });
    expect(found.join()).not.toMatch(/confirmed|adopted|halt/);
  });
});

describe('a row that debits of several came with', () => {
  const twins = [sent(), sent({ id: 2, listingId: '800000002', wear: 0.3, createdAt: NOON + 1 })];
  const dead = transaction({ status: 'failed' });

  it('waits for the other row of that moment: it is nobody else’s', () => {
    const debits = [dead, { ...dead, transactionId: 'T-2', float: 0.3 }];
    const one = order({ statusCode: 'FAILED' });
    expect(said(twins, { rows: [one], debits })).toEqual([]);
    const found = said(twins, { rows: [one, { ...one, orderId: 'O-2' }], debits });
    expect(found).toContain('1 was bought by O-1 for $10.50');
    expect(found).toContain('2 was bought by O-2 for $10.50');
  });

  it('is nobody else’s where the listing of the one that was debited is back', () => {
    const listings = new Map([
      [listingKey('c5game', '800000001'), 'standing' as const],
      [listingKey('c5game', '800000002'), 'gone' as const],
    ]);
    expect(said(twins, { rows: [order({ statusCode: 'FAILED' })], debits: [dead], listings })).toEqual([]);
  });
});

describe('two rows of one moment, of which one was booked in both of its amounts', () => {
  const cheaper = sent({ wear: undefined });
  const costs = { id: 2, listingId: '800000002', wear: undefined, price: 10.5, priceMicros: dollars(10.5), cost: dollars(11.03) };
  const rows = [order(), order({ orderId: 'O-2' })];
  const debits = [transaction({ float: undefined })];

  it('are one for each: the other debit is merely late', () => {
    const found = said([cheaper, sent(costs)], { rows, debits });
    expect(found).toContain('1 was bought by O-1 for $10.50');
    expect(found).toContain('2 was bought by O-2');
  });

  it('keep a refusal from being confirmed', () => {
    const proofs = new Map([[2, { ...noProof, completeLooks: 1, firstLookAt: NOON + 2 * second }]]);
    const found = said([cheaper, refused(costs)], { at: NOON + 5 * second, rows, debits }, { proofs });
    expect(found).not.toContain('2 is confirmed refused');
    expect(found).toContain('2 was bought by O-2');
  });
});
