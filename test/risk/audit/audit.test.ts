import { describe, expect, it } from 'vitest';
import { micros } from '../../../src/domain/money.ts';
import { audit } from '../../../src/risk/audit/audit.ts';
import { agrees } from '../../../src/risk/audit/report.ts';
import { NOON, dollars } from '../../support/values.ts';
import {
  ASKED_AT,
  MINUTE,
  type Pair,
  agreeing,
  bought,
  debitOf,
  moveBalance,
  orderOf,
  refundOf,
  serviceAlsoShows,
} from './books.ts';

function differences(pair: Pair): unknown[] {
  return audit(pair.ours, pair.theirs).differences.map(({ kind, purchaseId, ours, theirs, difference }) => ({
    kind,
    purchaseId,
    ours: ours / 1_000_000,
    theirs: theirs / 1_000_000,
    difference: difference / 1_000_000,
  }));
}

const three = [
  bought(1),
  bought(2, { state: 'refunded', refunded: dollars(10.5), orderStatus: 'FAILED' }),
  bought(3, { state: 'bought', orderStatus: 'HOLD' }),
];

/** Somebody else with the same key buys something. */
const strange = bought(99, { cost: dollars(12.3), priceMicros: dollars(11.7), createdAt: NOON + 300 * MINUTE });

describe('books that agree', () => {
  it('differ in nothing', () => {
    const pair = agreeing(three);
    expect(differences(pair)).toEqual([]);
    expect(audit(pair.ours, pair.theirs)).toMatchObject({
      total: 0,
      awaited: [],
      notes: [],
      compared: { purchases: 3, orders: 3, transactions: 4, movements: 4 },
      balance: {
        first: 1_000_000_000,
        spent: 31_500_000,
        cameBack: 10_500_000,
        expected: 979_000_000,
        now: 979_000_000,
        otherMoves: 0,
        unexplained: 0,
      },
    });
  });

  it('differ in nothing where nothing was ever bought', () => {
    const pair = agreeing([]);
    expect(differences(pair)).toEqual([]);
    pair.ours.firstBalance = undefined;
    expect(audit(pair.ours, pair.theirs)).toMatchObject({ balance: null, differences: [] });
  });

  it('are recognised where the ledger has linked nothing: by order id, float, listing id or amount', () => {
    const pair = agreeing([...three, bought(4, { serviceOrderId: undefined, wear: undefined })]);
    pair.ours.orders = [];
    pair.ours.transactions = [];
    expect(differences(pair)).toEqual([]);
    const { orders, transactions } = pair.theirs;
    if (!orders.ok || !transactions.ok) throw new Error('there are lists');
    const byListing = (row: { itemId: string | undefined; itemName: string | undefined }) => ({
      itemId: `${800_000_000 + Number(row.itemId)}`,
      itemName: undefined,
    });
    pair.theirs.orders = { ...orders, rows: orders.rows.map((row) => ({ ...row, ...byListing(row) })) };
    pair.theirs.transactions = {
      ...transactions,
      rows: transactions.rows.map((row) => ({ ...row, ...byListing(row), float: undefined })),
    };
    expect(differences(pair)).toEqual([]);
  });

  it('agree though the service prints whole cents', () => {
    const own = bought(1, { cost: dollars(12.963), priceMicros: dollars(12.345678) });
    const pair = agreeing([own]);
    pair.theirs.orders = { ok: true, beganAt: ASKED_AT, whole: true, rows: [orderOf(own, { amount: dollars(12.96) })] };
    pair.theirs.transactions = { ok: true, beganAt: ASKED_AT, whole: true, rows: [debitOf(own, { amount: dollars(12.96) })] };
    pair.theirs.movements = {
      ok: true,
      beganAt: ASKED_AT,
      whole: true,
      rows: [{ change: micros(-12_960_000), at: own.createdAt }],
    };
    moveBalance(pair, dollars(0.003));
    expect(differences(pair)).toEqual([]);
  });

  it('agree while an order shows the price without the fee', () => {
    const pair = agreeing([bought(1)]);
    pair.theirs.orders = { ok: true, beganAt: ASKED_AT, whole: true, rows: [orderOf(bought(1), { amount: dollars(10) })] };
    expect(differences(pair)).toEqual([]);
  });
});

describe('what a purchase of ours differs in', () => {
  it('is a debit above what we have booked, once, and the balance is explained by it', () => {
    const pair = agreeing(three);
    pair.ours.purchases = [bought(1, { cost: dollars(10.3) }), ...three.slice(1)];
    expect(differences(pair)).toEqual([{ kind: 'debit', purchaseId: 1, ours: 10.3, theirs: 10.5, difference: -0.2 }]);
    expect(audit(pair.ours, pair.theirs).balance).toMatchObject({ listed: -200_000, unexplained: 0 });
  });

  it('is told by the order where the transactions cannot be read', () => {
    const pair = agreeing(three);
    pair.ours.purchases = [bought(1, { cost: dollars(10.3), priceMicros: dollars(9.8) }), ...three.slice(1)];
    pair.theirs.transactions = { ok: false, why: 'the service failed (500)' };
    const report = audit(pair.ours, pair.theirs);
    expect(differences(pair)).toEqual([{ kind: 'debit', purchaseId: 1, ours: 10.3, theirs: 10.5, difference: -0.2 }]);
    expect(report.unread).toEqual([{ part: 'transactions', partly: false, why: 'the service failed (500)' }]);
  });

  it('is money that came back and is not booked, or is booked and did not come back', () => {
    const failed = bought(1, { orderStatus: 'FAILED' });
    const unbooked = agreeing([failed]);
    serviceAlsoShows(unbooked, { transactions: [refundOf(failed, dollars(10.5))] });
    expect(differences(unbooked)).toEqual([{ kind: 'refund', purchaseId: 1, ours: 0, theirs: 10.5, difference: 10.5 }]);

    const returned = bought(1, { state: 'refunded', refunded: dollars(10.5), orderStatus: 'FAILED' });
    const invented = agreeing([returned]);
    invented.theirs.transactions = { ok: true, beganAt: ASKED_AT, whole: true, rows: [debitOf(returned)] };
    invented.theirs.movements = {
      ok: true,
      beganAt: ASKED_AT,
      whole: true,
      rows: [{ change: micros(-10_500_000), at: returned.createdAt }],
    };
    moveBalance(invented, micros(-10_500_000));
    expect(differences(invented)).toEqual([{ kind: 'refund', purchaseId: 1, ours: 10.5, theirs: 0, difference: -10.5 }]);
  });

  it('is a refund that came twice [B8]', () => {
    const returned = bought(1, { state: 'refunded', refunded: dollars(10.5), orderStatus: 'REVERTED' });
    const pair = agreeing([returned]);
    serviceAlsoShows(pair, { transactions: [refundOf(returned, dollars(10.5), { transactionId: 'again' })] });
    pair.ours.transactions = [...pair.ours.transactions, { transactionId: 'again', as: 'baseline', purchaseId: undefined }];
    expect(differences(pair)).toEqual([{ kind: 'refund', purchaseId: 1, ours: 10.5, theirs: 21, difference: 10.5 }]);
  });

  it('is money that is due back, when it has not come for ten minutes', () => {
    const failed = bought(1, { orderStatus: 'FAILED' });
    expect(differences(agreeing([failed]))).toEqual([
      { kind: 'refund-due', purchaseId: 1, ours: 10.5, theirs: 0, difference: -10.5 },
    ]);
    const lately = agreeing([{ ...failed, updatedAt: ASKED_AT - 5 * MINUTE }]);
    expect(differences(lately)).toEqual([]);
    expect(audit(lately.ours, lately.theirs).awaited).toEqual([
      'Purchase 1 (Item 1): $10.50 are due back, since its order failed or was reverted.',
    ]);
  });

  it('is an order that no list shows, where the list is whole', () => {
    const pair = agreeing(three);
    pair.theirs.orders = { ok: true, beganAt: ASKED_AT, whole: true, rows: three.slice(1).map((own) => orderOf(own)) };
    const { transactions, movements } = pair.theirs;
    if (!transactions.ok || !movements.ok) throw new Error('there are lists');
    pair.theirs.transactions = { ...transactions, rows: transactions.rows.slice(1) };
    pair.theirs.movements = { ...movements, rows: movements.rows.slice(1) };
    moveBalance(pair, dollars(10.5));
    expect(differences(pair)).toEqual([{ kind: 'order-missing', purchaseId: 1, ours: 10.5, theirs: 0, difference: 10.5 }]);
    pair.theirs.orders = { ...pair.theirs.orders, whole: false };
    expect(audit(pair.ours, pair.theirs).notes[0]).toBe(
      'The service did not show its whole list of orders (2 rows came): what is missing in it proves nothing.',
    );
    expect(differences(pair).filter((each) => (each as { kind: string }).kind === 'order-missing')).toEqual([]);
  });

  it('is not that a fresh order, debit or refund shows late', () => {
    const fresh = bought(1, {
      createdAt: ASKED_AT - MINUTE,
      answeredAt: ASKED_AT - MINUTE,
      updatedAt: ASKED_AT - MINUTE,
      orderStatus: 'SUCCESS',
    });
    const pair = agreeing([fresh]);
    const none = { ok: true, beganAt: ASKED_AT, whole: true, rows: [] } as const;
    pair.theirs = {
      orders: none,
      transactions: none,
      movements: none,
      balance: { ok: true, reading: { amount: dollars(989.5), beganAt: ASKED_AT, endedAt: ASKED_AT } },
    };
    expect(differences(pair)).toEqual([]);
    pair.theirs.balance = {
      ok: true,
      reading: { amount: dollars(1_000), beganAt: ASKED_AT - MINUTE / 2, endedAt: ASKED_AT },
    };
    expect(differences(pair)).toEqual([]);
    expect(audit(pair.ours, pair.theirs)).toMatchObject({ balance: { mayBeUncertain: true } });
  });

  it('is a debit that no transaction shows, while others are shown', () => {
    const pair = agreeing(three);
    const { transactions, movements } = pair.theirs;
    if (!transactions.ok || !movements.ok) throw new Error('there are lists');
    pair.theirs.transactions = { ...transactions, rows: transactions.rows.slice(1) };
    pair.theirs.movements = { ...movements, rows: movements.rows.slice(1) };
    moveBalance(pair, dollars(10.5));
    expect(differences(pair)).toEqual([{ kind: 'debit-missing', purchaseId: 1, ours: 10.5, theirs: 0, difference: 10.5 }]);
  });

  it('is a purchase that was held for never bought [B9]', () => {
    const disproved = bought(4, { state: 'rejected', wasUnknown: true, serviceOrderId: undefined, orderStatus: undefined });
    const pair = agreeing([...three, disproved]);
    serviceAlsoShows(pair, { orders: [orderOf(disproved, { itemId: disproved.listingId })], transactions: [debitOf(disproved)] });
    expect(differences(pair)).toEqual([{ kind: 'bought-after-all', purchaseId: 4, ours: 0, theirs: 10.5, difference: -10.5 }]);
  });

  it('is nothing while it is unknown or moving', () => {
    const unknown = bought(4, { state: 'unknown', serviceOrderId: undefined, orderStatus: undefined });
    const pair = agreeing([...three, unknown]);
    serviceAlsoShows(pair, { orders: [orderOf(unknown, { orderId: 'late' })], transactions: [debitOf(unknown)] });
    expect(differences(pair)).toEqual([]);
    expect(audit(pair.ours, pair.theirs).awaited).toEqual([
      'Purchase 4 (Item 4) is unknown: its $10.50 are held; the service shows a transaction that fits.',
    ]);
    const moving = agreeing(three);
    moving.ours.purchases = [bought(1, { cost: dollars(10.3), updatedAt: ASKED_AT + 1 }), ...three.slice(1)];
    expect(differences(moving)).toEqual([]);
    expect(audit(moving.ours, moving.theirs)).toMatchObject({
      uncompared: 1,
      notes: ['1 purchase moved while the service was asked, and could not be compared.'],
    });
  });

  it('is not the status alone, which is said', () => {
    const pair = agreeing([bought(1, { state: 'bought', orderStatus: 'HOLD' })]);
    pair.theirs.orders = { ok: true, beganAt: ASKED_AT, whole: true, rows: [orderOf(bought(1), { statusCode: 'COMPLETED' })] };
    expect(differences(pair)).toEqual([]);
    expect(audit(pair.ours, pair.theirs).notes).toEqual([
      '1 purchase moved on at the service since we looked (the status of the order is another one): `magpie reconcile`.',
    ]);
  });
});

describe('what others do with the account', () => {
  it('is a difference as long as no look has adopted it, at what was really debited', () => {
    const pair = agreeing(three);
    serviceAlsoShows(pair, { orders: [orderOf(strange, { amount: dollars(11.7) })], transactions: [debitOf(strange)] });
    expect(differences(pair)).toEqual([
      { kind: 'order-unexplained', purchaseId: null, ours: 0, theirs: 12.3, difference: -12.3 },
    ]);
    const known = {
      orderId: 'order-99',
      as: 'adopted',
      purchaseId: undefined,
      amount: dollars(12.3),
      firstSeen: strange.createdAt,
    } as const;
    pair.ours.orders = [...pair.ours.orders, known];
    expect(differences(pair)).toEqual([]);
    expect(audit(pair.ours, pair.theirs)).toMatchObject({
      others: { baseline: 0, adopted: [{ orderId: 'order-99', name: 'Item 99', amount: 12_300_000 }] },
      balance: { othersSpent: 12_300_000, unexplained: 0 },
    });
  });

  it('is a debit without any order', () => {
    const pair = agreeing(three);
    serviceAlsoShows(pair, { transactions: [debitOf(strange)] });
    expect(differences(pair)).toEqual([
      { kind: 'debit-unexplained', purchaseId: null, ours: 0, theirs: 12.3, difference: -12.3 },
    ]);
  });

  it('is nothing that was ordered before our time, or came to nothing', () => {
    const pair = agreeing(three);
    const old = bought(98, { createdAt: NOON - 60 * MINUTE });
    const failed = bought(97, { orderStatus: 'FAILED' });
    serviceAlsoShows(pair, {
      orders: [orderOf(old), orderOf(failed)],
      transactions: [debitOf(old), debitOf(failed), refundOf(failed, failed.cost)],
    });
    moveBalance(pair, dollars(10.5));
    pair.ours.transactions = [...pair.ours.transactions, { transactionId: 'debit-97', as: 'baseline', purchaseId: undefined }];
    expect(differences(pair)).toEqual([]);
    expect(audit(pair.ours, pair.theirs).others).toMatchObject({ baseline: 1 });
  });
});

describe('what could not be read', () => {
  const why = 'the service failed (500)';
  const nothing = { ok: false, why } as const;

  it('is no agreement: it was not compared', () => {
    for (const [part, key] of [
      ['orders', 'orders'],
      ['transactions', 'transactions'],
      ['ledger', 'movements'],
      ['balance', 'balance'],
    ] as const) {
      const pair = agreeing(three);
      expect(agrees(audit(pair.ours, pair.theirs))).toBe(true);
      pair.theirs[key] = nothing;
      const report = audit(pair.ours, pair.theirs);
      expect(report).toMatchObject({ differences: [], unread: [{ part, partly: false, why }] });
      expect(agrees(report)).toBe(false);
    }
  });

  it('is a purchase that stands in no list, though the lists go further back than it', () => {
    const pair = agreeing([bought(1), bought(20), bought(40)]);
    const { orders, transactions } = pair.theirs;
    if (!orders.ok || !transactions.ok) throw new Error('there are lists');
    const without = <T extends { readonly timestampMs: number | undefined }>(rows: readonly T[], id: number): T[] =>
      rows.filter(({ timestampMs }) => timestampMs !== bought(id).createdAt);
    pair.theirs.orders = { ...orders, whole: false, rows: without(orders.rows, 20) };
    pair.theirs.transactions = { ...transactions, whole: false, rows: without(transactions.rows, 20) };
    const report = audit(pair.ours, pair.theirs);
    const lacking = 'the service did not show the whole of it, 2 rows came, and no list has 1 purchase of ours';
    expect(report.unread).toEqual([
      { part: 'orders', partly: true, why: lacking },
      { part: 'transactions', partly: true, why: lacking },
    ]);
    pair.theirs.orders = { ...orders, whole: false, rows: [] };
    pair.theirs.transactions = { ...transactions, whole: false, rows: [] };
    expect(audit(pair.ours, pair.theirs).unread).toMatchObject([{ part: 'orders', partly: false }, { partly: false }]);
  });

  it('is not what is older than the service shows, which is said and counted', () => {
    const pair = agreeing([bought(1), bought(20), bought(40)]);
    const { orders, transactions } = pair.theirs;
    if (!orders.ok || !transactions.ok) throw new Error('there are lists');
    pair.theirs.orders = { ...orders, whole: false, rows: orders.rows.slice(1) };
    pair.theirs.transactions = { ...transactions, whole: false, rows: transactions.rows.slice(1) };
    const report = audit(pair.ours, pair.theirs);
    expect(report).toMatchObject({ differences: [], unread: [], uncompared: 1 });
    expect(agrees(report)).toBe(true);
    expect(report.notes).toContain('1 purchase older than what the service still shows: not compared.');
  });

  it('is a purchase that a whole list does not have, though the other list is cut behind it', () => {
    for (const [whole, cut] of [
      ['orders', 'transactions'],
      ['transactions', 'orders'],
    ] as const) {
      const pair = agreeing([bought(1), bought(20), bought(40)]);
      const lists = pair.theirs;
      if (!lists[whole].ok || !lists[cut].ok) throw new Error('there are lists');
      lists[whole] = { ...lists[whole], rows: lists[whole].rows.slice(1) } as never;
      lists[cut] = { ...lists[cut], whole: false, rows: lists[cut].rows.slice(1) } as never;
      const report = audit(pair.ours, pair.theirs);
      expect(report).toMatchObject({ uncompared: 0, unread: [{ part: cut, partly: true }] });
      expect(agrees(report)).toBe(false);
    }
  });
});

describe('the balance', () => {
  it('is followed through deposits and withdrawals as the service’s ledger shows them [B20]', () => {
    const pair = agreeing(three);
    const { movements } = pair.theirs;
    if (!movements.ok) throw new Error('there is a ledger');
    const deposit = { change: dollars(500), at: NOON + 600 * MINUTE };
    const before = { change: dollars(1_000), at: NOON - 600 * MINUTE };
    pair.theirs.movements = {
      ...movements,
      rows: [before, ...movements.rows, deposit, { change: micros(-20_000_000), at: ASKED_AT - MINUTE }],
    };
    moveBalance(pair, dollars(480));
    expect(differences(pair)).toEqual([]);
    expect(audit(pair.ours, pair.theirs).balance).toMatchObject({ otherMoves: 480_000_000, unexplained: 0 });
  });

  it('is followed where a purchase stands in the ledger in parts', () => {
    const pair = agreeing([bought(1)]);
    const at = bought(1).createdAt;
    pair.theirs.movements = {
      ok: true,
      beganAt: ASKED_AT,
      whole: true,
      rows: [
        { change: micros(-10_000_000), at },
        { change: micros(-500_000), at },
      ],
    };
    expect(differences(pair)).toEqual([]);
    expect(audit(pair.ours, pair.theirs).balance).toMatchObject({ otherMoves: 0 });
  });

  it('is followed where like amounts are booked a minute apart, whatever their order', () => {
    const pair = agreeing([bought(1), bought(2), bought(3)]);
    const { transactions } = pair.theirs;
    if (!transactions.ok) throw new Error('there are transactions');
    pair.theirs.transactions = { ...transactions, rows: [...transactions.rows].reverse() };
    expect(audit(pair.ours, pair.theirs)).toMatchObject({ notes: [], balance: { otherMoves: 0 } });
  });

  it('is not followed by a ledger that lacks a purchase or a refund', () => {
    const pair = agreeing(three);
    const { movements } = pair.theirs;
    if (!movements.ok) throw new Error('there is a ledger');
    pair.theirs.movements = { ...movements, rows: movements.rows.slice(1) };
    expect(differences(pair)).toEqual([]);
    expect(audit(pair.ours, pair.theirs)).toMatchObject({
      balance: { otherMoves: null, unexplained: 0 },
      notes: [expect.stringContaining('(1 of 4 purchases and refunds are not in it)')],
    });
  });

  it('takes an entry at the very start as one that the first reading may hold or not', () => {
    for (const held of [0, 250]) {
      const pair = agreeing(three);
      const { movements } = pair.theirs;
      if (!movements.ok) throw new Error('there is a ledger');
      pair.theirs.movements = { ...movements, rows: [{ change: dollars(250), at: NOON + MINUTE }, ...movements.rows] };
      moveBalance(pair, dollars(held));
      expect(differences(pair)).toEqual([]);
    }
  });

  it('lower than explained is a difference, whether or not the ledger can be read [B18 B21]', () => {
    for (const readable of [true, false]) {
      const pair = agreeing(three);
      moveBalance(pair, micros(-3_000_000));
      if (!readable) pair.theirs.movements = { ok: false, why: '4 of 4 entries are of an unheard-of form' };
      expect(differences(pair)).toEqual([{ kind: 'balance', purchaseId: null, ours: 979, theirs: 976, difference: -3 }]);
    }
  });

  it('higher than explained is one only where a deposit would be seen [B18 B20]', () => {
    const pair = agreeing(three);
    moveBalance(pair, dollars(3));
    expect(differences(pair)).toEqual([{ kind: 'balance', purchaseId: null, ours: 979, theirs: 982, difference: 3 }]);
    pair.theirs.movements = { ok: false, why: 'it is empty' };
    expect(differences(pair)).toEqual([]);
    expect(audit(pair.ours, pair.theirs).notes).toEqual([
      'The ledger of the service says nothing sure (it is empty): deposits, withdrawals and fees are not in what is expected of the balance.',
      'The balance is higher than expected, which may be a deposit: the ledger of the service would show it, but cannot be read.',
    ]);
  });

  it('may or may not show the money of a purchase that is unknown, and nothing else', () => {
    const unknown = bought(4, { state: 'unknown', serviceOrderId: undefined, orderStatus: undefined });
    const pair = agreeing([...three, unknown]);
    expect(differences(pair)).toEqual([]);
    moveBalance(pair, micros(-10_500_000));
    expect(differences(pair)).toEqual([]);
    moveBalance(pair, micros(-1_000_000));
    expect(differences(pair)).toEqual([{ kind: 'balance', purchaseId: null, ours: 979, theirs: 967.5, difference: -11.5 }]);
  });

  it('is not followed from a reading that is younger than the first purchase', () => {
    const pair = agreeing(three);
    pair.ours.firstBalance = { amount: dollars(1), beganAt: ASKED_AT - MINUTE, endedAt: ASKED_AT };
    expect(audit(pair.ours, pair.theirs)).toMatchObject({
      balance: null,
      notes: ['The first reading of the balance is younger than the first purchase: the balance cannot be followed from it.'],
    });
  });
});
