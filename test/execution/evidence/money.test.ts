import { describe, expect, it } from 'vitest';
import type { Purchase } from '../../../src/domain/purchase.ts';
import type { Known, TransactionSeen } from '../../../src/engine/evidence.ts';
import { judge } from '../../../src/execution/evidence/judge.ts';
import { NOON, dollars } from '../../support/values.ts';
import {
  accepted,
  known,
  knownOrder,
  look,
  minute,
  oldOrders,
  order,
  policy,
  refused,
  sent,
  transaction,
  verdicts,
} from '../support/looks.ts';

const row = order({ orderId: 'S-1' });

function followed(purchases: readonly Purchase[], more: Partial<Known> = {}): Known {
  return known({
    purchases,
    listed: new Map(purchases.filter(({ state }) => state !== 'unknown').map(({ id }) => [id, `S-${id}`])),
    orders: new Map([['S-1', knownOrder(row, 6, 'ours', 1)]]),
    ownCount: 1,
    ...more,
  });
}

const pending = accepted({ orderStatus: 'PENDING' });
const twin = accepted({ id: 2, serviceOrderId: 'S-2', listingId: '800000002', wear: 0.3, createdAt: NOON + 1 });
const seen = (...transactions: TransactionSeen[]) => look({ rows: [...oldOrders, row], transactions, at: NOON + 3 * minute });

describe('a debit', () => {
  it('books the purchase whose wear it shows', () => {
    expect(verdicts(seen(transaction({ float: 0.3 }), transaction({ transactionId: 'T-2' })), followed([pending, twin]))).toEqual(
      ['2 cost $10.50 by T-1', '1 cost $10.50 by T-2'],
    );
  });

  it('books the oldest of equal purchases when it shows no wear', () => {
    expect(verdicts(seen(transaction({ float: undefined })), followed([pending, twin]))).toEqual(['1 cost $10.50 by T-1']);
  });

  it('of a listing that was refused and bought at the next try is that of the next try, whether it shows the wear or not', () => {
    const before = refused({ id: 2, createdAt: NOON - minute, answeredAt: NOON - minute, held: false, refusalCause: 'owner' });
    for (const float of [0.2, undefined]) {
      expect(verdicts(seen(transaction({ float })), followed([pending, before]))).toEqual(['1 cost $10.50 by T-1']);
    }
  });

  it('does not wait for one exactly alike that looks have confirmed as refused, which would have a debit of its own', () => {
    const alike = refused({ id: 2, listingId: '800000002', wear: undefined, held: false });
    const blind = seen(transaction({ float: undefined }));
    expect(verdicts(blind, followed([pending, alike]))).toEqual(['1 cost $10.50 by T-1']);
    expect(verdicts(blind, followed([pending, { ...alike, held: true }]))).not.toContain('1 cost $10.50 by T-1');
  });

  it('of what was bought does not wait for a confirmed refusal whose price without the fee is just what it cost', () => {
    const given = { id: 2, listingId: '800000002', wear: undefined, held: false, priceMicros: dollars(10.5), cost: dollars(11) };
    const dearer = followed([pending, refused(given)]);
    const blind = (price: number | undefined) =>
      seen(transaction({ float: undefined, price: price === undefined ? undefined : dollars(price) }));
    expect(verdicts(blind(10), dearer)).toEqual(['1 cost $10.50 by T-1']);
    expect(verdicts(blind(10.5), dearer)).toEqual([]);
    expect(verdicts(blind(undefined), dearer)).toEqual([]);
  });

  it('is that of the one which it shows in full, whichever is older', () => {
    const older = { ...twin, wear: undefined, createdAt: NOON - minute, priceMicros: dollars(10.5), cost: dollars(11) };
    const shown = seen(transaction({ float: undefined, price: dollars(10), amount: dollars(10.5) }));
    expect(verdicts(shown, followed([older, pending]))).toEqual(['1 cost $10.50 by T-1']);
  });

  it('is left alone while it may be that of an unknown purchase', () => {
    const unknown = sent({ id: 2, listingId: '800000002', wear: undefined });
    expect(verdicts(seen(transaction({ float: undefined })), followed([pending, unknown]))).toEqual([]);
  });

  it('of nothing says nothing, as long as it is pending', () => {
    expect(verdicts(seen(transaction({ status: 'pending', amount: dollars(0) })), followed([pending]))).toEqual([]);
  });

  it('of more than a cent above what was expected is booked as it is, and halts [M17 B14]', () => {
    expect(verdicts(seen(transaction({ amount: dollars(10.52) })), followed([pending]))).toEqual([
      '1 cost $10.52 by T-1',
      'alert debit (1)',
      'halt',
    ]);
  });

  it('halts only once when the order had shown it already', () => {
    const dear = transaction({ amount: dollars(12) });
    expect(verdicts(seen(dear), followed([{ ...pending, paid: dollars(12) }]))).toEqual(['1 cost $12.00 by T-1']);
  });

  it('below what was expected is believed', () => {
    expect(verdicts(seen(transaction({ amount: dollars(10.4) })), followed([pending]))).toEqual(['1 cost $10.40 by T-1']);
  });

  it('shown without the fee books what was expected', () => {
    expect(verdicts(seen(transaction({ amount: dollars(10) })), followed([pending]))).toEqual(['1 cost $10.50 by T-1']);
  });

  it('serves once', () => {
    expect(verdicts(seen(transaction()), followed([pending], { usedTransactions: new Set(['T-1']) }))).toEqual([]);
    expect(verdicts(seen(transaction(), transaction({ transactionId: 'T-2' })), followed([pending]))).toEqual([
      '1 cost $10.50 by T-1',
      "T-2 is nobody's",
    ]);
    expect(
      verdicts(seen(transaction({ transactionId: 'T-2' })), followed([pending], { booked: new Map([[1, undefined]]) })),
    ).toEqual(["T-2 is nobody's"]);
  });

  it('of an item that is no purchase of ours is put aside, and so is a deposit [B20]', () => {
    const foreign = transaction({ itemId: 'ffffffffffffffff', float: undefined });
    const deposit = transaction({ transactionId: 'T-2', type: 'deposit', amount: dollars(500) });
    expect(verdicts(seen(foreign, deposit), followed([pending]))).toEqual(["T-1 is nobody's", "T-2 is nobody's"]);
  });
});

describe('a refund', () => {
  const failed = { ...pending, orderStatus: 'FAILED' };
  const failedRow = { ...row, statusCode: 'FAILED' };
  const refund = (given: Partial<TransactionSeen> = {}) =>
    transaction({ transactionId: 'R-1', type: 'refund', timestampMs: NOON + 2 * minute, ...given });
  const after = (what: Known, ...transactions: TransactionSeen[]) =>
    verdicts(look({ rows: [...oldOrders, failedRow], transactions, at: NOON + 3 * minute }), what);

  it('is the whole of one purchase rather than the rest of another that is owed as much', () => {
    const rest = { ...failed, state: 'refunded' as const, refunded: dollars(4), wear: undefined };
    const whole = { ...twin, orderStatus: 'FAILED', cost: dollars(6.5), priceMicros: dollars(6), wear: undefined };
    const blind = refund({ float: undefined, amount: dollars(6.5) });
    expect(after(followed([rest, whole]), blind)).toEqual(['2 gets $6.50 back by R-1', 'alert refund (2)']);
  });

  it('that failed or is still to come gives nothing back, and is evidence once it has come', () => {
    const broken = followed([failed]);
    for (const status of ['failed', 'Cancelled', 'pending']) expect(after(broken, refund({ status }))).toEqual([]);
    for (const status of ['completed', undefined, 'SETTLED_V2'])
      expect(after(broken, refund({ status }))).toEqual(['1 gets $10.50 back by R-1', 'alert refund (1)']);
  });

  it('keeps when the service says it was booked, unless its dates have proved untrue', () => {
    const bookedAt = (dated: number) => {
      const rows = [...oldOrders, { ...row, timestampMs: dated }];
      const at = look({ rows, transactions: [refund()], at: NOON + 3 * minute });
      return judge(at, followed([failed]), at.endedAt, policy).flatMap((one) => (one.kind === 'refund' ? [one.bookedAt] : []));
    };
    expect(bookedAt(NOON)).toEqual([NOON + 2 * minute]);
    expect(bookedAt(NOON - 600 * minute)).toEqual([undefined]);
  });

  it('comes back for a failed order when its transaction is seen', () => {
    expect(after(followed([failed]), refund({ float: undefined }))).toEqual(['1 gets $10.50 back by R-1', 'alert refund (1)']);
  });

  it('comes back for a completed purchase that was reverted [B7]', () => {
    expect(after(followed([{ ...failed, state: 'completed' }]), refund())).toEqual([
      '1 gets $10.50 back by R-1',
      'alert refund (1)',
    ]);
  });

  it('is believed before the order says anything when it shows the wear', () => {
    expect(verdicts(seen(refund()), followed([pending]))).toEqual(['1 gets $10.50 back by R-1', 'alert refund (1)']);
    expect(verdicts(seen(refund({ float: undefined })), followed([pending]))).toEqual([]);
  });

  it('in parts adds up; what is too much is told, and kept because it is in the balance [B8]', () => {
    expect(after(followed([failed]), refund({ amount: dollars(4) }))).toEqual(['1 gets $4.00 back by R-1', 'alert refund (1)']);
    const half = { ...failed, state: 'refunded' as const, refunded: dollars(4) };
    expect(after(followed([half]), refund({ amount: dollars(6.5) }))).toEqual(['1 gets $6.50 back by R-1', 'alert refund (1)']);
    expect(after(followed([half]), refund({ amount: dollars(10.5) }))).toEqual(['1 gets $10.50 back by R-1', 'alert refund (1)']);
    expect(after(followed([failed]), refund(), refund({ transactionId: 'R-2' }))).toEqual([
      '1 gets $10.50 back by R-1',
      'alert refund (1)',
      '1 gets $10.50 back by R-2',
      'alert refund (1)',
    ]);
  });

  it('twice is told, and the same transaction counts once [B8 B16]', () => {
    const whole = { ...failed, state: 'refunded' as const, refunded: dollars(10.5) };
    expect(after(followed([whole]), refund())).toEqual(['1 gets $10.50 back by R-1', 'alert refund (1)']);
    expect(after(followed([failed], { usedTransactions: new Set(['R-1']) }), refund())).toEqual([]);
  });

  it('comes back though the machine’s clock goes fast by minutes, and not when it is from long before [P25]', () => {
    const fast = followed([{ ...failed, createdAt: NOON + 3 * minute, answeredAt: NOON + 3 * minute }]);
    const at = (timestampMs: number): string[] => after(fast, refund({ float: undefined, timestampMs }));
    expect(at(NOON + minute)).toEqual(['1 gets $10.50 back by R-1', 'alert refund (1)']);
    expect(at(NOON - 20 * minute)).toEqual(["R-1 is nobody's"]);
  });

  it('twice is told once nothing else can be meant, though the same item was bought again', () => {
    const whole = { ...failed, state: 'refunded' as const, refunded: dollars(10.5), wear: undefined };
    const both = followed([whole, { ...twin, wear: undefined, orderStatus: 'COMPLETED', state: 'completed' }]);
    const blind = refund({ float: undefined, timestampMs: NOON + minute });
    const seenAt = (at: number): string[] => verdicts(look({ rows: [...oldOrders, failedRow], transactions: [blind], at }), both);
    expect(seenAt(NOON + 3 * minute)).toEqual([]);
    expect(seenAt(NOON + 12 * minute)).toEqual(['1 gets $10.50 back by R-1', 'alert refund (1)']);
  });

  it('goes to the purchase whose wear it shows, else to the oldest of equals', () => {
    const two = followed([failed, { ...twin, orderStatus: 'REVERTED' }]);
    expect(after(two, refund({ float: 0.3 }))).toEqual(['2 gets $10.50 back by R-1', 'alert refund (2)']);
    expect(after(two, refund({ float: undefined }))).toEqual(['1 gets $10.50 back by R-1', 'alert refund (1)']);
  });

  it('that names its listing goes there, whatever came first, and the one that names none to the other of equals', () => {
    const two = followed([
      { ...failed, wear: undefined },
      { ...twin, wear: undefined, orderStatus: 'FAILED' },
    ]);
    const blind = refund({ float: undefined, itemId: failed.itemId });
    const named = refund({ float: undefined, itemId: failed.listingId, transactionId: 'R-2' });
    const each = ['1 gets $10.50 back by R-2', 'alert refund (1)', '2 gets $10.50 back by R-1', 'alert refund (2)'];
    expect(after(two, blind, named)).toEqual(each);
    expect(after(two, named, blind)).toEqual(each);
  });

  it('twice whose wear it shows is not for another to which nearly as much is due', () => {
    const other = { ...twin, orderStatus: 'FAILED' };
    const dearer = { ...other, cost: dollars(10.51), priceMicros: dollars(10.01) };
    const once = refund({ float: 0.2 });
    const again = refund({ float: 0.2, transactionId: 'R-2', timestampMs: NOON + 2.5 * minute });
    const part = refund({ float: 0.3, transactionId: 'R-3', amount: dollars(2), timestampMs: NOON + 2.8 * minute });
    for (const equal of [other, dearer]) {
      const said = after(followed([failed, equal]), once, again, part).filter((words) => words.includes('gets'));
      expect(said).toEqual(['1 gets $10.50 back by R-1', '1 gets $10.50 back by R-2', '2 gets $2.00 back by R-3']);
    }
  });

  it('that names a listing whose money has come shows that the one before it was for the other of equals', () => {
    const two = followed([
      { ...failed, wear: undefined, state: 'refunded', refunded: dollars(10.5) },
      { ...twin, wear: undefined, orderStatus: 'FAILED' },
    ]);
    const named = refund({ float: undefined, itemId: failed.listingId, transactionId: 'R-2' });
    expect(after(two, named)).toEqual(['2 gets $10.50 back by R-2', 'alert refund (2)']);
  });

  it('of exactly what an undecided purchase costs is not taken for another’s that costs a cent less', () => {
    const cheaper = { ...failed, wear: undefined, cost: dollars(10.49) };
    const open = { ...twin, id: 3, wear: undefined, state: 'rejected' as const, held: true, serviceOrderId: undefined };
    const blind = refund({ float: undefined });
    expect(after(followed([cheaper, open]), blind)).toEqual([]);
    expect(after(followed([cheaper]), blind).slice(0, 1)).toEqual(['1 gets $10.50 back by R-1']);
  });

  it('of a part of what an undecided purchase costs is not taken for what another got before, once more', () => {
    const whole = { ...failed, wear: undefined, state: 'refunded' as const, refunded: dollars(10.5) };
    const open = sent({ id: 2, listingId: '800000002', wear: undefined, createdAt: NOON + 1 });
    const part = refund({ float: undefined, amount: dollars(9) });
    expect(after(followed([whole, open]), part).join()).not.toContain('back by R-1');
    expect(after(followed([whole, { ...open, cost: dollars(8) }]), part)).toContain('1 gets $9.00 back by R-1');
    expect(after(followed([whole]), part)).toContain('1 gets $9.00 back by R-1');
  });

  it('that names one in doubt, or refused a moment ago, waits for that one, however much is due to another', () => {
    const due = { ...failed, wear: undefined };
    const named = refund({ float: undefined, itemId: '800000002' });
    const doubtful = sent({ id: 2, listingId: '800000002', wear: undefined, createdAt: NOON + 1 });
    const confirmed = refused({ id: 2, listingId: '800000002', wear: undefined, createdAt: NOON + 1, held: false });
    expect(after(followed([due, doubtful]), named).join()).not.toContain('back by R-1');
    const late = look({ rows: [...oldOrders, failedRow], transactions: [named], at: NOON + 20 * minute });
    const what = followed([due, confirmed], { listed: new Map([[1, 'S-1']]) });
    expect(after(what, named).join()).not.toContain('back by R-1');
    expect(verdicts(late, what)).toContain('1 gets $10.50 back by R-1');
  });

  it('that names one in doubt waits for that one, also where it names one that has had all of its money back', () => {
    const had = { ...failed, state: 'refunded' as const, refunded: dollars(10.5) };
    const again = sent({ id: 2, listingId: '800000002', createdAt: NOON + minute });
    const refunds = new Map([[1, [{ amount: dollars(10.5), bookedAt: NOON + minute }]]]);
    const before = refund({ transactionId: 'R-0', timestampMs: NOON + minute });
    const what = { refunds, usedTransactions: new Set(['R-0']) };
    const waits = followed([had, again], what);
    expect(after(waits, before, refund()).join()).not.toContain('back by R-1');
    const bought = { ...again, state: 'bought' as const, orderStatus: 'FAILED' };
    expect(after(followed([had, bought], what), before, refund())).toContain('2 gets $10.50 back by R-1');
  });

  it('without a date that names a refusal waits while that refusal is fresh, not for as long as it is known', () => {
    const due = { ...failed, wear: undefined };
    const disproved = refused({ id: 2, listingId: '800000002', held: false, wasUnknown: true });
    const at = (ms: number): string[] => {
      const seenAt = look({ rows: [...oldOrders, failedRow], transactions: [refund({ timestampMs: undefined })], at: NOON + ms });
      return verdicts(seenAt, followed([due, disproved], { listed: new Map([[1, 'S-1']]) }));
    };
    expect(at(3 * minute).join()).not.toContain('back by R-1');
    expect(at(20 * minute)).toContain('1 gets $10.50 back by R-1');
  });

  it('of just what a refusal would have cost is not what another got before, once more, while that refusal may turn out bought', () => {
    const whole = { ...failed, wear: undefined, state: 'refunded' as const, refunded: dollars(10.5) };
    const confirmed = refused({
      id: 2,
      listingId: '800000002',
      wear: undefined,
      createdAt: NOON + 1,
      held: false,
      cost: dollars(9),
    });
    const what = followed([whole, confirmed], { listed: new Map([[1, 'S-1']]) });
    const back = refund({ float: undefined, amount: dollars(9) });
    expect(after(what, back).join()).not.toContain('back by R-1');
    expect(after(what, { ...back, amount: dollars(8) })).toContain('1 gets $8.00 back by R-1');
    const late = look({ rows: [...oldOrders, failedRow], transactions: [back], at: NOON + 20 * minute });
    expect(verdicts(late, what)).toContain('1 gets $9.00 back by R-1');
  });

  it('that names nobody is not for a purchase whose order was made after it, by dates that have proved true', () => {
    const blind = (timestampMs: number) => refund({ float: undefined, timestampMs });
    const madeAt = (orderedAt: number, ...transactions: TransactionSeen[]) => {
      const rows = [...oldOrders, { ...failedRow, timestampMs: orderedAt }];
      return verdicts(look({ rows, transactions, at: NOON + 3 * minute }), followed([failed])).join();
    };
    expect(madeAt(NOON, blind(NOON - 30 * 1_000))).not.toContain('back by R-1');
    expect(madeAt(NOON, blind(NOON - 1_000))).toContain('1 gets $10.50 back by R-1');
    expect(madeAt(NOON, refund({ timestampMs: NOON - 30 * 1_000 }))).toContain('1 gets $10.50 back by R-1');
    expect(madeAt(NOON - 600 * minute, blind(NOON - 30 * 1_000))).toContain('1 gets $10.50 back by R-1');
  });

  it('of exactly what another cost is not taken for one to which less is due, though no look has shown yet that the other failed', () => {
    const rest = { ...failed, state: 'refunded' as const, refunded: dollars(2), wear: undefined };
    const whole = { ...twin, cost: dollars(10), paid: dollars(10), wear: undefined };
    const blind = refund({ float: undefined, amount: dollars(10) });
    expect(after(followed([rest, whole]), blind)).toEqual([]);
    const shown = followed([rest, { ...whole, orderStatus: 'FAILED' }]);
    expect(after(shown, blind)).toEqual(['2 gets $10.00 back by R-1', 'alert refund (2)']);
    const done = followed([rest, { ...whole, state: 'completed' }]);
    expect(after(done, blind)).toEqual([]);
  });

  it('of more than is due to the only one that waits is rather what another got before, once more', () => {
    const rest = { ...failed, state: 'refunded' as const, refunded: dollars(5), wear: undefined };
    const whole = { ...twin, cost: dollars(11), paid: dollars(11), wear: undefined, orderStatus: 'REVERTED' };
    const blind = refund({ float: undefined, amount: dollars(11) });
    const back = followed([rest, { ...whole, state: 'refunded', refunded: dollars(11) }]);
    expect(after(back, blind)).toEqual(['2 gets $11.00 back by R-1', 'alert refund (2)']);
    expect(after(followed([rest]), blind)[0]).toEqual('1 gets $11.00 back by R-1');
  });

  it('in part is left alone while it could be for either of two', () => {
    const two = followed([failed, { ...twin, orderStatus: 'REVERTED' }]);
    expect(after(two, refund({ float: undefined, amount: dollars(3) }))).toEqual([]);
  });

  it('in part is that of the one to which so much is due, unless it may be what the other got, twice', () => {
    const rest = { ...twin, orderStatus: 'REVERTED', state: 'refunded' as const, refunded: dollars(8) };
    const two = followed([failed, rest], { refunds: new Map([[2, [{ amount: dollars(8) }]]]) });
    const blind = (amount: number) => after(two, refund({ float: undefined, amount: dollars(amount) }));
    expect(blind(6)).toEqual(['1 gets $6.00 back by R-1', 'alert refund (1)']);
    expect(blind(8)).toEqual([]);
  });

  it('in part is, when nothing more has come for long, that of the one to which nothing has, unless another had just as much before', () => {
    const seenAt = (at: number, had: number): string[] => {
      const rest: Purchase = { ...twin, orderStatus: 'REVERTED', state: 'refunded', refunded: dollars(had) };
      const blind = refund({ float: undefined, amount: dollars(2), timestampMs: NOON + minute });
      const refunds = new Map([[2, [{ amount: dollars(had) }]]]);
      return verdicts(
        look({ rows: [...oldOrders, failedRow], transactions: [blind], at }),
        followed([failed, rest], { refunds }),
      );
    };
    expect(seenAt(NOON + 3 * minute, 8)).toEqual([]);
    expect(seenAt(NOON + 12 * minute, 8)).toEqual(['1 gets $2.00 back by R-1', 'alert refund (1)']);
    expect(seenAt(NOON + 12 * minute, 2)).toEqual([]);
    expect(seenAt(NOON + 3 * minute, 8.5)).toEqual(['2 gets $2.00 back by R-1', 'alert refund (2)']);
  });

  it('in part that could be for either of two is, when nothing more has come for long, that of the older', () => {
    const two = followed([failed, { ...twin, orderStatus: 'FAILED' }]);
    const seenAt = (at: number): string[] => {
      const blind = refund({ float: undefined, amount: dollars(2), timestampMs: NOON + minute });
      return verdicts(look({ rows: [...oldOrders, failedRow], transactions: [blind], at }), two);
    };
    expect(seenAt(NOON + 3 * minute)).toEqual([]);
    expect(seenAt(NOON + 12 * minute)).toEqual(['1 gets $2.00 back by R-1', 'alert refund (1)']);
  });

  it('in part is that of the one to which nothing has come, where another had just as much at another time', () => {
    const rest: Purchase = { ...twin, orderStatus: 'REVERTED', state: 'refunded', refunded: dollars(2) };
    const at = (before: number | undefined, seenAt: number): string[] => {
      const refunds = new Map([[2, [{ amount: dollars(2), bookedAt: before }]]]);
      const blind = refund({ float: undefined, amount: dollars(2), timestampMs: NOON + 2 * minute });
      const shown = look({ rows: [...oldOrders, failedRow], transactions: [blind], at: seenAt });
      return verdicts(shown, followed([failed, rest], { refunds }));
    };
    const [soon, late] = [NOON + 3 * minute, NOON + 13 * minute];
    expect(at(NOON + minute, late)).toEqual(['1 gets $2.00 back by R-1', 'alert refund (1)']);
    expect(at(NOON + 2 * minute - 1_000, soon), 'a second before: the same money again').toEqual([
      '2 gets $2.00 back by R-1',
      'alert refund (2)',
    ]);
    expect(at(undefined, late), 'nobody knows when').toEqual([]);
  });

  it('of what another got a second before is that once more, whoever else waits for more', () => {
    const whole = { ...failed, wear: undefined, state: 'refunded' as const, refunded: dollars(10.5) };
    const dearer = { ...twin, wear: undefined, orderStatus: 'FAILED', cost: dollars(11), priceMicros: dollars(10.5) };
    const had = (bookedAt: number): string[] => {
      const refunds = new Map([[1, [{ amount: dollars(10.5), bookedAt }]]]);
      return after(followed([whole, dearer], { refunds }), refund({ float: undefined }));
    };
    expect(had(NOON + 2 * minute - 1_000)).toEqual(['1 gets $10.50 back by R-1', 'alert refund (1)']);
    expect(had(NOON + minute)).toEqual(['2 gets $10.50 back by R-1', 'alert refund (2)']);
  });

  it('of more than is due to any whose order failed waits for another of the goods, whose order may have failed unseen', () => {
    const rest = { ...failed, wear: undefined, state: 'refunded' as const, refunded: dollars(8.5) };
    const blind = refund({ float: undefined, amount: dollars(8), timestampMs: NOON + 2 * minute });
    const seenAt = (at: number, orderStatus: string): string[] =>
      verdicts(
        look({ rows: [...oldOrders, failedRow], transactions: [blind], at }),
        followed([rest, { ...twin, wear: undefined, orderStatus }]),
      );
    expect(seenAt(NOON + 3 * minute, 'PENDING')).toEqual([]);
    expect(seenAt(NOON + 3 * minute, 'FAILED')).toEqual(['2 gets $8.00 back by R-1', 'alert refund (2)']);
    expect(seenAt(NOON + 13 * minute, 'PENDING')).toEqual(['1 gets $8.00 back by R-1', 'alert refund (1)']);
  });

  it('of exactly what another got before is rather that once more than the money of one to which a cent more is due', () => {
    const whole = { ...failed, wear: undefined, state: 'refunded' as const, refunded: dollars(10.5) };
    const dearer = { ...twin, wear: undefined, orderStatus: 'FAILED', cost: dollars(10.51), priceMicros: dollars(10.01) };
    const blind = (amount: number): string[] =>
      after(followed([whole, dearer]), refund({ float: undefined, amount: dollars(amount) }));
    expect(blind(10.5)).toEqual(['1 gets $10.50 back by R-1', 'alert refund (1)']);
    expect(blind(10.51)).toEqual(['2 gets $10.51 back by R-1', 'alert refund (2)']);
    expect(blind(10.52)).toEqual(['2 gets $10.52 back by R-1', 'alert refund (2)']);
  });

  it('waits for a purchase of which nobody knows yet that it was bought', () => {
    for (const state of ['intended', 'unknown', 'rejected'] as const) {
      const open = sent({ state, held: state === 'rejected', listingId: '800000009', itemId: '00000000000000aa', wear: 0.5 });
      const early = refund({ itemId: '00000000000000aa', float: 0.5 });
      expect(after(known({ purchases: [open] }), early)).not.toContain("R-1 is nobody's");
    }
  });

  it('of an item that we never bought is put aside', () => {
    expect(after(followed([failed]), refund({ itemId: 'ffffffffffffffff' }))).toEqual(["R-1 is nobody's"]);
  });
});

describe('an order that is no purchase of ours', () => {
  const booked = (transactionId: string, price: number, amount: number, at: number) =>
    transaction({ transactionId, price: dollars(price), amount: dollars(amount), float: undefined, timestampMs: at });
  const counted = (row: { readonly amount: number; readonly timestampMs: number | undefined }, booked: TransactionSeen[]) =>
    judge(
      look({ rows: [...oldOrders, order({ ...row, amount: dollars(row.amount) })], transactions: booked, at: NOON + 3 * minute }),
      known(),
      NOON + 3 * minute,
      policy,
    ).flatMap((one) => (one.kind === 'order' && one.as === 'adopted' ? [one.order.amount] : []));

  it('counts as what was debited, though its row shows the price without the fee', () => {
    expect(counted({ amount: 10, timestampMs: NOON }, [booked('T-1', 10, 10.5, NOON)])).toEqual([dollars(10.5)]);
  });

  it('counts as the debit that was booked with it, though another of the same item cost its amount without the fee', () => {
    const both = [booked('T-1', 10, 10.5, NOON), booked('T-2', 10.5, 11.03, NOON + minute)];
    for (const transactions of [both, both.toReversed()]) {
      expect(counted({ amount: 10.5, timestampMs: NOON }, transactions)).toEqual([dollars(10.5)]);
      expect(counted({ amount: 10.5, timestampMs: NOON + minute }, transactions)).toEqual([dollars(11.03)]);
    }
  });

  it('counts as the greatest that it may have cost where dates say nothing', () => {
    const both = [booked('T-1', 10, 10.5, NOON), booked('T-2', 10.5, 11.03, NOON + minute)];
    expect(counted({ amount: 10.5, timestampMs: undefined }, both)).toEqual([dollars(11.03)]);
  });
});
