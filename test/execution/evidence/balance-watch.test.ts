import { describe, expect, it } from 'vitest';
import type { BalanceReading } from '../../../src/domain/readings.ts';
import type { Finding, Known } from '../../../src/engine/evidence.ts';
import { type BalanceWatch, watchBalance } from '../../../src/execution/evidence/balance-watch.ts';
import { NOON, dollars } from '../../support/values.ts';
import { accepted, dedicated, known, minute, order, policy, sent } from '../support/looks.ts';

const reading = (amount: number, at: number): BalanceReading => ({
  amount: dollars(amount),
  beganAt: NOON + at,
  endedAt: NOON + at + 50,
});

/** Readings one after another; what the last one comes to. */
function after(amounts: readonly number[], what: Known, by = policy, findings: readonly Finding[] = []): string[] {
  let watch: BalanceWatch | undefined;
  let said: readonly Finding[] = [];
  for (const [index, amount] of amounts.entries()) {
    const next = watchBalance(watch, reading(amount, index * minute), what, index === 0 ? findings : [], NOON, by);
    [watch, said] = [next.watch, next.findings];
  }
  return said.map((finding) => (finding.kind === 'alert' ? finding.alert.message : finding.kind));
}

const quiet = known({ previousBalance: reading(100, -minute) });

describe('the balance', () => {
  it('that falls without a reason halts a dedicated account once two readings agree [B21 S30]', () => {
    expect(after([80], quiet, dedicated)).toEqual([]);
    expect(after([80, 80], quiet, dedicated)).toEqual(['The balance is $20.00 lower than purchases and orders explain', 'halt']);
    expect(after([80, 80, 80], quiet, dedicated)).toEqual([]);
  });

  it('that falls without a reason is only told of on any other account [B21]', () => {
    expect(after([80, 80], quiet)).toEqual(['The balance is $20.00 lower than purchases and orders explain']);
  });

  it('that was misread once says nothing [B22]', () => {
    expect(after([80, 100, 100], quiet, dedicated)).toEqual([]);
  });

  it('that was misread as a hundred times what it is does not fall when it is read rightly again [B22]', () => {
    expect(after([10_000, 100, 100], quiet, dedicated)).toEqual([]);
    expect(after([10_000, 10_000, 80, 80], quiet, dedicated)).toEqual([
      'The balance is $20.00 lower than purchases and orders explain',
      'halt',
    ]);
    const paidIn = Array.from({ length: 5 }, () => 10_000);
    expect(after([...paidIn, 100, 100], quiet, dedicated)).not.toEqual([]);
  });

  it('may go back and forth between books of different age for a minute after a purchase', () => {
    const seen = (age: number): Known => {
      const at = NOON + minute - age;
      return known({
        purchases: [accepted({ debitSeen: true, createdAt: at, answeredAt: at })],
        previousBalance: reading(89.5, 0),
      });
    };
    expect(after([89.5, 100, 89.5, 89.5], seen(30_000), dedicated)).toEqual([]);
    expect(after([89.5, 100, 89.5, 89.5], seen(9 * minute), dedicated)).not.toEqual([]);
  });

  it('may fall by what our own purchases cost, whenever the service shows it', () => {
    const bought = known({ purchases: [accepted()], previousBalance: reading(100, -minute) });
    expect(after([100, 89.5, 89.5], bought, dedicated)).toEqual([]);
    expect(
      after(
        [89.5, 79, 79],
        known({
          ...bought,
          purchases: [accepted({ debitSeen: true, createdAt: NOON - 9 * minute, answeredAt: NOON - 9 * minute })],
        }),
        dedicated,
      ),
    ).not.toEqual([]);
  });

  it('may fall by orders that were adopted', () => {
    const adopted: Finding = { kind: 'order', order: order({ amount: dollars(20) }), as: 'adopted', purchaseId: undefined };
    expect(after([80, 80], quiet, dedicated, [adopted])).toEqual([]);
  });

  it('is not judged while money is reserved', () => {
    expect(after([80, 80, 80], known({ purchases: [sent()], previousBalance: reading(100, -minute) }), dedicated)).toEqual([]);
  });

  it('may rise, and falls from there [B20]', () => {
    expect(after([150, 150], quiet, dedicated)).toEqual([]);
    expect(after([150, 120, 120], quiet, dedicated)).toHaveLength(2);
  });

  it('of an account that was never read before is where it begins', () => {
    expect(after([5, 5], known({ previousBalance: undefined }), dedicated)).toEqual([]);
  });
});
