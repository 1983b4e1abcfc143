import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HostileServer, answering } from '../gateway/hostile-server.ts';
import { valueOf } from '../monitor/exposition.ts';
import { NotifySocket, canHear } from '../support/notify-socket.ts';
import { compareWhen, eventually, scraped, startTold } from './metrics-compared.ts';
import { ScriptedService, failure, listings } from './scripted-service.ts';
import { beside, freshPlace, offer, openExchange, pause, postsAt, startBot } from './stage.ts';

async function readiness(address: string): Promise<{ status: number; late: string[]; halted: boolean }> {
  const answer = await fetch(`${address}/readyz`);
  return { status: answer.status, ...((await answer.json()) as { late: string[]; halted: boolean }) };
}

describe('the metrics of a daemon', () => {
  it('agree with its ledger', async () => {
    expect(await compareWhen(0, (states) => states.length === 9 && states.includes('completed'))).toBe(9);
  });

  it('go on from what the ledger held at the start, and count from 0 what happens since', async () => {
    const exchange = await openExchange({ offers: [offer('1'), offer('2')], speed: 0.001 });
    const place = freshPlace();
    const first = await startBot({ place, at: exchange });
    await first.sees('both bought', () => first.purchases().filter(({ state }) => state === 'bought').length === 2);
    await first.stop();
    const { address } = await startTold({ place, at: exchange });
    const samples = await eventually(address, (each) => valueOf(each, 'magpie_ready') === 1);
    expect(valueOf(samples, 'magpie_purchases', { state: 'bought' })).toBe(2);
    expect(valueOf(samples, 'magpie_purchase_moves_total', { state: 'bought' })).toBe(0);
    expect(valueOf(samples, 'magpie_spent_dollars', { lane: 'live' })).toBe(21);
  });

  it('say of a dry run what it would have spent, and that nothing was', async () => {
    const exchange = await openExchange({ offers: [offer('1')], speed: 0.001 });
    const { bot, address } = await startTold({ at: exchange, dryRun: true });
    await bot.sees('it on paper', () => bot.purchases()[0]?.state === 'simulated');
    const samples = await eventually(address, (each) => valueOf(each, 'magpie_purchases', { state: 'simulated' }) === 1);
    expect(valueOf(samples, 'magpie_spent_dollars', { lane: 'paper' })).toBe(10.5);
    expect(valueOf(samples, 'magpie_spent_dollars', { lane: 'live' })).toBe(0);
    expect(valueOf(samples, 'magpie_build_info', { mode: 'dry-run', version: '0.0.0-test' })).toBe(1);
  });

  it('hold neither keys nor the dead man’s address', async () => {
    const exchange = await openExchange({ offers: [offer('1')] });
    const pinged = await HostileServer.start(answering(404, 'no PING-0123456789abcdef here'));
    onTestFinished(() => pinged.close());
    const config = { deadMan: { url: `${pinged.url}/PING-0123456789abcdef`, every: '1m' } };
    const { bot, address } = await startTold({ at: exchange, config });
    await bot.sees('a ping', () => pinged.requests.length > 0);
    await bot.says('takes no pings');
    const texts = await Promise.all(
      ['metrics', 'readyz', 'healthz'].map(async (page) => (await fetch(`${address}/${page}`)).text()),
    );
    for (const secret of [exchange.childKey, exchange.topLevelKey, exchange.tradeUrl, 'PING-0123456789abcdef'])
      for (const text of [...texts, bot.text]) expect(text).not.toContain(secret);
  });

  it('that cannot be listened for are told of once, and nothing is bought the less', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
    const exchange = await openExchange({ offers: [offer('1')], speed: 0.001 });
    const bot = await startBot({ place: freshPlace(), at: exchange, config: { metrics: { port } } });
    await bot.says(`Nobody can read metrics at 127.0.0.1:${port}: another program listens there`);
    await bot.sees('a purchase', () => postsAt(exchange) === 1);
    expect(bot.beside((ledger) => ledger.alerts(0, 9)).map(({ kind }) => kind)).toEqual(['monitoring']);
    expect(await bot.stop()).toEqual({ exitCode: 0 });
  });

  it('say why nothing is bought: health, key, halt', async () => {
    const service = await ScriptedService.open({ live: () => listings([]), health: () => failure(403, 'FORBIDDEN', 'no') });
    const { address } = await startTold({ at: service.address });
    const samples = await eventually(
      address,
      (each) => valueOf(each, 'magpie_buying_closed', { reason: 'health-unknown' }) === 1,
    );
    expect(valueOf(samples, 'magpie_buying_open', { market: 'c5game' })).toBe(0);
    expect(valueOf(samples, 'magpie_market_healthy', { market: 'ecosteam' })).toBe(0);
    expect(valueOf(samples, 'magpie_requests_total', { endpoint: 'marketHealth', result: 'key' })).toBeGreaterThan(0);
    expect(valueOf(samples, 'magpie_halted')).toBe(0);
  });

  it('count the 429s of the service, and how long it wants us to wait', async () => {
    const service = await ScriptedService.open({ live: () => failure(429, 'RATE', 'slow down', { 'retry-after': '60' }) });
    const { address } = await startTold({ at: service.address });
    const samples = await eventually(address, (each) => (valueOf(each, 'magpie_slowed_seconds') ?? 0) > 0);
    expect(valueOf(samples, 'magpie_too_many_requests_total', { endpoint: 'liveListings' })).toBe(1);
    expect(valueOf(samples, 'magpie_polls_total', { result: 'failed' })).toBeGreaterThan(0);
    expect(valueOf(samples, 'magpie_poll_failures_total', { cause: 'rate' })).toBeGreaterThan(0);
  });

  it('are put together once for all who ask at the same time', async () => {
    const exchange = await openExchange({ offers: [] });
    const { address } = await startTold({ at: exchange });
    const texts = await Promise.all(Array.from({ length: 20 }, async () => (await fetch(`${address}/metrics`)).text()));
    expect(new Set(texts).size).toBe(1);
  });
});

describe('a daemon is ready', () => {
  it('once it has polled, judged and looked at the orders; halted by a person it still is', async () => {
    const exchange = await openExchange({ offers: [] });
    const { bot, address } = await startTold({ at: exchange });
    await eventually(address, (samples) => valueOf(samples, 'magpie_ready') === 1);
    beside(bot.data, (ledger) => ledger.halt('enough', 'person', Date.now()));
    await eventually(address, (samples) => valueOf(samples, 'magpie_halted') === 1);
    expect(await readiness(address)).toMatchObject({ status: 200, late: [], halted: true });
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
  });

  it('never before: what is missing is named', async () => {
    const service = await ScriptedService.open({
      live: () => failure(500, 'DOWN', 'no'),
      orders: () => failure(500, 'DOWN', 'no'),
    });
    const { address } = await startTold({ at: service.address });
    await eventually(address, (samples) => (valueOf(samples, 'magpie_polls_total', { result: 'failed' }) ?? 0) > 2);
    expect(await readiness(address)).toMatchObject({ status: 503, late: ['poll', 'decision', 'reconciliation'] });
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    expect((await scraped(address)).find(({ name }) => name === 'magpie_ready')?.value).toBe(0);
  });
});

describe('the dead man’s ping', () => {
  it('is sent while there is progress', async () => {
    const pinged = await HostileServer.start(answering(200, 'OK'));
    onTestFinished(() => pinged.close());
    const exchange = await openExchange({ offers: [] });
    const config = { deadMan: { url: `${pinged.url}/ping/0123456789abcdef?x=1`, every: '1m' } };
    const { bot } = await startTold({ at: exchange, config });
    await bot.sees('a ping', () => pinged.requests.length > 0);
    expect(pinged.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['GET', '/ping/0123456789abcdef?x=1', ''],
    ]);
  });

  it('is not sent while there is none', async () => {
    const pinged = await HostileServer.start(answering(200, 'OK'));
    onTestFinished(() => pinged.close());
    const service = await ScriptedService.open({ live: () => failure(500, 'DOWN', 'no') });
    const { bot } = await startTold({ at: service.address, config: { deadMan: { url: `${pinged.url}/ping`, every: '1m' } } });
    await bot.sees('polls', () => bot.daemon.core.facts.polls > 10);
    await pause(1_500);
    expect(pinged.requests).toEqual([]);
  });
});

describe.runIf(canHear)('the service manager of a daemon', () => {
  it('hears of its start, its progress, a reload and its end', async () => {
    const place = freshPlace();
    const socket = await NotifySocket.open(join(place, 'notify.sock'));
    const exchange = await openExchange({ offers: [] });
    const bot = await startBot({
      ...{ place, at: exchange, follow: true },
      env: { PATH: process.env['PATH'], NOTIFY_SOCKET: socket.name, WATCHDOG_USEC: '3000000' },
    });
    expect(await socket.hears('READY=1')).toBe(true);
    expect(await socket.hears('WATCHDOG=1')).toBe(true);
    expect(await socket.hears(/^STATUS=0 listings · 0 matching/)).toBe(true);
    const starts = (): number => socket.words.filter((word) => word === 'READY=1').length;
    bot.daemon.reload();
    expect(await socket.hears('RELOADING=1')).toBe(true);
    expect(await socket.hears(/^MONOTONIC_USEC=\d+$/)).toBe(true);
    await bot.sees('the end of the reload', () => starts() === 2);
    await bot.stop();
    expect(await socket.hears('STOPPING=1')).toBe(true);
  });
});
