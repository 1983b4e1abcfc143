import { describe, expect, it } from 'vitest';
import type { BalanceReading } from '../../../src/domain/readings.ts';
import type { Finding, Known } from '../../../src/engine/evidence.ts';
import { type BalanceWatch, watchBalance } from '../../../src/execution/evidence/balance-watch.ts';
import { NOON, dollars } from '../../support/values.ts';
import { accepted, dedicated, known, minute, order, policy, refused, sent } from '../support/looks.ts';

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
    expect(after([600, ...paidIn, 100, 100], quiet, dedicated), 'paid in twice').not.toEqual([]);
    expect(after([...paidIn.slice(1), 1_000_000, 10_000, 10_000], quiet, dedicated)).toEqual([]);
    expect(after([...paidIn, 100, 100], quiet, dedicated)).not.toEqual([]);
  });

  it('that was misread a hundred times too high, yet little above what was read before much was spent, does not fall afterwards [B22]', () => {
    const spent = known({
      purchases: [accepted({ cost: dollars(96), createdAt: NOON, answeredAt: NOON })],
      previousBalance: reading(100, -minute),
    });
    expect(after([400, 4, 4], spent, dedicated)).toEqual([]);
    expect(after([400, 400, 4, 4], spent, dedicated), 'a rise that two readings show is one').toContain('halt');
    expect(after([400, 3.9, 3.9], spent, dedicated), 'ten cents more are missing').toContain('halt');
    expect(after([150, 100, 100], quiet, dedicated), 'back where it was').toEqual([]);
    expect(after([150, 120, 120], quiet, dedicated), 'above it: something was paid in, and something is gone').toContain('halt');
    const adopted: Finding = { kind: 'order', order: order({ amount: dollars(20) }), as: 'adopted', purchaseId: undefined };
    expect(after([150, 80, 80], quiet, dedicated, [adopted])).toEqual([]);
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
    expect(after([89.5, 100, 100, 89.5, 89.5], seen(9 * minute), dedicated)).not.toEqual([]);
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

  it('may fall by what turns out bought, though the reading from which it fell is younger than that', () => {
    const inDoubt = sent({ createdAt: NOON - 4_000, answeredAt: NOON - 2_000 });
    const refusal = sent({ ...inDoubt, id: 2, state: 'rejected', wasUnknown: false, refusalCause: 'gone' });
    for (const doubtful of [inDoubt, refusal]) {
      const first = known({ purchases: [doubtful], previousBalance: reading(100, -1_000) });
      const { watch } = watchBalance(undefined, reading(100, 0), first, [], NOON, dedicated);
      const turnedOut = known({ purchases: [{ ...doubtful, state: 'bought', debitSeen: true }] });
      const once = watchBalance(watch, reading(89.5, minute), turnedOut, [], NOON, dedicated);
      expect(watchBalance(once.watch, reading(89.5, 2 * minute), turnedOut, [], NOON, dedicated).findings).toEqual([]);
      const further = watchBalance(once.watch, reading(80, 2 * minute), turnedOut, [], NOON, dedicated);
      expect(watchBalance(further.watch, reading(80, 3 * minute), turnedOut, [], NOON, dedicated).findings).toHaveLength(2);
    }
  });

  it('may fall by a purchase that was made after the clock was set back, while another kept readings from being judged [P25]', () => {
    const ahead = reading(100, 60 * minute);
    const inDoubt = sent();
    const since = accepted({ id: 2, debitSeen: true, createdAt: NOON, answeredAt: NOON, listingId: '2' });
    const doubted = watchBalance(
      undefined,
      reading(100, 0),
      { ...quiet, purchases: [inDoubt], previousBalance: ahead },
      [],
      NOON,
      dedicated,
    );
    const settled = {
      ...quiet,
      purchases: [{ ...inDoubt, state: 'rejected' as const, held: false }, since],
      previousBalance: ahead,
    };
    const readAgain = (watch: BalanceWatch, amount: number) => {
      const first = watchBalance(watch, reading(amount, 5 * minute), settled, [], NOON + 5 * minute, dedicated);
      return watchBalance(first.watch, reading(amount, 6 * minute), settled, [], NOON + 6 * minute, dedicated).findings;
    };
    expect(readAgain(doubted.watch, 89.5)).toEqual([]);
    expect(readAgain(doubted.watch, 79)).toHaveLength(2);
  });

  it('halts a dedicated account also where it falls by just what a refusal of the last minutes cost: no order says that it was that one', () => {
    const confirmed = refused({ held: false, cost: dollars(10.5), answeredAt: NOON - 5 * minute });
    expect(after([89.5, 89.5], { ...quiet, purchases: [confirmed] }, dedicated)).toContain('halt');
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
