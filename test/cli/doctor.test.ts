import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import type { Heartbeat } from '../../src/ledger/heartbeat.ts';
import { acquireFolderLock } from '../../src/ledger/lock.ts';
import { startSandbox } from '../../src/sandbox/start.ts';
import { ScriptedService, type Scripts, failure, listings, profile, success } from '../app/scripted-service.ts';
import { type Ran, ledgerAt, magpie, place } from './harness.ts';

const remote = (more = ''): string => `service: { baseUrl: "\${MAGPIE_BASE_URL}" }
account: { apiKey: "\${MAGPIE_API_KEY}", partnerKey: "\${MAGPIE_PARTNER_KEY:-}", tradeUrl: "\${MAGPIE_TRADE_URL:-}" }
rate: { reads: { perSecond: 50 } }
limits: { maxPrice: 20, spend: { day: 100 }, reserve: 25 }
strategies: ./strategies
${more}`;

interface Address {
  readonly baseUrl: string;
  readonly childKey: string;
  readonly topLevelKey: string;
  readonly tradeUrl: string;
}

function folder(address: Address, more = ''): string {
  const { baseUrl, childKey, topLevelKey, tradeUrl } = address;
  const env = { BASE_URL: baseUrl, API_KEY: childKey, PARTNER_KEY: topLevelKey, TRADE_URL: tradeUrl };
  const lines = Object.entries(env).map(([name, value]) => `MAGPIE_${name}=${value}\n`);
  const cwd = place({ 'magpie.yaml': remote(more), '.env': lines.join('') });
  mkdirSync(join(cwd, 'data'), { mode: 0o700 });
  return cwd;
}

function doctor(cwd: string, args: readonly string[] = [], clock = new SystemClock()): Promise<Ran> {
  return magpie(['doctor', '--config', 'magpie.yaml', ...args], { cwd, clock, env: { XDG_RUNTIME_DIR: cwd } });
}

interface Check {
  readonly check: string;
  readonly status: string;
  readonly message: string;
  readonly next: string | null;
}

/** What the doctor finds beside a service that answers so; it must never have sent anything but questions. */
async function found(scripts: Scripts, more = ''): Promise<{ code: number; of: (check: string) => Check | undefined }> {
  const service = await ScriptedService.open(scripts);
  const { code, out } = await doctor(folder(service.address, more), ['--json']);
  expect(service.server.requests.map(({ method }) => method).filter((method) => method !== 'GET')).toEqual([]);
  const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: Check[] };
  expect(ok).toBe(code === 0);
  return {
    code,
    of: (check) => checks.find((one) => one.check === check && one.status !== 'ok') ?? checks.find((one) => one.check === check),
  };
}

describe('the doctor', () => {
  it('finds all well on the exchange, in whatever time zone the machine is', async () => {
    const sandbox = await startSandbox({ seed: 7, listings: 50, clock: new SystemClock() });
    onTestFinished(() => sandbox.close());
    for (const zone of ['UTC', 'Asia/Kathmandu', 'Pacific/Marquesas']) {
      vi.stubEnv('TZ', zone);
      const { code, out, err } = await doctor(folder(sandbox, 'mode: live\n'));
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toContain('ok    key            taken, for account ');
      expect(out).toContain('A child key: it buys and sees its own balance only');
      expect(out).toContain('ok    market health  c5game ok\n');
      expect(out).toContain('ok    clock          agrees with the service’s to the second');
      expect(out).not.toContain(sandbox.childKey);
      expect(out).not.toContain(sandbox.tradeUrl);
    }
    vi.unstubAllEnvs();
  });

  it('says that a key is refused, and then asks for nothing else', async () => {
    const { code, of } = await found({ user: () => failure(401, 'INVALID_KEY', 'no such key') });
    expect(code).toBe(1);
    expect(of('key')).toEqual({
      check: 'key',
      status: 'fail',
      message: 'refused: no such key (HTTP 401)',
      next: 'compare the key with the one the service shows; a new one goes where account.apiKey comes from',
    });
    expect(of('listings')).toBeUndefined();
  });

  it('tells a top-level key, which can do more than it should, from a child key', async () => {
    const user = success({ type: 'user', message: 'profile', profile: { id: 'a1', balance: 100 } });
    expect((await found({ user: () => user })).of('key')).toMatchObject({
      status: 'warn',
      next: 'make a child key for Magpie with a few days’ budget, and give this one as account.partnerKey',
    });
  });

  it('says what to do where the key may not read market health, unless nothing is asked of that', async () => {
    const scripts = { health: () => failure(403, 'FORBIDDEN', 'top-level key required') };
    const { code, of } = await found(scripts);
    expect(code).toBe(1);
    expect(of('market health')).toMatchObject({
      status: 'fail',
      next: 'give a top-level key as account.partnerKey, or set feed.health.require: off',
    });
    expect(await found(scripts, 'feed: { health: { require: off } }\n')).toMatchObject({ code: 0 });
  });

  it('says that a market is not well, and that nothing is to be done', async () => {
    const ill = { status: 'down', staleMs: 10 };
    const health = success({ status: 'ok', ts: 1, markets: { c5: ill, ecosteam: ill }, service: { c5: true, ecosteam: true } });
    expect((await found({ health: () => health })).of('market health')).toMatchObject({ status: 'warn' });
  });

  it('holds the rates against what the service says, and against what polling needs', async () => {
    const { code, of } = await found({ live: () => failure(429, 'RATE', 'slow down', { 'retry-after': '7' }) });
    expect(code).toBe(1);
    expect(of('rates')).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('the service refuses even a few questions') as string,
    });
    const busy = await found({}, 'feed: { interval: 10ms }\n');
    expect(busy.of('rates')).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('alone take 100.2 questions a second, more than rate.reads.perSecond (50)') as string,
    });
  });

  it.each([
    [20_000, 'warn', '20.0 s behind'],
    [-20_000, 'warn', '20.0 s ahead of'],
    [600_000, 'fail', '600.0 s behind'],
  ] as const)('holds the clock against that of a service which is %i ms ahead', async (ms, status, words) => {
    const date = new Date(Math.floor((Date.now() + ms) / 1_000) * 1_000 + 0).toUTCString();
    const user = success({ type: 'apiKey', message: 'profile', profile: { id: 'a1', balance: 100 } }, { date });
    const clock = (await found({ user: () => user })).of('clock');
    expect(clock).toMatchObject({ status, next: 'have the clock of this machine kept right (NTP)' });
    expect(Math.abs(Number.parseFloat(clock?.message ?? '') - Number.parseFloat(words))).toBeLessThan(5);
    expect(clock?.message).toContain(words.replace(/^[\d.]+ s /, ''));
  });

  it('says that the balance is within the reserve, and that the data folder is another account’s', async () => {
    const service = await ScriptedService.open({ user: () => profile(10) });
    const cwd = folder(service.address);
    ledgerAt(cwd).close();
    const { code, out } = await doctor(cwd);
    expect(code).toBe(1);
    expect(out).toContain('warn  balance        $10.00 on the account, of which $25.00 are the reserve: nothing is bought');
    expect(out).toContain(
      'FAIL  account        the data folder belongs to account account-1, the key to account a1b2c3d4e5f60718293a4b5c',
    );
  });

  it('says where nobody answers, and where listings are closed to the key', async () => {
    const address = { baseUrl: 'http://127.0.0.1:9', childKey: 'k', topLevelKey: 't', tradeUrl: '' };
    const { code, out } = await doctor(folder(address));
    expect(code).toBe(1);
    expect(out).toMatch(/FAIL {2}service {8}no answer that can be used: .*\n *→ see whether this machine reaches the service/);
    expect((await found({ live: () => failure(403, 'FORBIDDEN', 'not for this key') })).of('listings')).toMatchObject({
      status: 'fail',
    });
    expect((await found({ live: () => listings([]) })).of('listings')).toMatchObject({ status: 'ok' });
  });

  it('exits 2 where the configuration is wrong, and still says what it can, and no secret', async () => {
    const cwd = place({
      'magpie.yaml': `${remote()}limitz: {}\n`,
      '.env': 'MAGPIE_API_KEY=the-secret-0123456789\nnonsense the-secret-0123456789\n',
    });
    const { code, out } = await doctor(cwd);
    expect(code).toBe(2);
    expect(out).toContain('ok    node           Node.js ');
    expect(out).toContain('FAIL  configuration  .env:2:1: is no variable');
    expect(out).toContain('FAIL  configuration  magpie.yaml:');
    expect(out).not.toContain('the-secret');
  });

  it('warns of what other users may read or write', async () => {
    const cwd = place();
    ledgerAt(cwd).close();
    writeFileSync(join(cwd, '.env'), '', { mode: 0o600 });
    for (const [name, mode] of [
      ['data', 0o755],
      ['.env', 0o644],
      ['strategies', 0o777],
      ['magpie.yaml', 0o666],
    ] as const)
      chmodSync(join(cwd, name), mode);
    const { code, out } = await doctor(cwd);
    expect(code).toBe(0);
    for (const words of ['→ chmod 700 data', '→ chmod 600 .env', '→ chmod o-w strategies', '→ chmod o-w magpie.yaml'])
      expect(out).toContain(`${words}\n`);
    expect(out).toContain('Nothing fails; ');
  });

  it('says that a data folder cannot be written, or has too little room', async () => {
    const cwd = place({
      'magpie.yaml': 'service: { sandbox: { seed: 7 } }\ndata: ./plain/data\ndisk: { minFree: 10TB }\n',
      plain: 'a file',
    });
    const { code, out } = await doctor(cwd);
    expect(code).toBe(1);
    expect(out).toContain('FAIL  disk ');
    const roomy = await doctor(place({ 'magpie.yaml': 'service: { sandbox: { seed: 7 } }\ndisk: { minFree: 10TB }\n' }));
    expect(roomy.out).toContain('less than disk.minFree (10000.0 GB): no backup is made');
  });
});

describe('the doctor beside a daemon', () => {
  const clock = new SystemClock();

  async function beside(given: Partial<Heartbeat>): Promise<{ ran: Ran; asked: number }> {
    const service = await ScriptedService.open({});
    const cwd = folder(service.address);
    rmSync(join(cwd, '.env'));
    const ledger = ledgerAt(cwd);
    const lock = acquireFolderLock(join(cwd, 'data'));
    if (!lock.ok) throw new Error(lock.fault.message);
    onTestFinished(() => lock.lock.release());
    const now = clock.now();
    const healthy = { status: 'ok', staleMs: 10, service: true };
    ledger.saveHeartbeat({
      ...{
        at: now,
        startedAt: now - 60_000,
        pid: 4711,
        version: '0.0.1',
        mode: 'live',
        lastPollAt: now - 500,
        listings: 1,
        matching: 0,
      },
      ...{ bad: 0, health: { status: 'ok', markets: { c5game: healthy, ecosteam: healthy }, receivedAt: now }, blockers: [] },
      ...given,
    });
    return { ran: await doctor(cwd, [], clock), asked: service.server.requests.length };
  }

  it('asks that instead of the service, and needs no key', async () => {
    const { ran, asked } = await beside({});
    expect(asked).toBe(0);
    expect(ran.out).toContain('ok    daemon         process 4711 is at work');
    expect(ran.out).toContain('warn  version        the daemon is still Magpie 0.0.1, and ');
    expect(ran.out).toContain('ok    market health  c5game ok');
    expect(ran.out).toContain('ok    buying         open, as far as key, clock, balance and journal go');
  });

  it('says what keeps it from buying, and where it does not move', async () => {
    const { ran } = await beside({
      lastPollAt: clock.now() - 60_000,
      blockers: [{ reason: 'clock-wrong', detail: 'it is off' }],
    });
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/FAIL  service        the listings were read \d\S* \S+ ago/);
    expect(ran.out).toContain('warn  buying         closed: it is off (clock-wrong)');
    expect((await beside({ at: clock.now() - 60_000 })).ran.out).toContain('gives no sign of life');
  });
});
