import { describe, expect, it } from 'vitest';
import type { AccountLimits } from '../../src/domain/limits.ts';
import { NOON, dollars, noLimits, wideLimits } from '../support/values.ts';
import { begun, freshFolder, freshLedger, opened, outcomes, readBalance, settled, wish } from './support.ts';

const HOUR = 3_600_000;
const breaker = { ...wideLimits.breaker, perHour: 2 };

describe('after a restart', () => {
  it.each<[string, Partial<AccountLimits>, Parameters<typeof wish>[0], string]>([
    ['spend of the hour', { spend: { hour: dollars(31) } }, {}, 'spend-hour'],
    ['spend of the day', { spend: { day: dollars(31) } }, {}, 'spend-day'],
    ['spend in all', { spend: { total: dollars(31) } }, {}, 'spend-total'],
    ['purchases of an item', { perItem: { day: 2 } }, {}, 'item-day'],
    ['open purchases', { openPurchases: 2 }, {}, 'open-purchases'],
    ['purchases in an hour', { breaker }, {}, 'breaker-per-hour'],
    ["a strategy's count", {}, { limits: { ...noLimits, count: { day: 2 } } }, 'strategy-count-day'],
    ["a strategy's spend", {}, { limits: { ...noLimits, spend: { total: dollars(31) } } }, 'strategy-spend-total'],
  ])('the cap on %s counts what earlier runs bought [P11 money-11]', (_, limits, given, reason) => {
    const folder = freshFolder();
    for (const run of [1, 2]) {
      const ledger = run === 1 ? freshLedger(folder) : opened(folder);
      settled(ledger, begun(ledger, run, NOON + run), outcomes.bought(`order-${run}`));
      ledger.close();
    }
    const third = opened(folder);
    expect(third.commitIntent(wish(given), { ...wideLimits, ...limits }, NOON + 3)).toMatchObject({ ok: false, reason });
    expect(third.commitIntent(wish(given), wideLimits, NOON + 3)).toMatchObject({ ok: given?.limits === undefined });
  });

  it('a purchase without an outcome still holds its money and pauses buying [P11 money-10]', () => {
    const folder = freshFolder();
    const before = freshLedger(folder);
    begun(before, 1);
    before.close();
    const ledger = opened(folder);
    ledger.orphansToUnknown(NOON + 2);
    expect(ledger.reserved()).toBe(dollars(10.5));
    expect(ledger.commitIntent(wish(), wideLimits, NOON + 3)).toMatchObject({ ok: false, reason: 'unknown-pause' });
  });
});

describe('a purchase whose debit never shows', () => {
  it('counts in every cap all the same, whatever the balance says [B23]', () => {
    const ledger = freshLedger();
    settled(ledger, begun(ledger, 1), outcomes.bought('o1'));
    readBalance(ledger, 1_000, NOON + 30_000);
    expect(ledger.holds()).toHaveLength(1);
    readBalance(ledger, 1_000, NOON + 5 * HOUR);
    const tight = { ...wideLimits, spend: { day: dollars(20.99) } };
    expect(ledger.commitIntent(wish(), tight, NOON + 5 * HOUR + 1)).toMatchObject({ ok: false, reason: 'spend-day' });
    expect(ledger.usage('live', { strategy: 'cheap', marketHashName: '' }, NOON + 50 * HOUR)).toMatchObject({
      spend: { total: dollars(10.5) },
      open: 1,
    });
  });
});
