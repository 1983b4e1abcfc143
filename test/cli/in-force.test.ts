import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import type { Heartbeat, InForce } from '../../src/ledger/heartbeat.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { acquireFolderLock } from '../../src/ledger/lock.ts';
import { loadSettings } from '../../src/settings/load.ts';
import { loadStrategies } from '../../src/settings/strategies.ts';
import { settingsThatCount } from '../../src/settings/what-counts.ts';
import { entry } from '../support/feed-entries.ts';
import { NOON } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { Signals, ledgerAt, magpie, onPlayMoney, place, redlines } from './harness.ts';

const alive: Heartbeat = {
  ...{ at: NOON, startedAt: NOON - 3_600_000, pid: 1, version: '0.1.0', mode: 'live', listings: 1, matching: 0, bad: 0 },
  blockers: [],
};

/** A daemon holds the folder and has told what it took from the files as they are now. */
function running(cwd: string, given: Partial<InForce> = {}): Ledger {
  const ledger = ledgerAt(cwd);
  const held = acquireFolderLock(join(cwd, 'data'));
  if (!held.ok) throw new Error(held.fault.message);
  onTestFinished(() => held.lock.release());
  const loaded = loadSettings({ file: 'magpie.yaml', env: {}, cwd });
  const strategies = loadStrategies(join(cwd, 'strategies'));
  if (!loaded.ok || !strategies.ok) throw new Error('they are good');
  const { settings } = loaded;
  for (const { hash, text } of strategies.strategies) ledger.keepStrategy(hash, text, NOON);
  ledger.saveHeartbeat(alive, {
    ...{ startedAt: alive.startedAt, readAt: alive.startedAt, config: settings.file, folder: settings.strategies },
    ...{ settings: settingsThatCount(settings), limits: settings.limits, health: settings.feed.health },
    strategies: strategies.strategies.map(({ name, hash }) => ({ name, hash })),
    ...given,
  });
  return ledger;
}

const say = (cwd: string, ...args: readonly string[]): ReturnType<typeof magpie> =>
  magpie([...args, '--config', 'magpie.yaml'], { cwd, clock: new VirtualClock(NOON) });

const lowered = onPlayMoney.replace('day: 500', 'day: 300');
const dearer = redlines.replace('day: 50', 'day: 70').replace('max: 20', 'max: 2000');

describe('what the running daemon goes by', () => {
  it('is no matter while the files say the same', async () => {
    const cwd = place();
    running(cwd);
    expect((await say(cwd, 'status')).out).not.toContain('changed');
    expect(JSON.parse((await say(cwd, 'status', '--json')).out)).toMatchObject({ restartNeeded: false, changed: null });
  });

  it('is told where the files have changed since: which, since when, and what that leads to', async () => {
    const cwd = place({ 'strategies/gone.yaml': redlines.replace('redlines', 'gone') });
    running(cwd);
    writeFileSync(join(cwd, 'magpie.yaml'), lowered);
    writeFileSync(join(cwd, 'strategies/redlines.yaml'), dearer);
    writeFileSync(join(cwd, 'strategies/gone.yaml'), redlines.replace('redlines', 'new'));
    const { out } = await say(cwd, 'status');
    expect(out.slice(out.indexOf('changed'), out.indexOf('last poll'))).toMatchInlineSnapshot(`
      "changed     magpie.yaml has changed since the daemon read the files at 2026-01-05 11:00:00 UTC: limits.spend
                  strategy gone was removed since the daemon read the files at 2026-01-05 11:00:00 UTC
                  strategy redlines was changed since the daemon read the files at 2026-01-05 11:00:00 UTC
                  strategy new was added since the daemon read the files at 2026-01-05 11:00:00 UTC
                  → limits and strategies count a second or two after they were saved; where they do not, \`magpie check --config magpie.yaml\` says why
      "
    `);
    expect(JSON.parse((await say(cwd, 'status', '--json')).out)).toMatchObject({
      restartNeeded: false,
      changed: {
        since: '2026-01-05T11:00:00.000Z',
        configuration: ['limits.spend'],
        otherConfiguration: null,
        strategies: [
          { name: 'gone', how: 'removed' },
          { name: 'redlines', how: 'changed' },
          { name: 'new', how: 'added' },
        ],
        faulty: false,
      },
    });
  });

  it('needs a restart for what no running daemon takes, or a signal where it follows no files', async () => {
    const cwd = place();
    running(cwd);
    writeFileSync(join(cwd, 'magpie.yaml'), lowered.replace('mode: live', 'mode: live\nreconcile: { interval: 50s }'));
    const restart =
      'the other keys count from the next start on: stop the daemon and start `magpie run --config magpie.yaml` again';
    expect((await say(cwd, 'status')).out).toContain(restart);
    expect(JSON.parse((await say(cwd, 'status', '--json')).out)).toMatchObject({ restartNeeded: true });

    const other = place({ 'magpie.yaml': `${onPlayMoney}reload: { onSave: false }\n` });
    running(other);
    writeFileSync(join(other, 'magpie.yaml'), `${lowered}reload: { onSave: false }\n`);
    expect((await say(other, 'status')).out).toContain('none of it counts yet: send the daemon SIGHUP');
    expect(JSON.parse((await say(other, 'status', '--json')).out)).toMatchObject({ restartNeeded: true });
  });

  it('has its own caps, whatever the files say by now', async () => {
    const cwd = place();
    running(cwd);
    writeFileSync(join(cwd, 'magpie.yaml'), lowered);
    writeFileSync(join(cwd, 'strategies/redlines.yaml'), dearer);
    const { caps } = JSON.parse((await say(cwd, 'status', '--json')).out) as { caps: { key: string; cap: number }[] };
    expect(caps.filter(({ key }) => key === 'limits.spend.day').map(({ cap }) => cap)).toEqual([500, 50]);
  });

  it('is told where a strategy has a fault, or the configuration is another file', async () => {
    const cwd = place();
    running(cwd, { config: '/elsewhere/live.yaml' });
    writeFileSync(join(cwd, 'strategies/redlines.yaml'), 'name: [\n');
    const { out } = await say(cwd, 'status');
    expect(out).toContain('the daemon was started with another configuration, /elsewhere/live.yaml');
    expect(out).toContain('a strategy has a fault since the daemon read the files at 2026-01-05 11:00:00 UTC');
    expect(out).not.toContain("The strategies' own caps are missing");
  });

  it('is what `why` judges by, unless a folder is given', async () => {
    const cwd = place({ 'listing.json': JSON.stringify(entry({ id: '1' })) });
    running(cwd);
    writeFileSync(join(cwd, 'strategies/redlines.yaml'), dearer);
    const { out } = await say(cwd, 'why', '--listing', 'listing.json');
    expect(out).toContain('Judged by what the running daemon goes by; the files say something else:');
    expect(out).toContain('at most $20.00');
    const byFiles = await say(cwd, 'why', '--listing', 'listing.json', '--strategies', 'strategies');
    expect(byFiles.out).not.toContain('Judged by');
    expect(byFiles.out).toContain('at most $2000.00');
  });

  it('is written by the daemon itself, at its start and when it has taken what was saved; --dry-run is no change of the file', async () => {
    const cwd = place();
    const signals = new Signals();
    const clock = new SystemClock();
    const run = (args: readonly string[]): ReturnType<typeof magpie> =>
      magpie([...args, '--config', 'magpie.yaml'], { cwd, clock, signals });
    const ended = run(['run', '--dry-run', '--for', '1h']);
    const told = async (): Promise<string> => (await run(['status', '--json'])).out;
    for (let tries = 0; tries < 200 && !(await told()).includes('"signOfLifeAt": "'); tries++)
      await new Promise((resolve) => void setTimeout(resolve, 50));
    expect(JSON.parse(await told())).toMatchObject({ mode: 'dry-run', restartNeeded: false, changed: null });
    writeFileSync(join(cwd, 'magpie.yaml'), `${lowered}reconcile: { interval: 50s }\n`);
    const takes = async (): Promise<unknown> => JSON.parse(await told());
    const taken = { restartNeeded: true, changed: { configuration: ['reconcile.interval'] } };
    await vi.waitFor(async () => expect(await takes()).toMatchObject(taken), { timeout: 90_000, interval: 100 });
    const { caps } = (await takes()) as { caps: { key: string; cap: number }[] };
    expect(caps.find(({ key }) => key === 'limits.spend.day')?.cap).toBe(300);
    signals.send('SIGTERM');
    expect((await ended).code).toBe(0);
  });
});
