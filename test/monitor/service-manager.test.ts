import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ServiceManager } from '../../src/monitor/service-manager.ts';
import { PATIENCE_MS, freshPlace, within } from '../app/stage.ts';
import { NotifySocket, canHear } from '../support/notify-socket.ts';

const env = (more: Record<string, string>): Record<string, string | undefined> => ({ PATH: process.env['PATH'], ...more });
const unheard = (message: string): never => {
  throw new Error(message);
};

/** Started without a listener, for what needs none. */
function quiet(more: Record<string, string>): ServiceManager | undefined {
  return ServiceManager.of({ env: env(more), pid: 7, onLost: () => undefined });
}

describe.runIf(canHear)('a service manager', () => {
  it.each(['path', 'abstract'])('hears over its socket (%s) what it is told, in order and word for word', async (kind) => {
    const place = freshPlace();
    const socket = await NotifySocket.open(kind === 'path' ? join(place, 'notify.sock') : `@${place}/notify`);
    const manager = ServiceManager.of({ env: env({ NOTIFY_SOCKET: socket.name }), pid: process.pid, onLost: unheard });
    manager?.ready('3 listings · $1.00');
    manager?.alive(`a "quote", $HOME, \`id\` and \\n\nWATCHDOG=trigger\tSTOPPING=1`);
    manager?.status('-x');
    manager?.reloading(123_456n);
    manager?.stopping();
    await manager?.end();
    await socket.hears('STOPPING=1');
    expect(socket.words.filter((word) => word !== 'listening')).toEqual([
      ...['READY=1', 'STATUS=3 listings · $1.00'],
      ...['WATCHDOG=1', 'STATUS=a "quote", $HOME, `id` and \\n WATCHDOG=trigger STOPPING=1'],
      ...['STATUS=-x', 'RELOADING=1', 'MONOTONIC_USEC=123456', 'STOPPING=1'],
    ]);
  });
});

describe('who tells a service manager', () => {
  it('is not there where none has asked for it', () => {
    expect(ServiceManager.of({ env: {}, pid: 1, onLost: unheard })).toBeUndefined();
    expect(ServiceManager.of({ env: { NOTIFY_SOCKET: 'vsock:2:1' }, pid: 1, onLost: unheard })).toBeUndefined();
  });

  it('says once that there is no program to tell it with, and goes on', async () => {
    const lost: string[] = [];
    const at = { NOTIFY_SOCKET: '/nowhere/notify', PATH: freshPlace() };
    const manager = ServiceManager.of({ env: at, pid: 1, onLost: (message) => void lost.push(message) });
    manager?.ready('one');
    expect(await within(() => lost.length > 0, PATIENCE_MS)).toBe(true);
    manager?.alive('two');
    await manager?.end();
    expect(lost).toEqual(['systemd-notify ended with exit code 127']);
  });

  it.each([
    [{}, undefined],
    [{ WATCHDOG_USEC: '30000000' }, 30_000],
    [{ WATCHDOG_USEC: '30000000', WATCHDOG_PID: '7' }, 30_000],
    [{ WATCHDOG_USEC: '30000000', WATCHDOG_PID: '8' }, undefined],
    [{ WATCHDOG_USEC: '0' }, undefined],
    [{ WATCHDOG_USEC: '-1' }, undefined],
    [{ WATCHDOG_USEC: 'soon' }, undefined],
  ])('knows whether it is watched: %j', async (more, ms) => {
    const manager = quiet({ NOTIFY_SOCKET: '@nobody/listens', ...more });
    expect(manager?.watchdogMs).toBe(ms);
    await manager?.end();
  });
});
