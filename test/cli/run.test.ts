import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import { Secret } from '../../src/domain/secret.ts';
import { acquireKeyLock } from '../../src/ledger/lock.ts';
import { type Ran, Signals, magpie, onPlayMoney, place } from './harness.ts';

// Real processes of their own pace: on a busy machine they take their time.
vi.setConfig({ testTimeout: 180_000 });

/** Buys whatever is cheap, on an exchange where nothing goes wrong. */
const calm = `service: { sandbox: { seed: 7, listings: 60, speed: 20, faults: { healthDegraded: 0, healthDown: 0, orderFails: 0, orderReverts: 0 } } }
limits: { maxPrice: 20, spend: { hour: 60, day: 60 } }
feed: { interval: 250ms }
rate: { reads: { perSecond: 50, concurrent: 4 }, buys: { perSecond: 20, concurrent: 1 } }
strategies: ./strategies
mode: live
`;
const anything = 'name: anything\nwhen: { name: "*" }\nprice: { max: 20, maxOfSteam: 0.95 }\n';

function market(files: Readonly<Record<string, string>> = {}): string {
  return place({ 'magpie.yaml': calm, 'strategies/redlines.yaml': anything, ...files });
}

function here(cwd: string, args: readonly string[], signals = new Signals()): Promise<Ran> {
  return magpie([...args, '--config', 'magpie.yaml'], { cwd, clock: new SystemClock(), signals });
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await condition()) return;
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }
  throw new Error('it did not come to pass');
}

describe('run', () => {
  it('starts nothing where the configuration or a strategy is faulty', async () => {
    const faulty: readonly Readonly<Record<string, string>>[] = [
      { 'magpie.yaml': onPlayMoney.replace('maxPrice', 'maxPrise') },
      { 'strategies/redlines.yaml': 'name: redlines\nwhen: {}\n' },
      { 'magpie.yaml': onPlayMoney.replace('./strategies', './nowhere') },
    ];
    for (const files of faulty) {
      const cwd = place(files);
      const { code, out, err } = await here(cwd, ['run', '--once']);
      expect({ files, code, out }).toEqual({ files, code: 2, out: '' });
      expect(err).toContain('nothing was done');
      expect(existsSync(join(cwd, 'data'))).toBe(false);
    }
  });

  it('--dry-run --once ends with what would be bought now and for how much in all, again and again [C14]', async () => {
    const cwd = market();
    for (const round of ['first', 'second']) {
      const { code, out } = await here(cwd, ['run', '--dry-run', '--once']);
      expect({ round, code }).toEqual({ round, code: 0 });
      expect(out.trimEnd().split('\n').at(-1)).toMatch(
        /^\d+ would be bought now, for \$\d+\.\d\d in all \(on paper: nothing was sent\)$/,
      );
      expect(out.split('\n')[0]).toBe('Configuration magpie.yaml, data folder data');
    }
    const rows = JSON.parse((await here(cwd, ['purchases', '--json'])).out) as { state: string; mode: string }[];
    expect(new Set(rows.map(({ state, mode }) => `${mode} ${state}`))).toEqual(new Set(['dry-run simulated']));
  });

  it('buys, while other commands work beside it, until a signal ends it in order [P14]', async () => {
    const cwd = market();
    const signals = new Signals();
    const running = here(cwd, ['run', '--for', '1h'], signals);
    await until(async () => (await here(cwd, ['purchases', '--state', 'bought', '--json'])).out.includes('"bought"'));
    const statusNow = async (): Promise<{ readonly daemon: { readonly blockers: readonly unknown[] } }> =>
      JSON.parse((await here(cwd, ['status', '--json'])).out) as { daemon: { blockers: unknown[] } };
    // The sign of life that says so may be a second behind the first purchase.
    await until(async () => (await statusNow()).daemon.blockers.length === 0);
    expect(await statusNow()).toMatchObject({
      mode: 'live',
      halted: false,
      balance: expect.any(Number) as number,
      daemon: { blockers: [] },
    });
    await until(async () => (await here(cwd, ['status'])).out.includes(`process ${process.pid}`));
    const second = await here(cwd, ['run', '--once']);
    expect(second.code).toBe(3);
    expect(second.err).toContain('→ `magpie status --config magpie.yaml` shows what it does');
    expect((await here(cwd, ['reconcile'])).code).toBe(0);
    expect((await here(cwd, ['halt', '--reason', 'enough'])).code).toBe(0);
    const buy = await here(cwd, ['buy', '1', '--market', 'c5game']);
    expect(buy.code).toBe(1);
    expect(buy.err).not.toBe('');
    signals.send('SIGINT');
    const { code, out } = await running;
    expect(code).toBe(0);
    expect(out).toContain('Stopping (Ctrl-C)');
    expect(JSON.parse((await here(cwd, ['status', '--json'])).out)).toMatchObject({ halted: true, haltReason: 'enough' });
  });

  it('points from a key that is held elsewhere to the other folder, and not to its own', async () => {
    const key = `held-elsewhere-${process.pid}`;
    const cwd = place({
      'magpie.yaml': `service: { baseUrl: "http://127.0.0.1:9" }
account: { apiKey: ${key}, tradeUrl: "https://steamcommunity.com/tradeoffer/new/?partner=1&token=AbCdEfGh" }
limits: { maxPrice: 20, spend: { day: 60 } }
mode: live
`,
    });
    const env = { XDG_RUNTIME_DIR: cwd };
    const held = acquireKeyLock(new Secret(key), env, []);
    if (!held.ok) throw new Error(held.fault.message);
    onTestFinished(() => held.lock.release());
    const args = ['run', '--once', '--config', 'magpie.yaml'];
    const { code, err } = await magpie(args, { cwd, env, clock: new SystemClock() });
    expect(code).toBe(3);
    expect(err).toMatch(
      /another process is at work with this key .*\n→ it works on another data folder: `magpie status --data DIR`/,
    );
  });

  it('ends in order when the npm that started it is gone, and says so', async () => {
    const cwd = market();
    let npm = 4711;
    const env = { npm_lifecycle_event: 'start' };
    const args = ['run', '--for', '1h', '--config', 'magpie.yaml'];
    const running = magpie(args, { cwd, env, clock: new SystemClock(), parent: () => npm });
    await until(async () => (await here(cwd, ['purchases', '--state', 'bought', '--json'])).out.includes('"bought"'));
    npm = 1;
    const { code, out } = await running;
    expect(code).toBe(0);
    expect(out).toContain('Stopping (the npm that started Magpie has ended');
    expect(out).toMatch(/Stopped after .* bought/);
  });

  it('ends at once at the second signal', async () => {
    const cwd = market();
    const signals = new Signals();
    const running = here(cwd, ['run', '--for', '1h'], signals);
    await until(async () => (await here(cwd, ['status'])).out.includes('running for'));
    signals.send('SIGTERM');
    signals.send('SIGTERM');
    const { code, err } = await running;
    expect(code).toBe(1);
    expect(err).toContain('Ended at once');
    await until(async () => !(await here(cwd, ['run', '--once', '--dry-run'])).err.includes('another process'));
  });
});

describe('buy and reconcile where no daemon runs', () => {
  const standing = async (cwd: string): Promise<{ id: string; market: string }> => {
    const { out } = await here(cwd, ['run', '--dry-run', '--once']);
    expect(out).toContain('would be bought now');
    const rows = JSON.parse((await here(cwd, ['purchases', '--json'])).out) as { listingId: string; market: string }[];
    return { id: rows[0]?.listingId ?? '', market: rows[0]?.market ?? '' };
  };

  it('buys one listing at the price seen now, through the same journal, in this process', async () => {
    const cwd = market();
    const { id, market: where } = await standing(cwd);
    const { code, out, err } = await here(cwd, ['buy', id, '--market', where]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Configuration magpie.yaml, data folder data, live');
    const [row] = JSON.parse((await here(cwd, ['purchases', '--json'])).out) as Record<string, unknown>[];
    expect(row).toMatchObject({ listingId: id, market: where, strategy: 'by-hand', mode: 'live' });
    const again = await here(cwd, ['buy', id, '--market', where, '--json']);
    expect(again.code).toBe(1);
    const said = /^listing \d+ was bought before: purchase \d+ of 20\d\d-.* UTC, \$\d+\.\d+ with the fee, is \w+; .* twice\./;
    expect(JSON.parse(again.out)).toMatchObject({ ok: false, purchase: null, message: expect.stringMatching(said) as string });
    const settled = await here(cwd, ['reconcile', '--json']);
    expect(settled.code).toBe(0);
    expect(JSON.parse(settled.out)).toMatchObject({ ok: true, unknown: [] });
  });

  it('buys nothing when halted', async () => {
    const cwd = market();
    const { id, market: where } = await standing(cwd);
    await here(cwd, ['halt', '--reason', 'no']);
    const { code, err } = await here(cwd, ['buy', id, '--market', where]);
    expect(code).toBe(1);
    expect(err).toContain('halted');
    expect((await here(cwd, ['purchases', '--json'])).out).not.toContain('by-hand');
  });

  it('looks at nothing where there is no ledger', async () => {
    const { code, err } = await here(market(), ['reconcile']);
    expect(code).toBe(1);
    expect(err).toContain('There is no ledger in');
  });
});
