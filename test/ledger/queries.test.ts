import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NOON, dollars, listing } from '../support/values.ts';
import { begun, freshFolder, freshLedger, opened, order, outcomes, raw, settled } from './support.ts';

describe('purchases', () => {
  it('are listed newest first, by state, lane and time', () => {
    const ledger = freshLedger();
    settled(ledger, begun(ledger, 1, NOON + 1), outcomes.bought('o1'));
    settled(ledger, begun(ledger, 2, NOON + 2), outcomes.unknown());
    begun(ledger, 3, NOON + 3, { lane: 'paper' });
    const ids = (filter: Parameters<typeof ledger.purchases>[0]): number[] => ledger.purchases(filter).map(({ id }) => id);
    expect(ids(undefined)).toEqual([3, 2, 1]);
    expect(ids({ state: 'unknown' })).toEqual([2]);
    expect(ids({ lane: 'live' })).toEqual([2, 1]);
    expect(ids({ since: NOON + 2 })).toEqual([3, 2]);
    expect(ids({ limit: 1 })).toEqual([3]);
    expect([...ledger.everyPurchase()].map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it('are counted by state, with every state named', () => {
    const ledger = freshLedger();
    settled(ledger, begun(ledger, 1), outcomes.bought('o1'));
    settled(ledger, begun(ledger, 2), outcomes.refused());
    begun(ledger, 3, NOON + 3, { lane: 'paper' });
    expect(ledger.countsByState()).toEqual({
      intended: 0,
      unknown: 0,
      bought: 1,
      completed: 0,
      refunded: 0,
      rejected: 1,
      expired: 0,
      simulated: 1,
    });
    expect(ledger.reserved()).toBe(dollars(10.5));
  });

  it('that anybody touched are told since a place in the evidence', () => {
    const ledger = freshLedger();
    settled(ledger, begun(ledger, 1), outcomes.unknown());
    begun(ledger, 2);
    const place = ledger.evidenceSeq();
    expect(ledger.purchasesTouchedAfter(place)).toEqual([]);
    ledger.resolve(1, 'bought', 'seen', NOON + 5);
    expect(ledger.purchasesTouchedAfter(place).map(({ id, state }) => [id, state])).toEqual([[1, 'bought']]);
  });
});

describe('the times of purchases', () => {
  const send = (ledger: ReturnType<typeof freshLedger>, number: number): void => {
    const times = { committedAt: NOON + 2, sentAt: NOON + 2 + number / 10, answeredAt: NOON + 90 };
    const { id } = begun(ledger, number, NOON + 1);
    ledger.recordOutcome(id, outcomes.bought(`o${number}`), times, undefined, NOON + 91);
  };

  it('are told of the newest whose request left, newest first', () => {
    const ledger = freshLedger();
    for (const number of [1, 2, 3]) send(ledger, number);
    settled(ledger, begun(ledger, 4), outcomes.unsent());
    begun(ledger, 5, NOON + 3, { lane: 'paper' });
    expect(ledger.newestTimings(2)).toEqual([
      { seenAt: NOON, decidedAt: NOON + 1, committedAt: NOON + 2, sentAt: NOON + 2.3, answeredAt: NOON + 90 },
      { seenAt: NOON, decidedAt: NOON + 1, committedAt: NOON + 2, sentAt: NOON + 2.2, answeredAt: NOON + 90 },
    ]);
  });

  it('stay what they were when a later answer says nothing of them', () => {
    const ledger = freshLedger();
    const { id } = begun(ledger, 1, NOON + 1);
    const times = { committedAt: NOON + 2, sentAt: NOON + 3, answeredAt: undefined };
    ledger.recordOutcome(id, outcomes.unknown(), times, undefined, NOON + 10_000);
    settled(ledger, ledger.purchase(id)!, outcomes.bought('o1'), NOON + 12_000);
    expect(ledger.timingsOf(id)).toEqual({ seenAt: NOON, decidedAt: NOON + 1, ...times });
  });
});

describe('the refusals in a row', () => {
  const refuse = (ledger: ReturnType<typeof freshLedger>, number: number, cause: 'gone' | 'owner' | 'rate', at: number): void => {
    settled(ledger, begun(ledger, number), outcomes.refused(cause), at);
  };

  it('count those that were neither lost to a rival nor a matter of rate, since the last purchase or resume', () => {
    const ledger = freshLedger();
    refuse(ledger, 1, 'owner', NOON + 1);
    settled(ledger, begun(ledger, 2), outcomes.bought('o2'), NOON + 2);
    refuse(ledger, 3, 'owner', NOON + 3);
    refuse(ledger, 4, 'gone', NOON + 4);
    refuse(ledger, 5, 'rate', NOON + 5);
    refuse(ledger, 6, 'owner', NOON + 6);
    settled(ledger, begun(ledger, 7), outcomes.unknown(), NOON + 7);
    expect(ledger.refusalsInRow()).toBe(2);
    ledger.halt('x', 'person', NOON + 8);
    ledger.resume(NOON + 9);
    expect(ledger.refusalsInRow()).toBe(0);
  });

  it('count what came after a resume, whatever the clock of whoever resumed said, and the clock of the daemon', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    refuse(ledger, 1, 'owner', NOON + 1);
    ledger.halt('x', 'person', NOON + 2);
    ledger.resume(NOON + 3_600_000);
    expect(ledger.refusalsInRow()).toBe(0);
    refuse(ledger, 2, 'owner', NOON + 3);
    refuse(ledger, 3, 'owner', NOON + 4);
    ledger.close();
    const again = opened(folder);
    expect(again.refusalsInRow(), 'as the daemon knew until it ended').toBe(2);
    again.halt('x', 'person', NOON + 5);
    again.resume(NOON - 3_600_000);
    expect(again.refusalsInRow()).toBe(0);
    again.resume(NOON + 6);
    refuse(again, 4, 'owner', NOON + 7);
    again.resume(NOON + 8);
    expect(again.refusalsInRow(), 'nothing was halted').toBe(1);
  });

  it('go by the time where a ledger of before did not note the place of its last resume', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    refuse(ledger, 1, 'owner', NOON + 1);
    ledger.halt('x', 'person', NOON + 2);
    ledger.resume(NOON + 3);
    raw(folder).exec("DELETE FROM meta WHERE key = 'resumedSeq'");
    expect(ledger.refusalsInRow()).toBe(0);
  });
});

describe('the newest alerts', () => {
  it('hold trade offers that wait to be accepted, and none that no longer do', () => {
    const ledger = freshLedger();
    for (const number of [1, 2]) settled(ledger, begun(ledger, number), outcomes.bought(`o${number}`));
    const active = (number: number, statusCode: string): void =>
      void ledger.apply([{ kind: 'status', purchaseId: number, order: order(`o${number}`, { statusCode }) }], NOON + 3);
    for (const purchaseId of [1, 2]) {
      active(purchaseId, 'ACTIVE');
      ledger.recordAlert({ kind: 'accept', at: NOON + 3, message: `offer ${purchaseId}`, next: undefined, purchaseId });
    }
    ledger.recordAlert({ kind: 'stuck', at: NOON + 4, message: 'stuck 1', next: undefined, purchaseId: 1 });
    const shown = (): string[] => ledger.alerts(0, 9).map(({ message }) => message);
    expect(shown()).toEqual(['stuck 1', 'offer 2', 'offer 1']);
    active(1, 'HOLD');
    expect(shown()).toEqual(['stuck 1', 'offer 2']);
    expect(ledger.alertsOf(1)).toHaveLength(2);
  });
});

describe('the newest row', () => {
  it('of any kind tells how late it was', () => {
    const ledger = opened(freshFolder());
    expect(ledger.newestRowAt()).toBeUndefined();
    ledger.recordAlert({ kind: 'clock', at: NOON, message: 'm', next: undefined, purchaseId: undefined });
    expect(ledger.newestRowAt()).toBe(NOON);
    ledger.halt('x', 'person', NOON + 1);
    ledger.resume(NOON + 2);
    expect(ledger.newestRowAt()).toBe(NOON + 2);
    ledger.recordBalance({ amount: dollars(1), beganAt: NOON + 3, endedAt: NOON + 4 });
    expect(ledger.newestRowAt()).toBe(NOON + 4);
  });
});

describe('the account', () => {
  it('is bound once', () => {
    const folder = freshFolder();
    const first = opened(folder);
    expect(first.account()).toBeUndefined();
    expect(first.bindAccount('a')).toEqual({ ok: true, first: true });
    first.close();
    const ledger = opened(folder);
    expect(ledger.bindAccount('a')).toEqual({ ok: true, first: false });
    expect(ledger.bindAccount('b')).toEqual({ ok: false, belongsTo: 'a' });
    expect(ledger.account()).toBe('a');
  });

  it('stays slow across restarts [P11]', () => {
    const folder = freshFolder();
    const first = opened(folder);
    expect(first.slowUntil()).toBeUndefined();
    first.saveSlowUntil(NOON + 0.5);
    first.saveSlowUntil(NOON + 1.5);
    first.close();
    expect(opened(folder).slowUntil()).toBe(NOON + 1.5);
  });
});

describe('halts', () => {
  it('show the first cause until a person resumes, across restarts', () => {
    const folder = freshFolder();
    const first = freshLedger(folder);
    expect(first.halted()).toBeUndefined();
    first.halt('tripped', 'unusual-hour', NOON);
    first.halt('holiday', 'person', NOON + 1);
    first.close();
    const ledger = opened(folder);
    expect(ledger.halted()).toEqual({ reason: 'tripped', by: 'unusual-hour', at: NOON });
    expect(ledger.standingHalts()).toHaveLength(2);
    ledger.resume(NOON + 2);
    expect(ledger.halted()).toBeUndefined();
    expect(ledger.resumedAt()).toBe(NOON + 2);
    ledger.halt('tripped', 'unusual-hour', NOON + 3);
    expect(ledger.halted()).toMatchObject({ at: NOON + 3 });
  });

  it('are read for sure only from the file that commands write to', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    expect(ledger.haltedOnDisk()).toBeUndefined();
    ledger.halt('holiday', 'person', NOON);
    expect(ledger.haltedOnDisk()).toMatchObject({ reason: 'holiday' });
    renameSync(join(folder, 'magpie.db'), join(folder, 'aside.db'));
    expect(() => ledger.haltedOnDisk()).toThrow(/removed or replaced/);
  });

  it('are ended by resumes that are told apart, whatever the clock says', () => {
    const ledger = freshLedger();
    expect(ledger.resumes()).toBe(0);
    ledger.resume(NOON);
    expect(ledger.resumes(), 'nothing was halted').toBe(0);
    const seen = [NOON + 5, NOON + 1].map((at) => {
      ledger.halt('holiday', 'person', at);
      ledger.resume(at);
      return ledger.resumes();
    });
    expect(seen[0]).toBeGreaterThan(0);
    expect(seen[1]).toBeGreaterThan(seen[0] ?? Infinity);
  });
});

describe('what is usual', () => {
  it('is the mean of the hours in which anything happened, not the running one', () => {
    const HOUR = 3_600_000;
    const ledger = freshLedger();
    begun(ledger, 1);
    begun(ledger, 2);
    ledger.addMatches(NOON, 3);
    ledger.addMatches(NOON, 2);
    ledger.addMatches(NOON + 5 * HOUR, 9);
    expect(ledger.usual(NOON + 1)).toEqual({ days: 0, matchesPerHour: 0, spendPerHour: 0 });
    expect(ledger.usual(NOON + 5 * HOUR)).toEqual({ days: 0, matchesPerHour: 5, spendPerHour: dollars(21) });
    expect(ledger.usual(NOON + 6 * HOUR)).toEqual({ days: 0, matchesPerHour: 7, spendPerHour: dollars(10.5) });
    expect(ledger.usual(NOON + 7 * 24 * HOUR)).toMatchObject({ days: 7 });
    expect(ledger.usual(NOON + 8 * 24 * HOUR)).toEqual({ days: 8, matchesPerHour: 0, spendPerHour: 0 });
  });
});

describe('usage', () => {
  it('counts a lane, a strategy and an item by what was committed', () => {
    const ledger = freshLedger();
    begun(ledger, 1);
    begun(ledger, 2, NOON + 1, { strategy: 'other' });
    begun(ledger, 3, NOON + 1, { listing: listing({ id: '3', name: 'Glock-18 | Fade (Factory New)', price: 100 }) });
    begun(ledger, 4, NOON + 1, { lane: 'paper' });
    ledger.apply([{ kind: 'order', order: order('x', { amount: dollars(1) }), as: 'adopted', purchaseId: undefined }], NOON + 1);
    const probe = { strategy: 'cheap', marketHashName: 'AK-47 | Redline (Field-Tested)' };
    const whole = { hour: dollars(127), day: dollars(127), total: dollars(127) };
    expect(ledger.usage('live', probe, NOON + 2)).toMatchObject({
      spend: whole,
      item: { hour: 3, day: 3, total: 3 },
      strategySpend: { total: dollars(115.5) },
      strategyCount: { day: 2, total: 2 },
      strategyItem: { day: 1, total: 1 },
      open: 4,
      unknown: 0,
      committedInHour: 3,
    });
    expect(ledger.usage('live', probe, NOON + 3_600_001)).toMatchObject({ spend: { ...whole, hour: 0 }, committedInHour: 0 });
    expect(ledger.usage('live', probe, NOON + 86_400_001)).toMatchObject({ spend: { ...whole, hour: 0, day: 0 } });
    expect(ledger.usage('paper', probe, NOON + 2)).toMatchObject({ spend: { total: dollars(10.5) }, open: 0 });
  });

  it('counts one item by whatever case and blanks its name is written with', () => {
    const ledger = freshLedger();
    const name = 'Ground Rebel  | Elite Crew';
    begun(ledger, 1, NOON + 1, { listing: listing({ id: '1', name }) });
    begun(ledger, 2, NOON + 1, { listing: listing({ id: '2', name: 'GROUND REBEL | Elite Crew' }) });
    ledger.apply(
      [
        {
          kind: 'order',
          order: order('x', { itemName: 'Ground\u00a0Rebel | Elite Crew ' }),
          as: 'adopted',
          purchaseId: undefined,
        },
      ],
      NOON + 1,
    );
    const three = { hour: 3, day: 3, total: 3 };
    const two = { hour: 2, day: 2, total: 2 };
    expect(ledger.usage('live', { strategy: 'cheap', marketHashName: name.toLowerCase() }, NOON + 2)).toMatchObject({
      ...{ item: three, strategyItem: two },
    });
  });

  it('counts an order of others that has no name as one of every item', () => {
    const ledger = freshLedger();
    begun(ledger, 1);
    const nameless = order('x', { itemName: undefined });
    ledger.apply([{ kind: 'order', order: nameless, as: 'adopted', purchaseId: undefined }], NOON + 1);
    const item = (marketHashName: string) => ledger.usage('live', { strategy: 'cheap', marketHashName }, NOON + 2).item;
    expect(item('AK-47 | Redline (Field-Tested)')).toEqual({ hour: 2, day: 2, total: 2 });
    expect(item('AWP | Asiimov (Field-Tested)')).toEqual({ hour: 1, day: 1, total: 1 });
  });

  it('counts an order of others as open until it is delivered or has failed, ten days at the most', () => {
    const ledger = freshLedger();
    const shown = (statusCode: string) =>
      ledger.apply([{ kind: 'order', order: order('x', { statusCode }), as: 'adopted', purchaseId: undefined }], NOON);
    const open = (at: number) => ledger.usage('live', { strategy: 'cheap', marketHashName: 'any' }, at).open;
    shown('HOLD');
    expect([open(NOON + 1), open(NOON + 10 * 24 * 3_600_000)]).toEqual([1, 0]);
    expect(ledger.adoptedOrders()).toMatchObject([{ open: true }]);
    shown('COMPLETED');
    expect(open(NOON + 1)).toBe(0);
    expect(ledger.adoptedOrders()).toMatchObject([{ open: false }]);
  });
});
