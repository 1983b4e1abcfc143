import { describe, expect, it } from 'vitest';
import { openReader } from '../../src/ledger/open.ts';
import { NOON, dollars } from '../support/values.ts';
import { begun, freshFolder, freshLedger, order, outcomes, raw, readBalance, settled } from './support.ts';

describe('what an audit asks of the ledger', () => {
  it('is every order under each of its ids, and every transaction that was used', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    settled(ledger, begun(ledger, 1), outcomes.bought('order-1'));
    ledger.apply(
      [
        { kind: 'look', beganAt: NOON + 3, baseTotal: 1 },
        { kind: 'order', order: order('old'), as: 'baseline', purchaseId: undefined },
        { kind: 'order', order: order('strange', { amount: dollars(3) }), as: 'adopted', purchaseId: undefined },
        { kind: 'order', order: order('listed-1'), as: 'ours', purchaseId: 1 },
        { kind: 'paid', purchaseId: 1, paid: dollars(10.5), transactionId: 't1', note: 'its transaction' },
        { kind: 'baseline-transaction', transactionId: 't0' },
      ],
      NOON + 4,
    );
    const opened = openReader(folder);
    if (!opened.ok) throw new Error(opened.fault.message);
    const reader = opened.value;
    expect(reader.ordersSeen()).toEqual([
      { orderId: 'order-1', as: 'ours', purchaseId: 1, amount: dollars(10.5), firstSeen: NOON + 2 },
      { orderId: 'old', as: 'baseline', purchaseId: undefined, amount: dollars(10.5), firstSeen: NOON + 4 },
      { orderId: 'strange', as: 'adopted', purchaseId: undefined, amount: dollars(3), firstSeen: NOON + 4 },
      { orderId: 'listed-1', as: 'ours', purchaseId: 1, amount: dollars(10.5), firstSeen: NOON + 4 },
    ]);
    expect(reader.transactionsUsed()).toEqual([
      { transactionId: 't0', as: 'baseline', purchaseId: undefined },
      { transactionId: 't1', as: 'paid', purchaseId: 1 },
    ]);
    expect(reader.baselineAt()).toBe(NOON + 3);
    reader.close();
  });

  it('is nothing in an empty ledger', () => {
    const ledger = freshLedger();
    expect([ledger.ordersSeen(), ledger.transactionsUsed(), ledger.baselineAt()]).toEqual([[], [], undefined]);
  });

  it('is the first reading of the balance, however many have come since', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    const db = raw(folder);
    db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20100)
      INSERT INTO balances (amount, began_at, ended_at) SELECT 6500000, ${NOON} + i, ${NOON} + i FROM n`);
    readBalance(ledger, 7, NOON + 30_000);
    expect(ledger.firstBalance()).toEqual({ amount: dollars(1_000), beganAt: NOON, endedAt: NOON + 1 });
    expect(db.prepare('SELECT count(*) FROM balances').pluck().get()).toBe(20_001);
    expect(ledger.balance()?.amount).toBe(dollars(7));
  });
});

describe('the alerts about one purchase', () => {
  it('come oldest first, and no others', () => {
    const ledger = freshLedger();
    const alert = { kind: 'stuck', at: NOON, message: 'it stays', next: undefined, purchaseId: 7 } as const;
    ledger.recordAlert(alert);
    ledger.recordAlert({ ...alert, kind: 'key', purchaseId: undefined });
    ledger.recordAlert({ ...alert, kind: 'refund', next: 'look' });
    expect(ledger.alertsOf(7)).toEqual([alert, { ...alert, kind: 'refund', next: 'look' }]);
  });
});
