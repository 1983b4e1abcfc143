import { describe, expect, it } from 'vitest';
import { NOON, dollars, wideLimits } from '../support/values.ts';
import { begun, freshFolder, freshLedger, opened, outcomes, readBalance, settled, wish } from './support.ts';

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
});
