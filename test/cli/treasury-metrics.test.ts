import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import { treasuryReasonNames } from '../../src/monitor/labels.ts';
import { reasonTexts } from '../../src/treasury/decide/reasons.ts';
import { type Sample, readExposition, valueOf } from '../monitor/exposition.ts';
import { PATIENCE_MS } from '../app/stage.ts';
import { type Ran, Signals, magpie } from './harness.ts';
import { SHOP, STORE, TOP, type TreasuryScene, treasuryScene } from './treasury-scene.ts';

/** A port that nobody listens at, or that is listened at until the test ends. */
async function port(taken: boolean): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: found } = server.address() as AddressInfo;
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  if (taken) onTestFinished(close);
  else await close();
  return found;
}

interface Running extends TreasuryScene {
  readonly address: string;
  stop(): Promise<Ran>;
}

async function running(taken = false, change: (yaml: string) => string = (yaml) => yaml): Promise<Running> {
  const at = await port(taken);
  const scene = await treasuryScene((yaml) => change(yaml.replace('mode: live', `mode: live\n  metrics: { port: ${at} }`)));
  const signals = new Signals();
  const run = magpie(['treasury', 'run', '--config', 'treasury.yaml'], { cwd: scene.cwd, clock: new SystemClock(), signals });
  const stop = (): Promise<Ran> => {
    signals.send('SIGTERM');
    return run;
  };
  onTestFinished(async () => void (await stop()));
  return { ...scene, address: `http://127.0.0.1:${at}`, stop };
}

/** What is told once it is so. */
async function eventually(address: string, isSo: (samples: readonly Sample[]) => boolean): Promise<readonly Sample[]> {
  let samples: readonly Sample[] = [];
  await vi.waitFor(
    async () => {
      samples = readExposition(await (await fetch(`${address}/metrics`)).text());
      expect(isSo(samples)).toBe(true);
    },
    { timeout: PATIENCE_MS, interval: 200 },
  );
  return samples;
}

describe('the metrics of a treasury', () => {
  it('say what its journal and its last round do, at an address of its own, and nothing of what buys', async () => {
    const { address, run, stop } = await running();
    const samples = await eventually(address, (each) => valueOf(each, 'magpie_treasury_balance_dollars') !== undefined);
    const told = (name: string, labels?: Record<string, string>): number | undefined => valueOf(samples, name, labels);
    expect([told('magpie_treasury_balance_dollars'), told('magpie_treasury_reserve_dollars')]).toEqual([1_000, 100]);
    expect(['shop', 'store'].map((child) => told('magpie_treasury_child_balance_dollars', { child }))).toEqual([20, 300]);
    expect(told('magpie_treasury_child_floor_dollars', { child: 'shop' })).toBe(50);
    expect(['transfer', 'enough', 'unread'].map((reason) => told('magpie_treasury_children', { reason }))).toEqual([1, 1, 0]);
    expect(['open', 'made'].map((state) => told('magpie_treasury_transfers', { state }))).toEqual([0, 1]);
    expect(told('magpie_treasury_transferred_dollars', { state: 'made' })).toBe(180);
    expect(['hour', 'day'].map((window) => told('magpie_treasury_moved_dollars', { window }))).toEqual([180, 180]);
    expect(['hour', 'day'].map((window) => told('magpie_treasury_moved_limit_dollars', { window }))).toEqual([600, 2_000]);
    expect([told('magpie_treasury_halted'), told('magpie_treasury_round_late')]).toEqual([0, 0]);
    expect(told('magpie_build_info', { mode: 'live' })).toBe(1);
    expect(told('process_resident_memory_bytes')).toBeGreaterThan(0);
    expect(samples.filter(({ name }) => /^magpie_(?!treasury_|build_info|disk_)/.test(name))).toEqual([]);

    await run('treasury', 'halt', '--reason', 'to see it told');
    await eventually(address, (each) => valueOf(each, 'magpie_treasury_halted') === 1);
    const ready = await fetch(`${address}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([200, { ready: true, halted: true }]);
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    const text = await (await fetch(`${address}/metrics`)).text();
    const ended = await stop();
    expect([ended.code, ended.err]).toEqual([0, expect.stringContaining(`Metrics of the treasury at ${address}/metrics`)]);
    for (const secret of [TOP, SHOP, STORE]) expect(text + ended.err).not.toContain(secret);
    await expect(fetch(`${address}/metrics`)).rejects.toThrow();
  });

  it('tell no balance that is not known', async () => {
    const { address } = await running(false, (yaml) => yaml.replace(SHOP, 'play-key-that-nobody-knows'));
    const samples = await eventually(address, (each) => valueOf(each, 'magpie_treasury_children', { reason: 'unread' }) === 1);
    const balances = samples.filter(({ name }) => name === 'magpie_treasury_child_balance_dollars');
    expect(balances).toMatchObject([{ labels: { child: 'store' }, value: 300 }]);
  });

  it('that cannot be listened for are told of, and the rounds go on', async () => {
    const { journal, stop } = await running(true);
    await vi.waitFor(() => expect(journal().transfers(0)).toMatchObject([{ state: 'made' }]), { timeout: PATIENCE_MS });
    const { code, err } = await stop();
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/Nobody can read metrics of the treasury at 127\.0\.0\.1:\d+: .*EADDRINUSE/),
    ]);
  });

  it('have a word for each reason that a child may have', () => {
    expect([...treasuryReasonNames].sort()).toEqual(Object.keys(reasonTexts).sort());
  });
});
