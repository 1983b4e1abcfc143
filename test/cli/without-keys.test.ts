import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { acquireFolderLock } from '../../src/ledger/lock.ts';
import { begun, outcomes, settled } from '../ledger/support.ts';
import { entry } from '../support/feed-entries.ts';
import { NOON } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { ledgerAt, magpie, place } from './harness.ts';

const withKeys = `service: { baseUrl: "\${SOME_URL}" }
account: { apiKey: "\${SOME_KEY}", partnerKey: "\${OTHER_KEY}", tradeUrl: "\${SOME_TRADE_URL}" }
limits: { maxPrice: 150, spend: { day: 500 } }
web: { host: 0.0.0.0, token: "\${WEB_TOKEN}" }
mode: live
`;

function here(): string {
  const cwd = place({ 'magpie.yaml': withKeys, 'listing.json': JSON.stringify(entry()) });
  const ledger = ledgerAt(cwd);
  settled(ledger, begun(ledger, 1), outcomes.unknown());
  return cwd;
}

describe('a terminal that does not have the keys', () => {
  it.each([
    'status',
    'status --json',
    'purchases',
    'purchases 1 --json',
    'why 1',
    'why --listing listing.json',
    'resolve 1 --as bought --reason seen',
    'halt --reason enough',
    'resume',
  ])('can do what sends nothing: %s', async (line) => {
    const { code, err } = await magpie([...line.split(' '), '--config', 'magpie.yaml'], { cwd: here() });
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });

  it.each(['run --once', 'buy 1 --market c5game', 'reconcile', 'audit', 'check'])(
    'is told what is missing for what needs them: %s',
    async (line) => {
      const { code, out, err } = await magpie([...line.split(' '), '--config', 'magpie.yaml'], { cwd: here() });
      expect(code).toBe(2);
      for (const name of ['SOME_URL', 'SOME_KEY', 'SOME_TRADE_URL', 'WEB_TOKEN'])
        expect(out + err).toContain(`the environment variable ${name} is not set`);
    },
  );

  it.each(['buy 1 --market c5game', 'reconcile', 'audit'])(
    'can have a running daemon do what needs them, which has them: %s',
    async (line) => {
      const cwd = here();
      const held = acquireFolderLock(join(cwd, 'data'));
      if (!held.ok) throw new Error(held.fault.message);
      onTestFinished(() => held.lock.release());
      const ledger = ledgerAt(cwd);
      const clock = new VirtualClock(NOON);
      const ran = magpie([...line.split(' '), '--config', 'magpie.yaml'], { cwd, clock });
      await clock.advance(300);
      const request = ledger.takeUp(clock.now(), 30_000);
      expect(request?.kind).toBe(line.split(' ')[0]);
      ledger.answer(request?.id ?? 0, { ok: false, error: 'the service is away' }, clock.now());
      await clock.advance(300);
      const { code, out, err } = await ran;
      expect(code).toBe(1);
      expect(out + err).toContain('the service is away');
      expect(out + err).not.toContain('environment variable');
    },
  );

  it('is told of every other fault, and of a variable that names the data folder', async () => {
    const cwd = place({ 'magpie.yaml': withKeys.replace('maxPrice', 'maxPrise') });
    expect((await magpie(['status', '--config', 'magpie.yaml'], { cwd })).err).toContain('limits.maxPrise');
    const elsewhere = place({ 'magpie.yaml': `${withKeys}data: "\${WHERE}"\n` });
    const { code, err } = await magpie(['status', '--config', 'magpie.yaml'], { cwd: elsewhere });
    expect(code).toBe(2);
    expect(err).toContain('the environment variable WHERE is not set');
    expect(err).not.toContain('SOME_KEY');
  });

  it('shows none of the secrets that it has', async () => {
    const env = {
      SOME_TRADE_URL: 'https://steamcommunity.com/tradeoffer/new/?partner=1&token=AbCdEfGh',
      OTHER_KEY: 'other-key-1',
    };
    const cwd = here();
    await magpie(['halt', '--reason', 'AbCdEfGh other-key-1 x', '--config', 'magpie.yaml'], { cwd, env });
    const { out } = await magpie(['status', '--config', 'magpie.yaml'], { cwd, env: {} });
    expect(out).not.toMatch(/AbCdEfGh|other-key-1/);
  });
});
