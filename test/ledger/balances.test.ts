import { describe, expect, it } from 'vitest';
import { JournalFailure } from '../../src/engine/journal.ts';
import { NOON, dollars, listing, wideLimits } from '../support/values.ts';
import { begun, freshFolder, freshLedger, opened, order, outcomes, readBalance, settled, wish } from './support.ts';

describe('the balance', () => {
  it('is reduced by money that is reserved or not yet seen as gone', () => {
    const ledger = freshLedger();
    settled(ledger, begun(ledger, 1), outcomes.unknown());
    settled(ledger, begun(ledger, 2), outcomes.refused());
    settled(ledger, begun(ledger, 3), outcomes.bought('o3'));
    settled(ledger, begun(ledger, 4), outcomes.unsent());
    begun(ledger, 5);
    expect(ledger.holds().map(({ purchaseId, answeredAt }) => [purchaseId, answeredAt])).toEqual([
      [1, undefined],
      [2, undefined],
      [3, NOON + 2],
      [5, undefined],
    ]);
    const refusal = ledger.commitIntent(wish(), { ...wideLimits, unknown: 9, reserve: dollars(947.51) }, NOON + 3);
    expect(refusal).toMatchObject({ reason: 'reserve', detail: '$958.00 free - $10.50 is less than the reserve of $947.51' });
  });

  it('a hundred times too high is not spent from, and its end shows no debit [B22]', () => {
    const ledger = freshLedger();
    const { id } = settled(ledger, begun(ledger, 1), outcomes.bought('o1'));
    readBalance(ledger, 100_000, NOON + 10);
    const refusal = ledger.commitIntent(wish(), { ...wideLimits, reserve: dollars(979.01) }, NOON + 11);
    expect(refusal).toMatchObject({ reason: 'reserve', detail: '$989.50 free - $10.50 is less than the reserve of $979.01' });
    expect(readBalance(ledger, 1_000, NOON + 20)).toEqual([]);
    expect(ledger.holds().map(({ purchaseId }) => purchaseId)).toEqual([id]);
  });

  it('shows a debit by falling, and its hold ends', () => {
    const ledger = freshLedger();
    const { id } = settled(ledger, begun(ledger, 1), outcomes.bought('o1'));
    expect(readBalance(ledger, 1_000, NOON + 10)).toEqual([]);
    expect(readBalance(ledger, 989.5, NOON + 20)).toMatchObject([{ id, debitSeen: true }]);
    expect(ledger.holds()).toEqual([]);
    expect(readBalance(ledger, 979, NOON + 30)).toEqual([]);
  });

  it('shows nothing by a fall that may be that of another who buys with the account', () => {
    const ledger = freshLedger();
    const adopted = { kind: 'order', order: order('theirs'), as: 'adopted', purchaseId: undefined } as const;
    ledger.apply([adopted], NOON + 1);
    settled(ledger, begun(ledger, 1), outcomes.bought('o1'));
    expect(readBalance(ledger, 989.5, NOON + 20)).toEqual([]);
    expect(readBalance(ledger, 989.5, NOON + 60_002)).toMatchObject([{ debitSeen: true }]);
  });

  it('must show a debit within a minute', () => {
    const ledger = freshLedger();
    settled(ledger, begun(ledger, 1), outcomes.bought('o1'), NOON + 2);
    expect(readBalance(ledger, 1_000, NOON + 60_001)).toEqual([]);
    expect(readBalance(ledger, 1_000, NOON + 60_002)).toMatchObject([{ debitSeen: true }]);
  });

  it('counts the minute of what was found bought later from when that was known', () => {
    const ledger = freshLedger();
    const { id } = settled(ledger, begun(ledger, 1), outcomes.unknown(), NOON + 2);
    ledger.apply(
      [{ kind: 'bought', purchaseId: id, order: undefined, transactionId: undefined, paid: undefined, note: '' }],
      NOON + 500_000,
    );
    expect(readBalance(ledger, 1_000, NOON + 520_000)).toEqual([]);
    expect(readBalance(ledger, 1_000, NOON + 560_000)).toMatchObject([{ id, debitSeen: true }]);
  });

  it('never shows money of which nobody knows', () => {
    const ledger = freshLedger();
    settled(ledger, begun(ledger, 1), outcomes.unknown());
    expect(readBalance(ledger, 500, NOON + 900_000)).toEqual([]);
    expect(ledger.holds()).toHaveLength(1);
  });

  it('is not turned back by an answer that was asked for earlier, but by a clock that was set back', () => {
    const ledger = freshLedger();
    readBalance(ledger, 900, NOON + 1_000);
    readBalance(ledger, 950, NOON + 999);
    expect(ledger.balance()).toEqual({ amount: dollars(900), beganAt: NOON + 1_000, endedAt: NOON + 1_001 });
    readBalance(ledger, 800, NOON - 3_600_000);
    expect(ledger.balance()?.amount).toBe(dollars(800));
  });

  it('is still there after a restart, but too old to buy on', () => {
    const folder = freshFolder();
    freshLedger(folder).close();
    const ledger = opened(folder);
    expect(ledger.balance()?.amount).toBe(dollars(1_000));
    expect(ledger.commitIntent(wish(), wideLimits, NOON + 61_000)).toMatchObject({ reason: 'balance-unknown' });
  });

  it('on paper is the whole reading', () => {
    const ledger = freshLedger();
    begun(ledger, 1);
    begun(ledger, 2, NOON + 1, { lane: 'paper' });
    const all = { ...wideLimits, reserve: dollars(989.5) };
    expect(ledger.commitIntent(wish({ lane: 'paper' }), all, NOON + 3)).toMatchObject({ ok: true });
    expect(ledger.commitIntent(wish(), all, NOON + 3)).toMatchObject({ reason: 'reserve' });
  });

  it('a few seconds old is not spent from after a newer one, nor after a restart', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    const second = 1_000;
    const [reserve, at] = [dollars(60), (n: number) => NOON + 120 * second + n * second];
    const wanted = (id: string) => wish({ listing: listing({ id, price: 20, priceWithFee: 20 }) });
    readBalance(ledger, 100, at(0));
    settled(ledger, begun(ledger, 1, at(1), wanted('1')), outcomes.bought('o1'), at(2));
    expect(readBalance(ledger, 80, at(3))).toMatchObject([{ debitSeen: true }]);
    readBalance(ledger, 100, at(5));
    expect([ledger.balance()?.amount, ledger.spendable()?.amount]).toEqual([dollars(100), dollars(80)]);
    settled(ledger, begun(ledger, 2, at(6), wanted('2')), outcomes.bought('o2'), at(7));
    for (let n = 8; n < 60; n++) readBalance(ledger, n % 2 ? 80 : 100, at(n));
    expect(ledger.commitIntent(wanted('3'), { ...wideLimits, reserve }, at(60))).toMatchObject({ reason: 'reserve' });
    ledger.close();
    const again = opened(folder);
    expect(again.commitIntent(wanted('3'), { ...wideLimits, reserve }, at(60))).toMatchObject({ reason: 'reserve' });
    readBalance(again, 60, at(68));
    const refusal = again.commitIntent(wanted('3'), { ...wideLimits, reserve }, at(69));
    expect(refusal).toMatchObject({ detail: '$60.00 free - $20.00 is less than the reserve of $60.00' });
  });

  it('that stands still leaves room for one cent where there is room for one', () => {
    const ledger = freshLedger();
    readBalance(ledger, 10, NOON + 10);
    const limits = { ...wideLimits, reserve: dollars(9.99) };
    const bought = [1, 2, 3].map((n) => {
      const cent = wish({ listing: listing({ id: String(n), price: 0.01, priceWithFee: 0.01 }) });
      const committed = ledger.commitIntent(cent, limits, NOON + n * 1_000);
      if (committed.ok) settled(ledger, committed.purchase, outcomes.bought(`o${n}`), NOON + n * 1_000 + 100);
      readBalance(ledger, 10, NOON + n * 1_000 + 500);
      return committed.ok;
    });
    expect(bought).toEqual([true, false, false]);
  });

  it('that could not be written is not spent from, nor is one that took its place mistaken for it', () => {
    let failing = false;
    const ledger = freshLedger(freshFolder(), (name) => {
      if (failing && name === 'balance:commit') throw new JournalFailure('the disk is full');
    });
    failing = true;
    expect(() => readBalance(ledger, 500, NOON + 10)).toThrow(JournalFailure);
    expect(ledger.spendable()?.amount).toBe(dollars(1_000));
    failing = false;
    readBalance(ledger, 700, NOON + 20);
    expect(ledger.spendable()?.amount).toBe(dollars(700));
  });

  it('that comes in is spent from a minute later', () => {
    const ledger = freshLedger();
    readBalance(ledger, 2_000, NOON + 60_000);
    expect(ledger.spendable()?.amount).toBe(dollars(1_000));
    readBalance(ledger, 2_000, NOON + 60_001);
    expect(ledger.spendable()).toEqual({ amount: dollars(2_000), beganAt: NOON + 60_001, endedAt: NOON + 60_002 });
  });
});
