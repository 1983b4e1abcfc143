import { expect, it } from 'vitest';
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
