import { describe, expect, it } from 'vitest';
import { listingKey } from '../../../src/domain/listing.ts';
import type { OrderSeen, TransactionSeen } from '../../../src/engine/evidence.ts';
import type { Purchase } from '../../../src/domain/purchase.ts';
import { judge } from '../../../src/execution/evidence/judge.ts';
import { NOON, dollars } from '../../support/values.ts';
import {
  accepted,
  dedicated,
  known,
  knownOrder,
  look,
  minute,
  oldOrders,
  order,
  own,
  ownDebit,
  ownOrder,
  policy,
  refused,
  second,
  sent,
  transaction,
  verdicts,
} from '../support/looks.ts';

const with1 = known({ purchases: [sent()] });
const rows = (...novel: ReturnType<typeof order>[]) => [...oldOrders, ...novel];
const standing = new Map([[listingKey('c5game', '800000001'), 'standing' as const]]);
const gone = new Map([[listingKey('c5game', '800000001'), 'gone' as const]]);

describe('an unknown purchase', () => {
  it('was bought when a new order shows its item at its price [N3]', () => {
    expect(verdicts(look({ rows: rows(order()) }), with1)).toEqual([
      'O-1 is ours (1)',
      '1 was bought by O-1 for $10.50',
      '1 has status PENDING',
    ]);
  });

  it('was not proved bought by a transaction that failed', () => {
    expect(verdicts(look({ transactions: [transaction({ status: 'failed' })] }), with1)).toEqual([]);
  });

  it('was bought when a new order names its listing, whatever the amount, which is booked as it is [B25]', () => {
    const named = order({ itemId: '800000001', amount: dollars(12) });
    expect(verdicts(look({ rows: rows(named) }), with1)).toEqual([
      'O-1 is ours (1)',
      '1 was bought by O-1 for $12.00',
      'alert debit (1)',
      'halt',
      '1 has status PENDING',
    ]);
  });

  it('was bought when an order bears the upstream reference that its answer gave', () => {
    const referred = known({ purchases: [sent({ upstreamOrderId: 'UP-7' })] });
    const row = order({ orderId: 'UP-7', itemId: undefined, itemName: undefined, amount: dollars(3) });
    expect(verdicts(look({ rows: rows(row) }), referred)[1]).toBe('1 was bought by UP-7');
  });

  it('was bought at the base price when the order shows that, and what was debited stays as expected', () => {
    expect(verdicts(look({ rows: rows(order({ amount: dollars(10) })) }), with1)).toContain('1 was bought by O-1');
  });

  it.each([sent(), sent({ state: 'rejected', held: false })])(
    'has the order of its transaction however long after its answer both were made [$state]',
    (late) => {
      const made = NOON + 15 * minute;
      const seen = look({
        at: made + minute,
        rows: rows(ownOrder, order({ timestampMs: made })),
        transactions: [ownDebit, transaction({ timestampMs: made })],
      });
      const said = verdicts(seen, known({ purchases: [late, own] }), dedicated);
      expect(said).toContain('1 was bought by O-1 and T-1 for $10.50');
      expect(said).not.toContain('halt');
    },
  );

  it('is recognised by an amount that is printed to the cent', () => {
    const exact = known({ purchases: [sent({ priceWithFee: 10.4967, cost: dollars(10.4967) })] });
    expect(verdicts(look({ rows: rows(order()) }), exact)).toContain('1 was bought by O-1 for $10.50');
  });

  it('is not recognised by the name alone [money-7]', () => {
    const named = order({ itemId: 'c5-991', amount: dollars(9) });
    expect(verdicts(look({ rows: rows(named) }), with1)).toEqual(['O-1 is adopted', 'alert adopted']);
  });

  it('is not recognised by name and amount alone, but the order is kept for it [money-7]', () => {
    expect(verdicts(look({ rows: rows(order({ itemId: 'c5-991' })) }), with1)).toEqual([]);
  });

  it('is recognised by name and amount when a transaction shows its wear', () => {
    const seen = look({ rows: rows(order({ itemId: 'c5-991' })), transactions: [transaction({ itemId: 'c5-991' })] });
    expect(verdicts(seen, with1)).toContain('1 was bought by O-1 and T-1 for $10.50');
  });

  it('is not recognised by another item at the same price [money-7]', () => {
    expect(verdicts(look({ rows: rows(order({ itemId: 'ffffffffffffffff' })) }), with1)).toEqual([
      'O-1 is adopted',
      'alert adopted',
    ]);
  });

  it('is not recognised by an order that was known before', () => {
    const before = known({ purchases: [sent()], orders: new Map([['O-1', knownOrder(order(), 4, 'adopted')]]) });
    expect(verdicts(look({ rows: rows(order()) }), before)).toEqual([]);
  });

  it('is recognised at an amount that a fee could explain only when a transaction confirms it', () => {
    const drifted = order({ amount: dollars(10.8) });
    expect(verdicts(look({ rows: rows(drifted) }), with1)).toEqual([]);
    const booked = transaction({ amount: dollars(10.8) });
    expect(verdicts(look({ rows: rows(drifted), transactions: [booked] }), with1)).toEqual([
      'O-1 is ours (1)',
      '1 was bought by O-1 and T-1 for $10.80',
      'alert debit (1)',
      'halt',
      '1 has status PENDING',
    ]);
  });

  it('is not booked by number when its order is in another currency [M12]', () => {
    const named = order({ itemId: '800000001', currency: 'EUR', amount: dollars(999) });
    expect(verdicts(look({ rows: rows(named) }), with1)).toEqual([
      'O-1 is ours (1)',
      '1 was bought by O-1',
      'alert debit (1)',
      'halt',
      '1 has status PENDING',
    ]);
  });

  it('was bought when a transaction shows its wear, though no order does', () => {
    expect(verdicts(look({ orders: 'down', transactions: [transaction()] }), with1)).toEqual(['1 was bought by T-1 for $10.50']);
  });

  it('knows its wear as a 32-bit float', () => {
    const fine = known({ purchases: [sent({ wear: 0.06603795289993286 })] });
    const coarse = transaction({ float: Math.fround(0.06603795289993286) });
    expect(verdicts(look({ orders: 'down', transactions: [coarse] }), fine)).toHaveLength(1);
  });

  it('is not proved by a transaction of another wear alone', () => {
    expect(verdicts(look({ orders: 'down', transactions: [transaction({ float: 0.21 })] }), with1)).toEqual([]);
  });

  it('is not disproved by another wear alone: after two minutes its order counts', () => {
    const odd = { rows: rows(order()), transactions: [transaction({ float: 0.21 })] };
    expect(verdicts(look(odd), with1)).toEqual([]);
    expect(verdicts(look({ ...odd, at: NOON + 3 * minute }), with1)).toContain('1 was bought by O-1 for $10.50');
  });

  it('is not settled by an order alone while its listing still stands', () => {
    const seen = { rows: rows(order()), listings: standing };
    expect(verdicts(look({ ...seen, at: NOON + 5 * second }), with1)).toEqual([]);
    expect(verdicts(look(seen), with1)).toEqual([]);
  });

  it('leaves an order to somebody else when both the wear and the standing listing say so', () => {
    const seen = { rows: rows(order()), listings: standing, transactions: [transaction({ float: 0.21 })] };
    expect(verdicts(look(seen), with1)).toEqual(['O-1 is adopted', 'alert adopted']);
  });
});

describe('an order whose transaction may still come', () => {
  const down = look({ rows: rows(order()), transactions: 'down' });

  it('waits for it where somebody else may buy with the same key and transactions could be read before', () => {
    expect(verdicts(down, with1)).toEqual([]);
    expect(verdicts(down, with1, dedicated)).toContain('1 was bought by O-1 for $10.50');
    expect(verdicts(down, known({ purchases: [sent()], transactionsBaselineAt: undefined }))).toContain(
      '1 was bought by O-1 for $10.50',
    );
  });

  it('waits for it on a dedicated account where two purchases of its own may have made it: the later may have been executed first', () => {
    const [early, late] = [sent(), sent({ id: 2, listingId: '800000002', wear: 0.3, createdAt: NOON + second })];
    const two = rows(order(), order({ orderId: 'O-2', timestampMs: NOON + 3 * second }));
    const pair = known({ purchases: [early, late] });
    expect(verdicts(look({ rows: two, transactions: 'down' }), pair, dedicated)).toEqual([]);
    const debits = [
      transaction({ float: 0.3 }),
      transaction({ transactionId: 'T-2', float: early.wear, timestampMs: NOON + 3 * second }),
    ];
    const told = verdicts(look({ rows: two, transactions: debits }), pair, dedicated);
    expect(told).toContain('2 was bought by O-1 and T-1 for $10.50');
    expect(told).toContain('1 was bought by O-2 and T-2 for $10.50');
  });

  it('waits two minutes at most where transactions have told items apart, and not where they never did', () => {
    const own = accepted({ id: 7, itemId: '7777777777777777', listingId: '7', wear: 0.7, serviceOrderId: 'S-7' });
    const ownRow = order({ orderId: 'S-7', itemId: '7777777777777777' });
    const booked = transaction({ transactionId: 'T-7', itemId: '7777777777777777', float: 0.7 });
    const orders = new Map([['S-7', knownOrder(ownRow, 6, 'ours', 7)]]);
    const what = known({ purchases: [own, sent()], listed: new Map([[7, 'S-7']]), booked: new Map([[7, undefined]]), orders });
    const seen = { rows: rows(ownRow, order()), transactions: [booked] };
    expect(verdicts(look(seen), { ...what, usedTransactions: new Set(['T-7']) })).toEqual(['7 has status PENDING']);
    const later = look({ ...seen, at: NOON + 3 * minute });
    expect(verdicts(later, { ...what, usedTransactions: new Set(['T-7']) })).toContain('1 was bought by O-1 for $10.50');
    expect(verdicts(look({ rows: rows(order()) }), with1)).toContain('1 was bought by O-1 for $10.50');
  });
});

describe('the same item offered twice, with the same wear', () => {
  const other = accepted({ id: 2, market: 'ecosteam', listingId: '900000001', serviceOrderId: 'S-2' });

  it('is told apart by which of the two has its transaction already', () => {
    const pair = known({ purchases: [sent(), other], listed: new Map([[2, 'S-2']]), booked: new Map([[2, undefined]]) });
    expect(verdicts(look({ transactions: [transaction()] }), pair)).toEqual(['1 was bought by T-1 for $10.50']);
  });

  it('settles nothing while either may have been debited', () => {
    const pair = known({ purchases: [sent(), other], listed: new Map([[2, 'S-2']]) });
    expect(verdicts(look({ transactions: [transaction()] }), pair)).toEqual([]);
  });
});

describe('several candidates', () => {
  const twins = [sent(), sent({ id: 2, listingId: '800000002', wear: 0.3, createdAt: NOON + 1 })];
  const both = known({ purchases: twins });

  it('of a listing that was refused twice take the one that no looks have confirmed as refused', () => {
    const first = refused({ held: false, createdAt: NOON - 5 * minute, answeredAt: NOON - 5 * minute });
    const second = refused({ id: 2, held: true });
    const seen = (one: Purchase, other: Purchase) => verdicts(look({ rows: rows(order()) }), known({ purchases: [one, other] }));
    expect(seen(first, second)).toContain('2 was bought by O-1 for $10.50');
    expect(seen({ ...first, held: true }, second)).toContain('1 was bought by O-1 for $10.50');
  });

  it('settle nothing when one order could be either of two purchases', () => {
    expect(verdicts(look({ rows: rows(order()) }), both)).toEqual([]);
  });

  it('are told apart by the wear of the transaction', () => {
    expect(verdicts(look({ rows: rows(order()), transactions: [transaction({ float: 0.3 })] }), both)).toContain(
      '2 was bought by O-1 and T-1 for $10.50',
    );
  });

  it('leave the row of one that is bought for sure to it, though the other’s transaction shows first', () => {
    const certain = { ...twins[0]!, state: 'bought' as const, wasUnknown: true };
    const seen = (...orders: ReturnType<typeof order>[]): string[] =>
      verdicts(
        look({ rows: rows(...orders), transactions: [transaction({ float: 0.3, timestampMs: NOON + 3 * second })] }),
        known({ purchases: [certain, twins[1]!] }),
      );
    expect(seen(order())).toContain('2 was bought by T-1 for $10.50');
    const both = seen(order(), order({ orderId: 'O-2', timestampMs: NOON + 3 * second }));
    expect(both).toContain('O-1 is ours (1)');
    expect(both).toContain('2 was bought by O-2 and T-1 for $10.50');
  });

  it('leave a row that was made at another moment than the debit to the one in doubt, until it can be no other', () => {
    const debit = transaction({ float: 0.3, timestampMs: NOON + 4 * second });
    const first = verdicts(look({ rows: rows(order()), transactions: [debit] }), both);
    expect(first).toContain('2 was bought by T-1 for $10.50');
    const proved = { ...twins[1]!, state: 'bought' as const };
    const later = (after: number) =>
      verdicts(
        look({ rows: rows(order()), transactions: [debit], at: NOON + after * minute }),
        known({
          purchases: [twins[0]!, proved],
          usedTransactions: new Set(['T-1']),
          booked: new Map([[2, NOON + 4 * second]]),
        }),
      );
    expect(later(2)).not.toContain('O-1 is ours (2)');
    expect(later(11)).toContain('O-1 is ours (2)');
  });

  it('leave a row of the second after the debit to the one in doubt as well: the two may be bought within one second', () => {
    const certain = { ...twins[0]!, state: 'bought' as const, wasUnknown: true };
    const booked = new Map([[1, NOON + 1.2 * second]]);
    const said = (timestampMs: number): string[] =>
      verdicts(
        look({ rows: rows(order({ timestampMs })), at: NOON + 10 * second }),
        known({ purchases: [certain, twins[1]!], booked }),
      );
    expect(said(NOON + second)).toContain('O-1 is ours (1)');
    expect(said(NOON + 1.2 * second)).toContain('O-1 is ours (1)');
    for (const later of [2, 1.9, 0]) expect(said(NOON + later * second)).not.toContain('O-1 is ours (1)');
  });

  it('leave a row of just what another in doubt costs to that one, and a row near it from another moment to anybody', () => {
    const dearer = { ...twins[1]!, priceMicros: dollars(10.2), price: 10.2, cost: dollars(10.71) };
    const debit = transaction({ float: 0.3, price: dollars(10.2), amount: dollars(10.71), timestampMs: NOON + 1.4 * second });
    const seen = (row: OrderSeen, ...purchases: Purchase[]): string[] =>
      verdicts(look({ rows: rows(row), transactions: [debit] }), known({ purchases }));
    expect(seen(order(), twins[0]!, dearer)).toContain('2 was bought by T-1 for $10.71');
    const late = order({ timestampMs: NOON + 4 * second });
    expect(seen(late, dearer)).toContain('2 was bought by T-1 for $10.71');
    expect(seen(order({ amount: dollars(10.71) }), dearer)).toContain('2 was bought by O-1 and T-1 for $10.71');
  });

  it('each get the row that was made when they were debited, though the older was executed late', () => {
    const certain = { ...twins[1]!, state: 'bought' as const, wasUnknown: true };
    const debit = (transactionId: string, float: number, after: number) =>
      transaction({ transactionId, float, timestampMs: NOON + after * second });
    const seen = verdicts(
      look({
        rows: rows(order(), order({ orderId: 'O-2', timestampMs: NOON + 9 * second })),
        transactions: [debit('T-1', 0.3, 1), debit('T-2', 0.2, 9)],
      }),
      known({ purchases: [twins[0]!, certain], usedTransactions: new Set(['T-1']), booked: new Map([[certain.id, undefined]]) }),
    );
    expect(seen).toContain('1 was bought by O-2 and T-2 for $10.50');
    expect(seen).toContain('O-1 is ours (2)');
  });

  it('each get the row of the second in which they were debited, where orders tell whole seconds and debits more', () => {
    const certain = twins.map((twin) => ({ ...twin, state: 'bought' as const }));
    const seen = verdicts(
      look({ rows: rows(order(), order({ orderId: 'O-2', timestampMs: NOON + 2 * second })) }),
      known({
        purchases: certain,
        booked: new Map([
          [1, NOON + 1.65 * second],
          [2, NOON + 2.2 * second],
        ]),
      }),
    );
    expect(seen).toContain('O-1 is ours (1)');
    expect(seen).toContain('O-2 is ours (2)');
  });

  it('of which two debits show and one row, made with the later: the earlier does not get it', () => {
    const debits = [
      transaction({ float: 0.2, timestampMs: NOON + 1.54 * second }),
      transaction({ transactionId: 'T-2', float: 0.3, timestampMs: NOON + 2 * second }),
    ];
    const seen = verdicts(look({ rows: rows(order({ timestampMs: NOON + 2 * second })), transactions: debits }), both);
    expect(seen).toContain('1 was bought by T-1 for $10.50');
    expect(seen.some((said) => said.startsWith('2 was bought by'))).toBe(true);
  });

  it('of which one fits to the cent are told apart by it while debits before and after were just what was expected', () => {
    const near = sent({ wear: undefined, priceMicros: dollars(9.7), price: 9.7, cost: dollars(10.19) });
    const exact = sent({ id: 2, listingId: '800000002', wear: undefined });
    const debited = (id: number, minutes: number, paid: number) =>
      accepted({
        ...{ id, itemId: `00000000000000c${id}`, serviceOrderId: `S-${id}`, listingId: `80000000${id}`, paid: dollars(paid) },
        ...{ createdAt: NOON + minutes * minute, answeredAt: NOON + minutes * minute + second },
      });
    const shown = (id: number, minutes: number) =>
      order({ orderId: `S-${id}`, itemId: `00000000000000c${id}`, timestampMs: NOON + minutes * minute + second });
    const seen = (...others: Purchase[]): string[] =>
      verdicts(
        look({ rows: rows(order(), shown(3, -2), shown(4, 2)), at: NOON + 20 * minute }),
        known({ purchases: [near, exact, ...others], listed: new Map(others.map(({ id }) => [id, `S-${id}`])) }),
      );
    const [before, after] = [debited(3, -2, 10.5), debited(4, 2, 10.5)];
    const said = '2 was bought by O-1 for $10.50';
    expect(seen(before, after)).toContain(said);
    for (const others of [[before], [after], [before, { ...after, paid: dollars(10.82) }]])
      expect(seen(...others)).not.toContain(said);
  });

  it('of purchases at slightly different prices each gets the row of its own amount, in whatever order they were made', () => {
    const dearer = { ...twins[1]!, priceMicros: dollars(10.5), price: 10.5, cost: dollars(11) };
    const bought = [
      { ...twins[0]!, state: 'bought' as const },
      { ...dearer, state: 'bought' as const },
    ];
    const late = order({ orderId: 'O-2', timestampMs: NOON + 3 * second });
    const said = verdicts(look({ rows: rows(order({ amount: dollars(11) }), late) }), known({ purchases: bought }));
    expect(said).toContain('O-1 is ours (2)');
    expect(said).toContain('O-2 is ours (1)');
  });

  it('find the order of one whose outcome a clock set back has dated before its request [P25]', () => {
    const orphan = sent({ answeredAt: NOON - 30 * minute });
    const seen = look({ rows: rows(order()), transactions: [transaction()] });
    expect(verdicts(seen, known({ purchases: [orphan] }))).toContain('1 was bought by O-1 and T-1 for $10.50');
  });

  it('leave out one that was settled as not bought a while ago, so that a refusal in doubt is found bought', () => {
    const settledOne = refused({ held: false, wasUnknown: true, createdAt: NOON - 20 * minute, answeredAt: NOON - 20 * minute });
    const doubted = refused({ id: 2, listingId: '800000002' });
    const what = known({
      purchases: [
        { ...settledOne, wear: undefined },
        { ...doubted, wear: undefined },
      ],
    });
    expect(verdicts(look({ rows: rows(order()), at: NOON + minute }), what)).toContain('2 was bought by O-1 for $10.50');
  });

  it('are told apart by which listing still stands', () => {
    const said = new Map([...standing, [listingKey('c5game', '800000002'), 'gone' as const]]);
    expect(verdicts(look({ rows: rows(order()), listings: said }), both)).toContain('2 was bought by O-1 for $10.50');
  });

  it('are given in order when there are as many orders as purchases', () => {
    const two = rows(order(), order({ orderId: 'O-2', timestampMs: NOON + 3 * second }));
    const said = verdicts(look({ rows: two }), both);
    expect(said).toContain('1 was bought by O-1 for $10.50');
    expect(said).toContain('2 was bought by O-2 for $10.50');
  });

  it('settle nothing when there are more orders than purchases', () => {
    expect(verdicts(look({ rows: rows(order(), order({ orderId: 'O-2' })) }), with1)).toEqual([]);
  });

  it('of one purchase with its wear seen: the nearest in time is ours, the other somebody else’s', () => {
    const two = rows(order({ orderId: 'O-0', timestampMs: NOON - 50 * second }), order({ orderId: 'O-2' }));
    expect(verdicts(look({ rows: two, transactions: [transaction()] }), with1)).toEqual([
      'O-2 is ours (1)',
      '1 was bought by O-2 and T-1 for $10.50',
      '1 has status PENDING',
      'O-0 is adopted',
      'alert adopted',
    ]);
  });

  it('of which one was booked with a row: that is its row, and no other is, however many are in doubt', () => {
    const certain = { ...twins[1]!, state: 'bought' as const, wear: undefined };
    const inDoubt = [twins[0]!, { ...twins[0]!, id: 3, listingId: '800000003' }];
    const debit = transaction({ itemId: '800000002', float: undefined, timestampMs: NOON + 9 * second });
    const made = order({ orderId: 'O-2', timestampMs: NOON + 9 * second });
    const said = (row: TransactionSeen): string[] =>
      verdicts(
        look({ at: NOON + 90 * minute, rows: rows(ownOrder, order(), made), transactions: [ownDebit, row] }),
        known({
          purchases: [...inDoubt, certain, own],
          usedTransactions: new Set(['T-1']),
          booked: new Map([[2, row.timestampMs]]),
        }),
      );
    expect(said(debit)).toContain('O-2 is ours (2)');
    expect(said(debit).join()).not.toMatch(/[13] was bought/);
    expect(said({ ...debit, timestampMs: NOON + 5 * second })).not.toContain('O-2 is ours (2)');
  });

  it('of which one costs what was booked with the row, in both of its amounts: it is not the other’s that costs as much without the fee', () => {
    const other = { ...twins[1]!, wear: undefined, price: 10.5, priceMicros: dollars(10.5), cost: dollars(11.03) };
    const said = (given: Partial<TransactionSeen>, made: number = NOON + second + 7): string[] => {
      const booked = transaction({ float: undefined, timestampMs: NOON + second + 7, ...given });
      const inDoubt = [{ ...twins[0]!, wear: undefined }, other, own];
      const row = order({ timestampMs: made });
      return verdicts(look({ rows: rows(ownOrder, row), transactions: [ownDebit, booked] }), known({ purchases: inDoubt }));
    };
    expect(said({})).toContain('1 was bought by O-1 for $10.50');
    const unclear = [{ price: undefined }, { timestampMs: NOON + 3 * second }, { price: dollars(10.5), amount: dollars(11.03) }];
    for (const given of unclear) expect(said(given).join()).not.toContain('1 was bought');
    // The other may have made it within that second, and its own debit be late.
    expect(said({}, NOON + second).join()).not.toContain('1 was bought');
    expect(said({ timestampMs: NOON + second }).join()).not.toContain('1 was bought');
  });

  describe('of which one costs what the other costs without the fee', () => {
    const cheap = sent({ wear: 0.3, price: 9.5, priceMicros: dollars(9.5), cost: dollars(10) });
    const dear = sent({ id: 2, listingId: '800000002', wear: 0.2, createdAt: NOON + 1 });
    const inDoubt = known({ purchases: [cheap, dear, own] });
    const ofDear = transaction({ timestampMs: NOON + second + 10 });
    const ofCheap = transaction({
      ...{ transactionId: 'T-2', float: 0.3, price: dollars(9.5), amount: dollars(10) },
      timestampMs: NOON + second + 776,
    });
    const cut = order({ amount: dollars(10), timestampMs: NOON + second });
    const said = (made: OrderSeen[], debits: TransactionSeen[], what = inDoubt, at = NOON + 2 * minute): string[] =>
      verdicts(look({ at, rows: rows(ownOrder, ...made), transactions: [ownDebit, ...debits] }), what);

    it('is bought by its transaction, and an order of that second is left to either', () => {
      const found = said([cut], [ofDear]);
      expect(found).toContain('2 was bought by T-1 for $10.50');
      expect(found.join()).not.toContain('O-1');
    });

    it('has it where the date tells the moment', () => {
      expect(said([{ ...cut, timestampMs: NOON + second + 10 }], [ofDear])).toContain('2 was bought by O-1 and T-1 for $10.50');
    });

    it('has it once the debit of the other would show', () => {
      expect(said([cut], [ofDear], inDoubt, NOON + 12 * minute)).toContain('2 was bought by O-1 and T-1 for $10.50');
    });

    it('has one that bears no date, once it is not merely late', () => {
      const bought = known({ purchases: [cheap, { ...dear, state: 'bought' }, own], booked: new Map([[2, NOON + second]]) });
      const undated = { ...cut, timestampMs: undefined };
      expect(said([undated], [], bought).join()).not.toContain('O-1');
      expect(said([undated], [], bought, NOON + 12 * minute)).toContain('O-1 is ours (2)');
    });

    it('has it no sooner for having been executed long after its answer', () => {
      const made = NOON + 9.5 * minute;
      const late = { ...ofDear, timestampMs: made + 10 };
      const row = { ...cut, timestampMs: made };
      expect(said([row], [late], inDoubt, made + 3 * minute).join()).not.toContain('O-1');
      expect(said([row], [late], inDoubt, made + 9 * minute)).toContain('2 was bought by O-1 and T-1 for $10.50');
    });

    it('has it while looks still watch it, though it was refused and they had confirmed that', () => {
      const bare = { wear: undefined };
      const watched = refused({ ...dear, ...bare, state: 'rejected', wasUnknown: false, held: false });
      const what = known({ purchases: [{ ...cheap, ...bare }, watched, own] });
      const debit = { ...ofDear, float: undefined, timestampMs: NOON + second };
      expect(said([cut], [debit], what).join()).not.toContain('was bought');
      expect(said([cut], [debit], what, NOON + 9 * minute)).toContain('2 was bought by O-1');
    });

    it('keeps an order that its own debit was booked with, though its listing stands: neither is settled', () => {
      const listings = new Map([
        [listingKey('c5game', '800000001'), 'gone' as const],
        [listingKey('c5game', '800000002'), 'standing' as const],
      ]);
      const failed = transaction({ status: 'failed' });
      for (const minutes of [2, 5, 9, 12]) {
        const row = { ...cut, statusCode: 'FAILED' };
        const seen = look({ at: NOON + minutes * minute, rows: rows(ownOrder, row), transactions: [ownDebit, failed], listings });
        expect(verdicts(seen, inDoubt).join()).not.toContain('was bought');
      }
    });

    it('has its own once both debits show and both orders, however they are dated', () => {
      const bought = known({
        purchases: [{ ...cheap, state: 'bought' }, { ...dear, state: 'bought' }, own],
        booked: new Map([
          [1, ofCheap.timestampMs],
          [2, ofDear.timestampMs],
        ]),
      });
      const exact = order({ orderId: 'O-2', timestampMs: NOON + second + 10 });
      for (const dear2 of [exact, { ...exact, amount: dollars(10) }]) {
        const found = said([cut, dear2], [], bought);
        expect(found).toContain('O-1 is ours (1)');
        expect(found).toContain('O-2 is ours (2)');
      }
    });
  });

  it('of which one was bought long ago and shows neither row nor debit: what row there is may be its', () => {
    const certain = { ...twins[1]!, wear: undefined, state: 'bought' as const };
    const said = (booked: ReadonlyMap<number, number>): string[] =>
      verdicts(look({ at: NOON + 90 * minute, rows: rows(order()) }), known({ purchases: [twins[0]!, certain], booked }));
    expect(said(new Map()).join()).not.toContain('was bought');
    expect(said(new Map([[2, NOON + 9 * second]]))).toContain('1 was bought by O-1 for $10.50');
  });

  describe('one of which came to nothing', () => {
    const earlier = sent({ wear: 0.7, createdAt: NOON - 2 * minute });
    const later = sent({ id: 2, listingId: '800000002', wear: 0.3 });
    const what = known({ purchases: [earlier, later, own] });
    const said = (failed: OrderSeen[], booked: Partial<TransactionSeen>): string[] => {
      const debit = transaction({ status: 'failed', float: 0.3, ...booked });
      const at = look({ at: NOON + 10 * minute, rows: rows(ownOrder, ...failed), transactions: [ownDebit, debit] });
      return verdicts(at, what);
    };
    const reverted = order({ statusCode: 'REVERTED' });

    it('is the one’s whose wear its debit of the same moment shows, though that failed too', () => {
      expect(said([reverted], {})).toContain('2 was bought by O-1 for $10.50');
      expect(said([reverted], { float: 0.7 })).toContain('1 was bought by O-1 for $10.50');
    });

    it('is nobody’s while that debit is of another moment or amount, or shows neither wear', () => {
      const dearer = { amount: dollars(10.6), price: dollars(10.1) };
      for (const booked of [{ timestampMs: NOON + 20 * second }, dearer, { float: undefined }])
        expect(said([reverted], booked).join()).not.toMatch(/[12] was bought/);
    });

    it('is the one’s that money which came back names, by its listing or by a wear which nothing that was bought shares', () => {
      const back = (given: Partial<TransactionSeen>, row = reverted) =>
        said([row], {
          transactionId: 'R-1',
          type: 'refund',
          status: 'completed',
          timestampMs: NOON + minute,
          float: undefined,
          ...given,
        });
      expect(back({ float: 0.3 })).toContain('2 was bought by O-1 for $10.50');
      expect(back({ itemId: '800000001' })).toContain('1 was bought by O-1 for $10.50');
      const vague = [{}, { status: 'pending', float: 0.3 }, { float: 0.5 }, { float: 0.3, amount: dollars(11) }];
      for (const given of vague) expect(back(given).join()).not.toMatch(/[12] was bought/);
      expect(back({ float: 0.3 }, order()).join()).not.toMatch(/[12] was bought/);
      const again = accepted({ id: 8, listingId: '800000008', wear: 0.3, serviceOrderId: 'S-8', state: 'refunded' });
      const shared = { ...what, purchases: [...what.purchases, again], listed: new Map([[8, 'S-8']]) };
      const refund = transaction({ transactionId: 'R-1', type: 'refund', float: 0.3 });
      const seen = look({ at: NOON + 10 * minute, rows: rows(ownOrder, reverted), transactions: [ownDebit, refund] });
      expect(verdicts(seen, shared).join()).not.toMatch(/[12] was bought/);
    });

    it('speaks against nobody where two orders were made in that moment: each of the two has made one', () => {
      const other = order({ orderId: 'O-2', statusCode: 'FAILED', timestampMs: NOON + second + 1 });
      const found = said([reverted, other], {});
      expect(found).toContain('1 was bought by O-2 for $10.50');
      expect(found).toContain('2 was bought by O-1 for $10.50');
    });
  });

  it('of which one was bought over an hour ago, and debited when a row was made: it still has one of them', () => {
    const certain = { ...twins[1]!, state: 'bought' as const };
    const inDoubt = [twins[0]!, { ...twins[0]!, id: 3, listingId: '800000003' }];
    const made = [order(), order({ orderId: 'O-2', timestampMs: NOON + 30 * second })];
    const said = (debitedAt: number): string[] =>
      verdicts(
        look({ at: NOON + 90 * minute, rows: rows(...made) }),
        known({ purchases: [...inDoubt, certain], booked: new Map([[2, debitedAt]]) }),
      );
    expect(said(NOON + second).join(), 'who of the others has the second one').not.toContain('was bought');
    expect(said(NOON + 9 * second).join()).toContain('3 was bought');
  });

  it('of which one belongs to a request in flight are kept for it', () => {
    const flying = known({
      purchases: [sent(), sent({ id: 2, state: 'intended', answeredAt: undefined, listingId: '800000002' })],
    });
    expect(verdicts(look({ rows: rows(order()) }), flying)).toEqual([]);
    expect(
      verdicts(look({ rows: rows(order()) }), known({ purchases: [sent({ state: 'intended', answeredAt: undefined })] })),
    ).toEqual([]);
  });

  it('of the same listing on two markets are told apart by the price', () => {
    const other = sent({
      id: 2,
      market: 'ecosteam',
      itemId: '2222222222222222',
      price: 8,
      priceMicros: dollars(8),
      cost: dollars(8.4),
    });
    const named = order({ itemId: '800000001', amount: dollars(8.4) });
    expect(verdicts(look({ rows: rows(named) }), known({ purchases: [sent(), other] }))).toContain(
      '2 was bought by O-1 for $8.40',
    );
  });

  it('two orders that name one listing: the first is ours, the second is reported [B24]', () => {
    const two = rows(
      order({ itemId: '800000001' }),
      order({ orderId: 'O-2', itemId: '800000001', timestampMs: NOON + 9 * second }),
    );
    const said = verdicts(look({ rows: two }), with1);
    expect(said).toContain('1 was bought by O-1 for $10.50');
    expect(said).toContain('O-2 is adopted');
  });
});

describe('a refused purchase', () => {
  it('becomes bought, with an alert, when its order turns up after all [N11 B9]', () => {
    expect(verdicts(look({ rows: rows(order()) }), known({ purchases: [refused()] }))).toEqual([
      'O-1 is ours (1)',
      '1 was bought by O-1 for $10.50',
      'alert late-bought (1)',
      '1 has status PENDING',
    ]);
  });

  it('stays refused when the order was taken for a stranger’s before the purchase was written', () => {
    const past = refused({ held: false, wear: undefined });
    const said = (seq: number): string[] => {
      const orders = new Map([['O-1', knownOrder(order(), seq, 'adopted')]]);
      return verdicts(look({ rows: rows(order()), at: NOON + 9 * minute }), known({ purchases: [past], orders }));
    };
    expect(said(past.baseSeq + 1)).toContain('1 was bought by O-1 for $10.50');
    expect(said(past.baseSeq)).toEqual([]);
  });

  it('stays refused when its order is from before our time, though a list has shown it only after the purchase was written', () => {
    const past = refused({ held: false, wear: undefined });
    const said = (as: 'baseline' | 'adopted'): string[] => {
      const orders = new Map([['O-1', knownOrder(order(), past.baseSeq + 1, as)]]);
      return verdicts(look({ rows: rows(order()), at: NOON + 9 * minute }), known({ purchases: [past], orders }));
    };
    expect(said('adopted')).toContain('1 was bought by O-1 for $10.50');
    expect(said('baseline')).toEqual([]);
  });

  it('is not called a hint at itself', () => {
    const [, settled] = judge(look({ rows: rows(order()) }), known({ purchases: [refused()] }), NOON + minute, policy).filter(
      ({ kind }) => kind === 'order' || kind === 'bought',
    );
    expect(settled).toMatchObject({ kind: 'bought', note: expect.not.stringContaining('soon after') as string });
  });

  it('becomes bought also when it is only watched any more, or was held for disproved', () => {
    for (const past of [refused({ held: false }), refused({ held: false, wasUnknown: true, refusalCause: undefined })]) {
      expect(verdicts(look({ rows: rows(order()), at: NOON + 9 * minute }), known({ purchases: [past] }))).toContain(
        'alert late-bought (1)',
      );
    }
  });

  it('stays refused when the order shows another wear: two things speak against it', () => {
    const seen = look({ rows: rows(order()), transactions: [transaction({ float: 0.9 })] });
    expect(verdicts(seen, known({ purchases: [refused()] }))).toEqual(['O-1 is adopted', 'alert adopted']);
  });

  it('gives way to an unknown purchase of the same item and price once it has been watched', () => {
    const pair = known({ purchases: [refused(), sent({ id: 2, listingId: '800000002' })] });
    expect(verdicts(look({ rows: rows(order()), at: NOON + 5 * minute }), pair)).toEqual([]);
    expect(verdicts(look({ rows: rows(order()), at: NOON + 11 * minute }), pair)).toContain('2 was bought by O-1 for $10.50');
  });

  it('gives way to a later try of the same listing', () => {
    const retried = known({
      purchases: [refused({ held: false, refusalCause: 'rate' }), sent({ id: 2, createdAt: NOON + minute })],
    });
    expect(verdicts(look({ rows: rows(order({ itemId: '800000001' })) }), retried)).toContain('2 was bought by O-1 for $10.50');
  });
});

describe('orders that bear another id than the answer to the buy', () => {
  const own = accepted({ serviceOrderId: 'S-1' });

  it('are kept for an accepted purchase until its own id had time to show', () => {
    expect(verdicts(look({ rows: rows(order()), at: NOON + 20 * second }), known({ purchases: [own] }))).toEqual([]);
  });

  it('are ours once the answer’s own id has not shown for a minute [B15]', () => {
    expect(verdicts(look({ rows: rows(order()) }), known({ purchases: [own] }))).toEqual([
      'O-1 is ours (1)',
      '1 has status PENDING',
    ]);
  });

  it('are ours at once where lists are known to bear other ids [B15]', () => {
    const earlier = accepted({ id: 7, serviceOrderId: 'S-0', itemId: '7777777777777777', listingId: '7' });
    const other = known({ purchases: [earlier, own], listed: new Map([[7, 'O-0']]) });
    expect(verdicts(look({ rows: rows(order()), at: NOON + 5 * second }), other)).toContain('O-1 is ours (1)');
  });

  it('are somebody else’s where lists are known to bear the ids of answers', () => {
    const earlier = accepted({ id: 7, serviceOrderId: 'S-0', itemId: '7777777777777777', listingId: '7' });
    const same = known({ purchases: [earlier, own], listed: new Map([[7, 'S-0']]) });
    expect(verdicts(look({ rows: rows(order()) }), same)).toContain('O-1 is adopted');
  });

  it('prove nothing about ids when evidence, not an answer, gave the purchase its order', () => {
    const matched = accepted({ id: 7, serviceOrderId: 'O-0', wasUnknown: true, itemId: '7777777777777777', listingId: '7' });
    const unproved = known({ purchases: [matched, own], listed: new Map([[7, 'O-0']]) });
    expect(verdicts(look({ rows: rows(order()) }), unproved)).toContain('O-1 is ours (1)');
  });

  it('go to the accepted purchase before an unknown one of the same item and price', () => {
    const pair = known({ purchases: [own, sent({ id: 2, listingId: '800000002', createdAt: NOON + 1 })] });
    const said = verdicts(look({ rows: rows(order()) }), pair);
    expect(said).toEqual(['O-1 is ours (1)', '1 has status PENDING']);
    const two = rows(order(), order({ orderId: 'O-2', timestampMs: NOON + 5 * second }));
    expect(verdicts(look({ rows: two }), pair)).toContain('2 was bought by O-2 for $10.50');
  });
});

describe('dates', () => {
  const dated = accepted({ id: 7, serviceOrderId: 'S-7', itemId: '7777777777777777', listingId: '7' });
  const ownRow = order({ orderId: 'S-7', itemId: '7777777777777777' });
  const old = order({ orderId: 'O-9', timestampMs: NOON - 48 * 3_600_000 });

  it('rule an old order out once they have proved true of our own', () => {
    const what = known({
      purchases: [dated, sent()],
      listed: new Map([[7, 'S-7']]),
      orders: new Map([['S-7', knownOrder(ownRow, 6, 'ours', 7)]]),
    });
    expect(verdicts(look({ rows: rows(ownRow, old) }), what)).toContain('O-9 is baseline');
  });

  it('rule no order out for a purchase that a clock far ahead has dated later than now', () => {
    const ahead = sent({ createdAt: NOON + 3_650 * 86_400_000 });
    const what = known({
      purchases: [dated, ahead],
      listed: new Map([[7, 'S-7']]),
      orders: new Map([['S-7', knownOrder(ownRow, 6, 'ours', 7)]]),
    });
    expect(verdicts(look({ rows: rows(ownRow, order()) }), what)).toContain('1 was bought by O-1 for $10.50');
  });

  it('leave an old order undecided before', () => {
    expect(verdicts(look({ rows: rows(old) }), with1)).toEqual([]);
  });

  it('never rule out an order that names the listing', () => {
    expect(verdicts(look({ rows: rows({ ...old, itemId: '800000001' }) }), with1)).toContain('1 was bought by O-9 for $10.50');
  });
});

describe('an item whose hex id has no letter', () => {
  it('is recognised by it though numbers are known to be listings', () => {
    const plain = { itemId: '2493757696680751' };
    const named = accepted({ id: 7, serviceOrderId: 'S-7', itemId: '00000000000000c7', listingId: '800000007' });
    const ownRow = order({ orderId: 'S-7', itemId: '800000007' });
    const what = known({ purchases: [named, sent(plain)], listed: new Map([[7, 'S-7']]) });
    expect(verdicts(look({ rows: rows(ownRow, order(plain)) }), what)).toContain('1 was bought by O-1 for $10.50');
    expect(verdicts(look({ rows: rows(ownRow, order({ itemId: '2493757696680752' })) }), what)).toContain('O-1 is adopted');
  });
});

describe('a listing that is gone', () => {
  it('proves nothing [money-5]', () => {
    expect(verdicts(look({ listings: gone, balance: 100 }), with1)).toEqual([]);
  });
});
