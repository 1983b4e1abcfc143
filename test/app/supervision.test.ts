import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Supervision } from '../../src/app/monitoring/supervision.ts';
import type { Alert } from '../../src/domain/alert.ts';
import { NotifySocket, canHear } from '../support/notify-socket.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { PATIENCE_MS, freshPlace, within } from './stage.ts';

/** What is told with this environment, by a clock that the test moves. */
function started(env: Readonly<Record<string, string | undefined>>) {
  const clock = new VirtualClock();
  const [alerts, errors, ending]: [Alert[], string[], AbortController] = [[], [], new AbortController()];
  const state: { stuck: string | undefined } = { stuck: undefined };
  const log = { info: () => undefined, warn: () => undefined, error: (event: string) => void errors.push(event) };
  const bell = { ring: (alert: Alert) => void alerts.push(alert) };
  const supervision = new Supervision({ env, clock, log, bell, status: () => 'well', stuck: () => state.stuck });
  supervision.start(ending.signal);
  return { clock, alerts, errors, ending, state, supervision };
}

describe.runIf(canHear)('a watchdog', () => {
  it('is fed three times within its time, and not while something is stuck', async () => {
    const socket = await NotifySocket.open(join(freshPlace(), 'notify.sock'));
    const env = { PATH: process.env['PATH'], NOTIFY_SOCKET: socket.name, WATCHDOG_USEC: '30000000' };
    const { clock, errors, ending, state, supervision } = started(env);
    for (let beat = 0; beat < 2; beat++) await clock.advance(10_000);
    state.stuck = 'no question ends';
    for (let beat = 0; beat < 3; beat++) await clock.advance(10_000);
    state.stuck = undefined;
    await clock.advance(10_000);
    ending.abort();
    await supervision.finished();
    expect(await socket.hears('STOPPING=1')).toBe(true);
    const [well, stuck] = [['WATCHDOG=1', 'STATUS=well'], 'STATUS=stuck: no question ends'];
    expect(socket.words.filter((word) => word !== 'listening')).toEqual([
      ...['READY=1', 'STATUS=well', ...well, ...well, ...well, stuck, stuck, stuck, ...well, 'STOPPING=1'],
    ]);
    expect(errors).toEqual(['stuck']);
  });

  it('that is not wanted is not fed: the status alone is told, twice a minute', async () => {
    const socket = await NotifySocket.open(join(freshPlace(), 'notify.sock'));
    const { clock, ending, supervision } = started({ PATH: process.env['PATH'], NOTIFY_SOCKET: socket.name });
    await clock.advance(30_000);
    ending.abort();
    await supervision.finished();
    expect(await socket.hears('STOPPING=1')).toBe(true);
    expect(socket.words.filter((word) => word.startsWith('WATCHDOG'))).toEqual([]);
    expect(socket.words.filter((word) => word === 'STATUS=well')).toHaveLength(3);
  });
});

describe('a service manager that cannot be told', () => {
  it('is an alert that says what to do', async () => {
    const { alerts, ending, supervision } = started({ PATH: freshPlace(), NOTIFY_SOCKET: '/nowhere/notify' });
    expect(await within(() => alerts.length > 0, PATIENCE_MS)).toBe(true);
    ending.abort();
    await supervision.finished();
    expect(alerts.map(({ kind, message, next }) => [kind, message, next])).toEqual([
      [
        'monitoring',
        'The service manager that started Magpie cannot be told that it runs: systemd-notify ended with exit code 127',
        'see that systemd-notify is installed and the unit has NotifyAccess=all, or write Type=exec there',
      ],
    ]);
  });

  it('costs nothing where there is none', async () => {
    const { clock, alerts, ending, supervision } = started({});
    await clock.advance(60_000);
    supervision.reloading();
    supervision.reloaded();
    ending.abort();
    await supervision.finished();
    expect(alerts).toEqual([]);
  });
});
