import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import { Signals, magpie, onPlayMoney, place } from './harness.ts';

const onRequest = `${onPlayMoney}reload: { onSave: false }\n`;

/** A daemon on play money in this process, and what beside it is told of it. */
function daemonIn(cwd: string, columns?: number) {
  const signals = new Signals();
  const run = (args: readonly string[], width?: number): ReturnType<typeof magpie> =>
    magpie([...args, '--config', 'magpie.yaml'], { cwd, clock: new SystemClock(), signals, columns: width });
  const ended = run(['run', '--for', '1h'], columns);
  const told = async (): Promise<{ daemon: { signOfLifeAt: string | null }; caps: { key: string; cap: number }[] }> =>
    JSON.parse((await run(['status', '--json'])).out);
  const started = (): Promise<void> =>
    vi.waitFor(async () => expect((await told()).daemon.signOfLifeAt).not.toBeNull(), { timeout: 90_000, interval: 50 });
  const cap = async (): Promise<number | undefined> => (await told()).caps.find(({ key }) => key === 'limits.spend.day')?.cap;
  return { signals, ended, started, cap };
}

describe('SIGHUP', () => {
  it('has a daemon read its limits and strategies anew', async () => {
    const cwd = place({ 'magpie.yaml': onRequest });
    const { signals, ended, started, cap } = daemonIn(cwd);
    await started();
    writeFileSync(join(cwd, 'magpie.yaml'), onRequest.replace('day: 500', 'day: 300'));
    expect(await cap()).toBe(500);
    signals.send('SIGHUP');
    await vi.waitFor(async () => expect(await cap()).toBe(300), { timeout: 90_000, interval: 50 });
    signals.send('SIGTERM');
    const { code, out } = await ended;
    expect(code).toBe(0);
    expect(out).toContain('Changed   limits.spend.day: $500.00 → $300.00');
    const status = await magpie(['status', '--config', 'magpie.yaml'], { cwd });
    expect(status.out).toMatch(/rules +changed while it ran, at .* UTC: limits\.spend\.day: \$500\.00 → \$300\.00/);
    const { rules } = JSON.parse((await magpie(['status', '--json', '--config', 'magpie.yaml'], { cwd })).out);
    const strategies = [{ name: 'redlines', hash: expect.stringMatching(/^[0-9a-f]{64}$/) }];
    expect(rules).toMatchObject({ why: 'signal', changes: ['limits.spend.day: $500.00 → $300.00'], strategies });
  });

  it('ends it at a terminal, which has been closed then', async () => {
    const { signals, ended, started } = daemonIn(place(), 80);
    await started();
    signals.send('SIGHUP');
    expect((await ended).out).toContain('Stopping (SIGHUP)');
  });
});
