import { describe, expect, it } from 'vitest';
import { BALANCE_LAG_MS, READINGS_TELLING, available, believedReading, debitsShown } from '../../src/risk/balance.ts';
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

  it('shows a debit when it began after the answer and fell by as much', () => {
    const before = reading(100, NOON);
    expect(debitsShown(before, reading(90, NOON + 2_000), [hold(1, 10, NOON + 1_000)])).toEqual([1]);
    expect(debitsShown(before, reading(90, NOON + 500), [hold(1, 10, NOON + 1_000)])).toEqual([]);
  });

  it('that lags behind keeps the hold, so that the same money is not spent twice [B23]', () => {
    const before = reading(100, NOON);
    expect(debitsShown(before, reading(100, NOON + 2_000), [hold(1, 10, NOON + 1_000)])).toEqual([]);
    expect(debitsShown(before, reading(90, NOON + 2_000), [hold(1, 10, NOON + 1_000), hold(2, 10, NOON + 1_000)])).toEqual([]);
  });

  it('is believed in the end, as a deposit can hide a debit', () => {
    const late = NOON + 1_000 + BALANCE_LAG_MS;
    expect(debitsShown(reading(100, NOON), reading(150, late), [hold(1, 10, NOON + 1_000)])).toEqual([1]);
  });

  it('never shows whether money that is only reserved was debited', () => {
    expect(debitsShown(reading(100, NOON), reading(0, NOON + 10 * BALANCE_LAG_MS), [hold(1, 10, undefined)])).toEqual([]);
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
  });
});
