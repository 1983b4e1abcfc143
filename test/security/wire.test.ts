import { describe, expect, it, vi } from 'vitest';
import { type Endpoint, endpoints } from '../../src/api/endpoints.ts';
import { SystemClock } from '../../src/app/system-clock.ts';
import type { ReadName } from '../../src/engine/ports.ts';
import { startSandbox } from '../../src/sandbox/start.ts';
import { ScriptedService, failure, listings, success } from '../app/scripted-service.ts';
import { beside, freshPlace, offer, startBot } from '../app/stage.ts';
import { magpie } from '../cli/harness.ts';
import { order } from '../gateway/answers.ts';
import { never, pause, scenes } from '../gateway/harness.ts';
import { HostileServer, answering, httpAnswer } from '../gateway/hostile-server.ts';
import { plantedAccount } from './support/echoing-service.ts';
import { leaksIn, planted, plantedTradeUrl } from './support/planted-secrets.ts';

vi.setConfig({ testTimeout: 40_000 });

const scene = scenes();
const rows = Object.entries(endpoints) as [string, Endpoint][];

/** Everything that a daemon and its commands may ever ask. */
const allowed = new Set([
  'GET /v2/partner/live/listings',
  'GET /v1/partner/market-health',
  'GET /v1/user',
  'GET /v1/user/fees',
  'GET /v1/user/orders',
  'GET /v1/user/transactions',
  'GET /v1/user/transactions/stats',
  'GET /v1/user/ledger',
  'POST /v2/partner/listing-detail',
  'POST /v2/market/buy',
]);

/** A service where buys are lost, refused and accepted, so that everything is asked that ever is. */
async function busyService(): Promise<ScriptedService> {
  let buys = 0;
  return ScriptedService.open({
    live: () => listings([offer('1'), offer('2'), offer('3'), offer('4')]),
    buy: () => {
      const turn = buys++ % 4;
      if (turn === 0) return failure(500, 'UPSTREAM', 'internal error');
      if (turn === 1) return failure(410, 'LISTING_NOT_FOUND', 'sold');
      if (turn === 2) return httpAnswer(307, '', { location: 'http://127.0.0.1:9/v1/user/wallet/withdraw' });
      return success({ order: { orderId: `u${buys}`, serviceOrderId: `s${buys}`, status: 'SUCCESS', message: null } });
    },
  });
}

async function busyRun(service: ScriptedService): Promise<void> {
  const place = freshPlace();
  const config = {
    limits: { maxPrice: 1_000, spend: { day: 10_000 }, unknown: 100 },
    web: { host: '127.0.0.1', port: 0, token: planted.webToken },
  };
  const bot = await startBot({ place, at: plantedAccount(service), config });
  await bot.sees('four buys', () => service.asked('buy') >= 4);
  await bot.sees('looks of every kind', () => service.asked('orders') >= 3 && service.asked('transactions') >= 1);
  for (const command of [['status'], ['purchases'], ['reconcile'], ['buy', '4', '--market', 'c5game']]) {
    await magpie([...command, '--config', 'magpie.yaml'], { cwd: place, clock: new SystemClock() });
  }
  await bot.stop();
  beside(bot.data, (ledger) => expect(ledger.purchases({}).length).toBeGreaterThanOrEqual(4));
}

describe('what may be asked of the service', () => {
  const changing = rows.filter(([, { moves }]) => moves !== undefined).map(([name]) => name);

  it('is a fixed set: what reads can change nothing, and posts two questions alone [S31]', () => {
    expect(rows.filter(([, { moves }]) => moves === 'money').map(([name]) => name)).toEqual([
      'buy',
      'withdraw',
      'transfer',
      'legacyBuy',
    ]);
    const reading = rows.filter(([name]) => !changing.includes(name));
    expect(reading.filter(([, { method }]) => method === 'POST').map(([name]) => name)).toEqual(['listingDetail', 'onrampQuote']);
    for (const [name, { path, method }] of reading) {
      if (method === 'POST')
        expect(`${name} ${path}`).not.toMatch(/withdraw|transfer|payout|sell|cancel|gift|child|users|key|webhook/i);
    }
  });

  it('by name is a row that changes nothing and no other word, whatever is said with it [S31]', async () => {
    const { server, gateway } = await scene(answering(200, { success: true, data: {} }));
    for (const name of [...changing, '__proto__', 'constructor', 'toString', '', '/v1/user/wallet/withdraw']) {
      const good = rows.find(([row]) => row === name)?.[1].example ?? {};
      const asked = gateway.service.read(name as ReadName, good as object);
      await expect(
        asked.then(
          (reply) => (reply.ok ? 'answered' : 'refused'),
          () => 'refused',
        ),
      ).resolves.toBe('refused');
    }
    await pause(20);
    expect(changing.length).toBe(8);
    expect(server.requests).toEqual([]);
  });
});

describe('over a run in which everything happens', () => {
  it('nothing else is asked, and each secret stands where it belongs and nowhere else [S2 S27 S31]', async () => {
    const service = await busyService();
    await busyRun(service);
    const { requests } = service.server;
    const asked = new Set(requests.map(({ method, path }) => `${method} ${path.split('?')[0]}`));
    expect([...asked].filter((pair) => !allowed.has(pair))).toEqual([]);
    expect(asked.size).toBeGreaterThanOrEqual(6);
    for (const { path, headers, body } of requests) {
      const { 'x-api-key': key, ...others } = headers;
      expect(key).toBe(path === endpoints.marketHealth.path ? planted.partnerKey : planted.apiKey);
      expect(leaksIn(`${path} ${JSON.stringify(others)}`)).toEqual([]);
      if (path !== endpoints.buy.path) expect(leaksIn(body)).toEqual([]);
      else
        expect(JSON.parse(body)).toEqual({
          itemId: expect.any(String) as string,
          price: 10,
          market: 'c5game',
          tradeUrl: plantedTradeUrl,
        });
    }
  });
});

describe('an answer that sends us elsewhere', () => {
  const ways = (elsewhere: string): readonly Record<string, string>[] => [
    { location: `${elsewhere}/v2/market/buy` },
    { location: `//${elsewhere.slice(7)}/v2/market/buy` },
    { location: '/v2/market/buy/again' },
    { refresh: `0; url=${elsewhere}/` },
    { 'alt-svc': `h2="${elsewhere.slice(7)}"; ma=3600, http/1.1="${elsewhere.slice(7)}"` },
    { link: `<${elsewhere}/>; rel=preload, <${elsewhere}/>; rel=preconnect` },
    { 'content-location': `${elsewhere}/`, 'proxy-authenticate': 'Basic', 'www-authenticate': `Basic realm="${elsewhere}"` },
  ];

  it.each([300, 301, 302, 303, 304, 305, 307, 308, 401, 407, 421])(
    'is not followed by a read nor by a buy, whatever its headers: %i [N14 S21]',
    async (status) => {
      const elsewhere = await HostileServer.start(answering(200, { success: true, data: {} }));
      const { server, gateway, venue } = await scene({});
      const buyer = venue();
      for (const headers of ways(elsewhere.url)) {
        server.behave(answering(status, status === 304 ? '' : '{}', headers));
        const [posts, requests] = [server.posts, server.requests.length];
        expect((await gateway.service.read('user')).ok).toBe(false);
        const { outcome } = await buyer.buy(order, never);
        expect(outcome.kind).not.toBe('bought');
        await pause(5);
        expect([server.posts - posts, server.requests.length - requests]).toEqual([1, 2]);
      }
      expect(elsewhere.connections).toBe(0);
      await elsewhere.close();
    },
  );
});

describe('the other way round', () => {
  it('nothing listens while the daemon buys from a service: who is not asked cannot be attacked', async () => {
    const service = await busyService();
    const servers = (): number => process.getActiveResourcesInfo().filter((name) => /TCPServer|PipeServer|UDP/.test(name)).length;
    const bot = await startBot({ place: freshPlace(), at: service.address });
    await bot.sees('polls', () => service.asked('live') >= 2);
    // The service itself, in this process; those of other tests may still be closing.
    await bot.sees('no other server', () => servers() === 1);
    expect(servers()).toBe(1);
    await bot.stop();
  });

  it('the embedded exchange can be reached from this machine alone', async () => {
    const exchange = await startSandbox({ seed: 1, listings: 5, balance: 10, speed: 1, clock: new SystemClock() });
    expect(new URL(exchange.baseUrl).hostname).toBe('127.0.0.1');
    await exchange.close();
  });
});
