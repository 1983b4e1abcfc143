import { describe, expect, it } from 'vitest';
import type { Posted } from '../../src/app/engine-loop.ts';
import { StartGate } from '../../src/app/start-gate.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const MINUTE = 60_000;

it('a run that began by a wrong clock stays closed when that is set right, and says that it takes another start [P38]', () => {
  const clock = new VirtualClock();
  const posted: Posted[] = [];
  const wrong: (string | undefined)[] = [];
  const gate = new StartGate({
    ...{ clock, newestRowAt: undefined, post: (event) => void posted.push(event), onOpen: () => undefined },
    onClock: (why) => void wrong.push(why),
  });
  gate.looked();
  gate.accountKnown(clock.now() + 10 * MINUTE);
  expect(wrong.at(-1)).toMatch(/^this machine's clock says .*, the service's .*:10:00/);
  clock.stepWall(10 * MINUTE);
  clock.advanceSync(MINUTE);
  gate.accountKnown(clock.wall());
  expect(posted.at(-1)).toMatchObject({ type: 'blocked', name: 'clock' });
  expect(wrong.at(-1)).toContain('is right by now, and was not when this run began: start Magpie again');
});

it('a date of the service that did not agree is refuted by three in a row that do, not by one that may be wrong itself', () => {
  const clock = new VirtualClock();
  const posted: Posted[] = [];
  const gate = new StartGate({
    ...{ clock, newestRowAt: undefined, post: (event) => void posted.push(event), onOpen: () => undefined },
    onClock: () => undefined,
  });
  const isBlocked = (): boolean => posted.findLast((event) => 'name' in event && event.name === 'clock')?.type === 'blocked';
  const told = (byMs: number | undefined): boolean => {
    clock.advanceSync(15_000);
    gate.accountKnown(byMs === undefined ? undefined : clock.now() + byMs);
    return isBlocked();
  };
  gate.looked();
  // Off by 59 minutes for good, and now and then a date that is an hour off agrees with that.
  expect([59, -1, 59, -1, -1, 59].map((minutes) => told(minutes * MINUTE))).toEqual([true, true, true, true, true, true]);
  expect([0, undefined, 0, 0].map(told)).toEqual([true, true, true, false]);
});

describe('a record that is dated later than now', () => {
  const DAY = 24 * 60 * MINUTE;
  /** `dates`: the service's of one answer after the other, each as minutes from the machine's clock; a text stays what it was. */
  function run(aheadMs: number, dates: readonly (number | undefined | 'same')[]) {
    const clock = new VirtualClock();
    const posted: Posted[] = [];
    const wrong: (string | undefined)[] = [];
    let rowsAhead = 0;
    const gate = new StartGate({
      ...{ clock, newestRowAt: clock.now() + aheadMs, post: (event) => void posted.push(event), onOpen: () => undefined },
      onClock: (why) => void wrong.push(why),
    });
    gate.looked();
    let date: number | undefined;
    const blocked = dates.map((given) => {
      clock.advanceSync(15_000);
      if (given !== 'same') date = given === undefined ? undefined : clock.now() + given * MINUTE;
      if (gate.accountKnown(date)) rowsAhead += 1;
      return posted.findLast((event) => 'name' in event && event.name === 'clock')?.type === 'blocked';
    });
    return { blocked, wrong: wrong.filter((why) => why !== undefined), rowsAhead };
  }

  it('keeps buying closed for years, unless the dates of the service bear the clock out: then an earlier run had a wrong one [P38]', () => {
    const { blocked, wrong, rowsAhead } = run(3_650 * DAY, [0, 1, 1, 0]);
    expect(blocked).toEqual([true, true, false, false]);
    expect(rowsAhead).toBe(1);
    expect(wrong, 'nobody is told to set a clock that is right').toEqual([]);
  });

  it('is believed while the dates disagree with the clock, are missing, or are one date of a cache', () => {
    expect(run(DAY, [0, 0, 59, 0, 0, 59]).blocked).toEqual([true, true, true, true, true, true]);
    const silent = run(DAY, [undefined, undefined, undefined, undefined]);
    expect(silent.blocked).toEqual([true, true, true, true]);
    expect(silent.wrong[0]).toMatch(/but the newest record is of/);
    expect(run(DAY, [-4, 'same', 'same', 'same']).blocked).toEqual([true, true, true, true]);
  });

  it('by no more than clocks may be off is waited for', () => {
    const { blocked, wrong, rowsAhead } = run(80_000, [0, 0, 0, 0, 0, 0]);
    expect(blocked).toEqual([true, true, true, true, true, false]);
    expect(rowsAhead).toBe(0);
    expect(wrong[0]).toMatch(/but the newest record is of/);
    expect(run(80_000, [undefined, undefined, undefined, undefined, undefined, undefined]).blocked.at(-1)).toBe(false);
  });
});
