import { describe, expect, it } from 'vitest';
import { dollarsFromMicros } from '../../src/domain/money.ts';
import { purchaseStates } from '../../src/domain/purchase.ts';
import { available } from '../../src/risk/balance.ts';
import { type Refusal, capRefusal } from '../../src/risk/caps.ts';
import { type CapRow, usageOf } from '../../src/risk/usage.ts';
import { NOON, dollars, intent, listing, wideLimits } from '../support/values.ts';
import { textOf } from './pages.ts';

const page = textOf('docs/money.md');
const costing = (cost: number) => intent({ listing: listing({ price: cost, priceWithFee: cost }) });
const probe = { strategy: 'one', marketHashName: 'AWP | Asiimov (Field-Tested)' };
const quoted = ({ reason, detail }: Refusal): string => `\`${reason}: ${detail}\``;
const nothing = {
  ...{ spend: dollars(0), item: 0, strategySpend: dollars(0), strategyCount: 0, strategyItem: 0 },
  ...{ open: 0, unknown: 0 },
};

/** Rows of the table that shows what was bought when: `| yesterday 18:00 | $35.00 | no | yes |`. */
const bought = [...page.matchAll(/^\| (yesterday|today) (\d\d):(\d\d) \| \$([\d.]+) \| (yes|no) \| (yes|no) \|$/gm)].map(
  ([, day, hours, minutes, price, hour, within]) => {
    const age = ((day === 'today' ? 12 : 36) - Number(hours)) * 3_600_000 - Number(minutes) * 60_000;
    return { at: NOON - age, amount: dollars(Number(price)), inHour: hour === 'yes', inDay: within === 'yes' };
  },
);

describe('docs/money.md', () => {
  it('explains every state that a purchase can be in', () => {
    const rows = [...page.matchAll(/^\| `(\w+)` \| /gm)].map(([, state]) => state);
    expect(rows).toEqual(Object.keys(purchaseStates));
  });

  it('names every invariant of money as the architecture does, and how it is kept', () => {
    const section = textOf('ARCHITECTURE.md').split('## Where each invariant of money lives')[1]?.split('\n## ')[0] ?? '';
    const names = [...section.matchAll(/^\| (?!invariant|---)([^|]+) \|/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(5);
    const promised = [...page.matchAll(/^\| [^|]+ \| ([^|]+) \| \[\w[\w-]*\.ts\]/gm)].map(([, name]) => name);
    expect(promised.filter((name) => name !== '–')).toEqual(names);
  });

  it('tells of windows what admission would say of the same purchases', () => {
    expect(bought).toHaveLength(4);
    const at = (now: number) =>
      usageOf(
        bought.map((row): CapRow => ({ ...row, ...probe, item: '', state: 'bought' })),
        nothing,
        probe,
        now,
      );
    const sumOf = (rows: typeof bought): number => rows.reduce((total, { amount }) => total + dollarsFromMicros(amount), 0);
    expect(dollarsFromMicros(at(NOON).spend.hour)).toBe(sumOf(bought.filter(({ inHour }) => inHour)));
    expect(dollarsFromMicros(at(NOON).spend.day)).toBe(sumOf(bought.filter(({ inDay }) => inDay)));
    const limits = { ...wideLimits, maxPrice: dollars(20), spend: { hour: dollars(40), day: dollars(100) } };
    const plenty = dollars(1_000);
    const refusal = capRefusal(costing(15), limits, at(NOON), plenty);
    expect(page).toContain(quoted(refusal!));
    expect(capRefusal(costing(15), { ...limits, spend: { hour: dollars(40) } }, at(NOON), plenty)).toBeUndefined();
    expect(capRefusal(costing(10), limits, at(NOON), plenty)).toBeUndefined();
    expect(capRefusal(costing(15), limits, at(NOON + 6 * 3_600_000), plenty)).toBeUndefined();
  });

  it('tells of the reserve what admission would say of the same balance', () => {
    const [reading, ...holds] = [
      ...page.matchAll(/^\| (?:balance as read|a purchase bought|one of unknown).* \| −?\$([\d.]+) \|$/gm),
    ].map(([, amount], index) => ({ purchaseId: index, amount: dollars(Number(amount)), answeredAt: undefined }));
    const free = available({ amount: reading!.amount, beganAt: NOON, endedAt: NOON }, holds);
    const limits = { ...wideLimits, reserve: dollars(60) };
    const unused = usageOf([], nothing, probe, NOON);
    const refusal = quoted(capRefusal(costing(20), limits, unused, free)!);
    expect(page).toContain(refusal);
    expect(capRefusal(costing(15), limits, unused, free)).toBeUndefined();
  });
});
