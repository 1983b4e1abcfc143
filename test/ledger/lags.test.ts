import { describe, expect, it } from 'vitest';
import { StartGate } from '../../src/app/start-gate.ts';
import { emptyExposure, usage, withPurchase } from '../../src/engine/exposure.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { NOON, dollars, listing, wideLimits } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { freshFolder, opened, outcomes, raw, readBalance, settled, wish } from './support.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const limits = { ...wideLimits, spend: { hour: dollars(21), day: dollars(1_000) } };
const { strategy, listing: wished } = wish();
const probe = { strategy, marketHashName: wished.name };

/** One run of the machine: its ledger and its clock, which begins with the wall. */
function run(folder: string, wall: number): { ledger: Ledger; clock: VirtualClock } {
  const clock = new VirtualClock(wall);
  const ledger = opened(folder, undefined, clock);
  ledger.bindAccount('account-1');
  return { ledger, clock };
}

/** What a purchase of $10.50 comes to. */
function buy({ ledger, clock }: ReturnType<typeof run>, id: number): string {
  readBalance(ledger, 1_000 - id, clock.now());
  const committed = ledger.commitIntent(wish({ listing: listing({ id: String(id) }) }), limits, clock.now());
  if (!committed.ok) return committed.reason;
  settled(ledger, committed.purchase, outcomes.bought(`S-${id}`), clock.now());
  return 'bought';
}

describe('after a run in which the machine slept', () => {
  it('windows are longer, never shorter: what fills the hour still fills it', async () => {
    const folder = freshFolder();
    const first = run(folder, NOON);
    await first.clock.advance(MINUTE);
    first.clock.stepWall(55 * MINUTE);
    await first.clock.advance(MINUTE);
    expect([buy(first, 1), buy(first, 2)]).toEqual(['bought', 'bought']);
    first.ledger.close();
    await first.clock.advance(10 * MINUTE);
    const second = run(folder, first.clock.wall());
    const { clock, ledger } = second;
    // Nothing else would keep it from buying: the clock is right.
    const newestRowAt = ledger.newestRowAt();
    const gate = new StartGate({ clock, post: () => undefined, newestRowAt, onOpen: () => undefined, onClock: () => undefined });
    gate.accountKnown(clock.now());
    gate.looked();
    expect(gate.open).toBe(true);
    expect(buy(second, 3)).toBe('spend-hour');
    await clock.advance(49 * MINUTE);
    expect(buy(second, 4)).toBe('spend-hour');
    await clock.advance(2 * MINUTE);
    expect(buy(second, 5), 'an hour after they were bought').toBe('bought');
  });

  it('the book of the engine says the same as the rows', async () => {
    const folder = freshFolder();
    const first = run(folder, NOON);
    first.clock.stepWall(55 * MINUTE);
    await first.clock.advance(MINUTE);
    buy(first, 1);
    first.ledger.close();
    const { ledger, clock } = run(folder, first.clock.wall() + 10 * MINUTE);
    const exposure = emptyExposure(ledger.lags());
    for (const purchase of ledger.everyPurchase()) withPurchase(exposure, purchase);
    for (let minutes = 0; minutes < 26 * 60; minutes += 7) {
      await clock.advance(7 * MINUTE);
      expect(ledger.usage('live', probe, clock.now())).toEqual(usage(exposure, probe, clock.now()));
    }
    expect(usage(exposure, probe, clock.now()).spend).toMatchObject({ hour: 0, day: 0 });
  });

  it('nothing is forgotten by a kill right after the purchase', async () => {
    const folder = freshFolder();
    const first = run(folder, NOON);
    first.clock.stepWall(55 * MINUTE);
    expect([buy(first, 1), buy(first, 2)]).toEqual(['bought', 'bought']);
    // Not closed: as after a kill, only what is committed counts.
    expect(buy(run(folder, first.clock.wall() + 10 * MINUTE), 3)).toBe('spend-hour');
  });

  it('a run in between that was well makes it no shorter', async () => {
    const folder = freshFolder();
    const first = run(folder, NOON);
    first.clock.stepWall(55 * MINUTE);
    buy(first, 1);
    buy(first, 2);
    first.ledger.close();
    const second = run(folder, first.clock.wall() + MINUTE);
    second.ledger.halt('look', 'person', second.clock.now());
    second.ledger.resume(second.clock.now());
    second.ledger.close();
    expect(buy(run(folder, second.clock.wall() + 9 * MINUTE), 3)).toBe('spend-hour');
  });

  it('a debit is waited for as long as ever: a minute from the answer, not from the time that its row bears', async () => {
    const folder = freshFolder();
    const first = run(folder, NOON);
    first.clock.stepWall(55 * MINUTE);
    readBalance(first.ledger, 1_000, first.clock.now());
    const committed = first.ledger.commitIntent(wish(), limits, first.clock.now());
    if (!committed.ok) throw new Error(committed.detail);
    await first.clock.advance(1_000);
    settled(first.ledger, committed.purchase, outcomes.bought('S-1'), first.clock.now());
    first.ledger.close();
    const { ledger, clock } = run(folder, first.clock.wall() + 5_000);
    await clock.advance(1_000);
    readBalance(ledger, 1_000, clock.now());
    expect(ledger.holds(), 'the balance lags').toHaveLength(1);
    await clock.advance(MINUTE);
    readBalance(ledger, 1_000, clock.now());
    expect(ledger.holds()).toEqual([]);
  });
});

describe('how far the clock has fallen behind', () => {
  it('is noted in the transaction that bears its time, and not where that fails', () => {
    const folder = freshFolder();
    const { ledger, clock } = run(folder, NOON);
    const kept = (): unknown => {
      const row = raw(folder).prepare("SELECT value FROM meta WHERE key = 'lags'").pluck().get();
      return (JSON.parse(String(row)) as { ms: number }).ms;
    };
    ledger.saveSlowUntil(1);
    expect(kept()).toBe(0);
    clock.stepWall(5_000);
    expect(() => ledger.resolve(77, 'bought', 'there is none', clock.now())).toThrow();
    expect(kept()).toBe(0);
    ledger.saveSlowUntil(2);
    expect(kept()).toBeGreaterThanOrEqual(5_000);
    clock.stepWall(-HOUR);
    ledger.saveSlowUntil(3);
    expect(kept(), 'what was written meanwhile still bears the slow time').toBeGreaterThanOrEqual(5_000);
  });

  it('matters no more once a run has lasted a day, though the clock was set ahead by a year', async () => {
    const folder = freshFolder();
    const first = run(folder, NOON);
    first.clock.stepWall(365 * DAY);
    buy(first, 1);
    buy(first, 2);
    first.ledger.close();
    // Set right again while Magpie was away.
    const second = run(folder, NOON + 10 * MINUTE);
    await second.clock.advance(50 * MINUTE);
    expect(buy(second, 3)).toBe('spend-hour');
    await second.clock.advance(11 * MINUTE);
    expect(buy(second, 4)).toBe('bought');
    second.ledger.close();
    const third = run(folder, second.clock.wall() + HOUR);
    expect(third.ledger.lags().slow).toHaveLength(1);
    await third.clock.advance(DAY);
    expect(buy(third, 5)).toBe('bought');
    third.ledger.close();
    expect(run(folder, third.clock.wall() + MINUTE).ledger.lags().slow).toEqual([]);
  });

  it('is nothing to note where no machine slept', async () => {
    const folder = freshFolder();
    const first = run(folder, NOON);
    await first.clock.advance(DAY);
    buy(first, 1);
    first.ledger.close();
    const { lags } = run(folder, first.clock.wall()).ledger;
    expect(lags().slow).toEqual([]);
  });
});
