import { describe, expect, it } from 'vitest';
import {
  BALANCE_LAG_MS,
  READINGS_TELLING,
  available,
  believedReading,
  debitsShown,
  reachBack,
  spendableReading,
} from '../../src/risk/balance.ts';
import { NOON, dollars } from '../support/values.ts';

const reading = (amount: number, beganAt: number) => ({ amount: dollars(amount), beganAt, endedAt: beganAt + 50 });
const hold = (purchaseId: number, amount: number, answeredAt: number | undefined) => ({
  purchaseId,
  amount: dollars(amount),
  answeredAt,
});

describe('the balance', () => {
  it('is the last reading minus every hold it does not show as gone', () => {
    expect(available(reading(100, NOON), [hold(1, 10, undefined), hold(2, 5.5, NOON + 1)])).toBe(dollars(84.5));
  });

  it('shows a debit when it began after the answer and fell by just as much', () => {
    const before = [reading(100, NOON)];
    const held = [hold(1, 10, NOON + 1_000)];
    expect(debitsShown(before, reading(90, NOON + 2_000), held, true)).toEqual([1]);
    expect(debitsShown(before, reading(90, NOON + 500), held, true)).toEqual([]);
    expect(debitsShown(before, reading(85, NOON + 2_000), held, true), 'somebody else’s, and ours may still come').toEqual([]);
  });

  it('shows it where what else of ours is on its way has gone along', () => {
    const before = [reading(100, NOON)];
    const [unknown, later] = [hold(2, 7, undefined), hold(3, 5, NOON + 3_000)];
    const shownAt = (amount: number) =>
      debitsShown(before, reading(amount, NOON + 2_000), [hold(1, 10, NOON + 1_000), unknown, later], true);
    expect([90, 83, 85, 78].map(shownAt)).toEqual([[1], [1], [1], [1]]);
    expect([91, 84, 80, 77].map(shownAt)).toEqual([[], [], [], []]);
  });

  it('shows none by falling where others are known to buy', () => {
    const [before, held] = [[reading(100, NOON)], [hold(1, 10, NOON + 1_000)]];
    expect(debitsShown(before, reading(90, NOON + 2_000), held, false)).toEqual([]);
    expect(debitsShown(before, reading(90, NOON + 1_000 + BALANCE_LAG_MS), held, false)).toEqual([1]);
  });

  it('shows no debit of a cent by standing still, and one of half a cent as the service rounds it', () => {
    const shown = (amount: number, next: number) =>
      debitsShown([reading(10, NOON)], reading(next, NOON + 2_000), [hold(1, amount, NOON + 1_000)], true);
    expect(shown(0.01, 10)).toEqual([]);
    expect(shown(0.01, 9.99)).toEqual([1]);
    expect(shown(0.005, 10)).toEqual([]);
    expect(shown(1.005, 9)).toEqual([1]);
    expect(shown(1.005, 8.99)).toEqual([1]);
  });

  it('shows one fall once, though older books are read again in between', () => {
    const before = [reading(100, NOON), reading(80, NOON + 2_000), reading(100, NOON + 4_000)];
    expect(debitsShown(before, reading(80, NOON + 6_000), [hold(2, 20, NOON + 5_000)], true)).toEqual([]);
    expect(debitsShown(before, reading(60, NOON + 6_000), [hold(2, 20, NOON + 5_000)], true)).toEqual([2]);
  });

  it('that lags behind keeps the hold, so that the same money is not spent twice [B23]', () => {
    const before = [reading(100, NOON)];
    const both = [hold(1, 10, NOON + 1_000), hold(2, 10, NOON + 1_000)];
    expect(debitsShown(before, reading(100, NOON + 2_000), [hold(1, 10, NOON + 1_000)], true)).toEqual([]);
    expect(debitsShown(before, reading(90, NOON + 2_000), both, true)).toEqual([]);
  });

  it('is believed in the end, as a deposit can hide a debit', () => {
    const late = NOON + 1_000 + BALANCE_LAG_MS;
    expect(debitsShown([reading(100, NOON)], reading(150, late), [hold(1, 10, NOON + 1_000)], true)).toEqual([1]);
  });

  it('that is passed over lets nothing go, since an older one is spent from', () => {
    const [late, held] = [NOON + 1_000 + BALANCE_LAG_MS, [hold(1, 10, NOON + 1_000)]];
    expect(debitsShown([reading(100, late - 20_000)], reading(10_000, late), held, true)).toEqual([]);
    expect(debitsShown([reading(100, late - 20_000)], reading(100, late), held, true)).toEqual([1]);
  });

  it('never shows whether money that is only reserved was debited', () => {
    const [before, next] = [[reading(100, NOON)], reading(0, NOON + 10 * BALANCE_LAG_MS)];
    expect(debitsShown(before, next, [hold(1, 10, undefined)], true)).toEqual([]);
  });

  it('that jumps is passed over until it has come again and again [B22]', () => {
    const read = (...amounts: number[]): number | undefined =>
      believedReading(amounts.map((amount, place) => reading(amount, NOON + place)))?.amount;
    expect(read()).toBeUndefined();
    expect(read(100, 10_000)).toBe(dollars(100));
    expect(read(100, 500)).toBe(dollars(500));
    expect(read(100, 10_000, 10_000, 90)).toBe(dollars(90));
    expect(read(10_000, 90), 'a fall is believed at once').toBe(dollars(90));
    const paidIn = [100, ...Array.from({ length: READINGS_TELLING - 1 }, () => 10_000)];
    expect(read(...paidIn.slice(0, -1))).toBe(dollars(100));
    expect(read(...paidIn)).toBe(dollars(10_000));
    expect(read(...paidIn.slice(0, -1), 1_000_000), 'a hundred times what came again and again is not what came').toBe(
      dollars(100),
    );
    expect(read(...paidIn.slice(0, -1), 1_000_000, 10_000)).toBe(dollars(10_000));
    expect(read(100, 600, ...paidIn.slice(1)), 'money that was paid in twice').toBe(dollars(10_000));
    expect(read(100, 600, ...paidIn.slice(1, -1))).toBe(dollars(100));
    expect(read(100, 1_000_000, ...paidIn.slice(1, -1))).toBe(dollars(100));
    expect(read(100, 1_000_000, ...paidIn.slice(1))).toBe(dollars(10_000));
  });

  it('is spent from at the least that was read within a minute: a service may answer from books of different age', () => {
    const spendable = (...readings: (readonly [amount: number, second: number])[]): number | undefined =>
      spendableReading(readings.map(([amount, second]) => reading(amount, NOON + second * 1_000)))?.amount;
    expect(spendable()).toBeUndefined();
    expect(spendable([80, 0], [100, 60])).toBe(dollars(80));
    expect(spendable([80, 0], [100, 61])).toBe(dollars(100));
    expect(spendable([100, 0], [80, 10])).toBe(dollars(80));
    expect(spendable([80, 0], [100, 50], [10_000, 70]), 'a minute before the one that is believed').toBe(dollars(80));
    expect(spendable([80, 0], [100, -3_600], [100, -3_590]), 'the clock was set back in between').toBe(dollars(80));
    expect(spendable([80, 0], [100, -3_600], [100, -3_530])).toBe(dollars(100));
    const slept = { startedAt: NOON + 600_000, slow: [{ before: NOON + 600_000, ms: 560_000 }] };
    const overSleep = [reading(80, NOON), reading(100, NOON + 610_000)];
    expect(spendableReading(overSleep, slept)?.amount, 'what seems ten minutes old may be fifty seconds').toBe(dollars(80));
  });

  it('is told by readings that reach back a minute from each that may be believed', () => {
    const every = (seconds: number, count: number) =>
      Array.from({ length: count }, (_, place) => reading(100, NOON + place * seconds * 1_000));
    expect(reachBack(every(10, READINGS_TELLING + 6))).toBe(false);
    expect(reachBack(every(10, READINGS_TELLING + 7))).toBe(true);
    expect(reachBack(every(-10, 99))).toBe(false);
  });
});
