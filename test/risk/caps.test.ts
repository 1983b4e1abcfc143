import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { windows } from '../../src/domain/limits.ts';
import { micros } from '../../src/domain/money.ts';
import { capRefusal } from '../../src/risk/caps.ts';
import { itemKey } from '../../src/domain/text.ts';
import { type CapRow, type Totals, usageOf } from '../../src/risk/usage.ts';
import { NOON, dollars, intent, listing, noLimits, wideLimits } from '../support/values.ts';

const nothing: Totals = {
  spend: dollars(0),
  item: 0,
  strategySpend: dollars(0),
  strategyCount: 0,
  strategyItem: 0,
  open: 0,
  unknown: 0,
};
const probe = { strategy: 'cheap', marketHashName: 'AK-47 | Redline (Field-Tested)' };
const plenty = dollars(10_000);

function row(given: Partial<CapRow> = {}): CapRow {
  const name = given.marketHashName ?? probe.marketHashName;
  return { at: NOON, amount: dollars(10.5), state: 'bought', item: itemKey(name), ...probe, ...given };
}

const unused = usageOf([], nothing, probe, NOON);

describe('caps', () => {
  it('admit what reaches a cap exactly and refuse a cent more', () => {
    const limits = { ...wideLimits, spend: { hour: dollars(21) } };
    const used = usageOf([row()], { ...nothing, spend: dollars(10.5) }, probe, NOON);
    expect(capRefusal(intent(), limits, used, plenty)).toBeUndefined();
    const dearer = intent({ listing: listing({ price: 10, priceWithFee: 10.51 }) });
    expect(capRefusal(dearer, limits, used, plenty)).toMatchInlineSnapshot(`
      {
        "detail": "$10.50 in the last hour + $10.51 is more than $21.00",
        "reason": "spend-hour",
      }
    `);
  });

  it('count the price with the fee, not the base price [money-18]', () => {
    const limits = { ...wideLimits, maxPrice: dollars(10.49) };
    expect(capRefusal(intent(), limits, unused, plenty)?.reason).toBe('max-price');
    expect(capRefusal(intent(), { ...wideLimits, maxPrice: dollars(10.5) }, unused, plenty)).toBeUndefined();
  });

  it('forget a row the very moment it is an hour or a day old [B5 money-12]', () => {
    const hour = { ...wideLimits, spend: { hour: dollars(11) } };
    const at = (age: number) => usageOf([row({ at: NOON - age })], nothing, probe, NOON);
    expect(capRefusal(intent(), hour, at(3_599_999), plenty)?.reason).toBe('spend-hour');
    expect(capRefusal(intent(), hour, at(3_600_000), plenty)).toBeUndefined();
    const day = { ...wideLimits, perItem: { day: 1 } };
    expect(capRefusal(intent(), day, at(86_399_999), plenty)?.reason).toBe('item-day');
    expect(capRefusal(intent(), day, at(86_400_000), plenty)).toBeUndefined();
  });

  it("hold a strategy's own limits against its own purchases only", () => {
    const own = intent({ limits: { spend: {}, count: { day: 1 }, perItem: { total: 1 } } });
    const other = usageOf([row({ strategy: 'another' })], { ...nothing, item: 1 }, probe, NOON);
    expect(capRefusal(own, wideLimits, other, plenty)).toBeUndefined();
    const mine = usageOf([row()], nothing, probe, NOON);
    expect(capRefusal(own, wideLimits, mine, plenty)?.reason).toBe('strategy-count-day');
    const item = usageOf([], { ...nothing, strategyItem: 1 }, probe, NOON);
    expect(capRefusal(own, wideLimits, item, plenty)?.reason).toBe('strategy-item-total');
  });

  it('count an adopted order in the caps of the account and in no breaker', () => {
    const adopted = usageOf([row({ state: 'adopted', strategy: undefined })], nothing, probe, NOON);
    expect(capRefusal(intent(), { ...wideLimits, perItem: { hour: 1 } }, adopted, plenty)?.reason).toBe('item-hour');
    expect(adopted.committedInHour).toBe(0);
    expect(adopted.strategyCount.hour).toBe(0);
  });

  it('never touch the reserve, and buy nothing without a young balance [B1 B22]', () => {
    const limits = { ...wideLimits, reserve: dollars(25) };
    expect(capRefusal(intent(), limits, unused, dollars(35.5))).toBeUndefined();
    expect(capRefusal(intent(), limits, unused, dollars(35.49))?.reason).toBe('reserve');
    expect(capRefusal(intent(), limits, unused, undefined)?.reason).toBe('balance-unknown');
  });

  it('pause at the allowed number of unknown and open purchases', () => {
    expect(capRefusal(intent(), wideLimits, { ...unused, unknown: 1 }, plenty)?.reason).toBe('unknown-pause');
    expect(capRefusal(intent(), { ...wideLimits, unknown: 2 }, { ...unused, unknown: 1 }, plenty)).toBeUndefined();
    expect(capRefusal(intent(), { ...wideLimits, openPurchases: 3 }, { ...unused, open: 3 }, plenty)?.reason).toBe(
      'open-purchases',
    );
  });

  it('trip the breaker of purchases in an hour [P39]', () => {
    const limits = { ...wideLimits, breaker: { ...wideLimits.breaker, perHour: 2 } };
    const used = usageOf([row(), row()], nothing, probe, NOON);
    expect(capRefusal(intent(), limits, used, plenty)?.reason).toBe('breaker-per-hour');
  });

  it('refuse whatever is over a cap already, also a cap that was lowered [B26]', () => {
    const used = usageOf([row({ amount: dollars(500) })], { ...nothing, spend: dollars(500) }, probe, NOON);
    for (const window of windows) {
      const limits = { ...wideLimits, spend: { [window]: dollars(100) } };
      expect(capRefusal(intent(), limits, used, plenty)?.reason).toBe(`spend-${window}`);
    }
  });

  it('hold for any sequence of purchases: what is admitted never passes any cap [B3]', () => {
    const attempt = fc.record({
      cents: fc.integer({ min: 1, max: 5_000 }),
      wait: fc.integer({ min: 0, max: 5_000_000 }),
      strategy: fc.constantFrom('cheap', 'other'),
      name: fc.constantFrom('A', 'B'),
    });
    fc.assert(
      fc.property(fc.array(attempt, { maxLength: 40 }), (attempts) => {
        const limits = { ...wideLimits, spend: { hour: dollars(100), day: dollars(180) }, perItem: { day: 6 } };
        const own = { ...noLimits, count: { hour: 3 } };
        const rows: CapRow[] = [];
        let now = NOON;
        for (const { cents, wait, strategy, name } of attempts) {
          now += wait;
          const wish = intent({ strategy, limits: own, listing: listing({ name, price: 0.01, priceWithFee: cents / 100 }) });
          const used = usageOf(rows, nothing, { strategy, marketHashName: name }, now);
          if (capRefusal(wish, limits, used, plenty) === undefined) {
            rows.push(row({ at: now, amount: micros(cents * 10_000), strategy, marketHashName: name, state: 'intended' }));
          }
          const within = (ms: number) => rows.filter((each) => now - each.at < ms);
          const spent = (ms: number) => within(ms).reduce((total, each) => total + each.amount, 0);
          expect(spent(3_600_000)).toBeLessThanOrEqual(dollars(100));
          expect(spent(86_400_000)).toBeLessThanOrEqual(dollars(180));
          expect(within(86_400_000).filter((each) => each.marketHashName === name).length).toBeLessThanOrEqual(6);
          expect(within(3_600_000).filter((each) => each.strategy === strategy).length).toBeLessThanOrEqual(3);
        }
      }),
    );
  });
});
