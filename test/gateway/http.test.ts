import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/domain/secret.ts';
import type { ReadName, Service } from '../../src/engine/ports.ts';
import { CANARY_KEY, CANARY_PARTNER, pause, scenes, type Options } from './harness.ts';
import { answering, httpAnswer, saying, type HostileServer, type Manners } from './hostile-server.ts';

const scene = scenes();

async function at(manners: Manners, more?: Options): Promise<{ server: HostileServer; service: Service }> {
  const { server, gateway } = await scene(manners, more);
  return { server, service: gateway.service };
}

const data = { listings: [{ id: '1', anything: 'goes' }], listingsCount: 1 };
const good = JSON.stringify({ requestId: 'r-1', success: true, data });

describe('a read', () => {
  it('asks with the key, and hands on the data with what the answer said about itself', async () => {
    const { server, service } = await at(answering(200, good, { date: 'Sat, 28 Nov 2026 12:00:00 GMT' }));
    const reply = await service.read('liveListings');
    expect(reply).toMatchObject({
      ok: true,
      data,
      status: 200,
      requestId: 'r-1',
      serviceDate: Date.UTC(2026, 10, 28, 12),
      bytes: Buffer.byteLength(good),
    });
    expect(reply.endedAt).toBeGreaterThanOrEqual(reply.beganAt);
    expect(server.requests).toMatchObject([
      {
        method: 'GET',
        path: '/v2/partner/live/listings',
        headers: { 'x-api-key': CANARY_KEY, accept: 'application/json', 'accept-encoding': 'gzip, br' },
      },
    ]);
  });

  it.each([
    ['gzip', gzipSync(good), 'gzip'],
    ['gzip in capitals', gzipSync(good), 'GZip'],
    ['br', brotliCompressSync(good), 'br'],
    ['identity', Buffer.from(good), 'identity'],
  ])('inflates %s', async (_, bytes, encoding) => {
    const { service } = await at(saying(httpAnswer(200, bytes, { 'content-encoding': encoding })));
    expect(await service.read('liveListings')).toMatchObject({ ok: true, data, bytes: Buffer.byteLength(good) });
  });

  it.each(['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'application/problem+json', 'text/json', ''])(
    'takes %j for JSON',
    async (type) => {
      const { service } = await at(answering(200, good, { 'content-type': type }));
      expect(await service.read('liveListings')).toMatchObject({ ok: true });
    },
  );

  it('sends query and body as the table has them, encoded', async () => {
    const { server, service } = await at(answering(200, { success: true, data: { items: [] } }));
    await service.read('suggestions', { query: { q: 'AK-47 | 龍王&x=1#?' } });
    await service.read('listingDetail', { body: { items: [{ item: '00f1e2d3c4b5a697', listing: '12', market: 'c5game' }] } });
    const [asked, posted] = server.requests;
    expect(asked?.path).toBe('/v2/market/search/suggestions?q=AK-47+%7C+%E9%BE%8D%E7%8E%8B%26x%3D1%23%3F');
    expect(posted).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"items":[{"item":"00f1e2d3c4b5a697","listing":"12","market":"c5game"}]}',
    });
  });

  it('is not sent when the table says that it is wrong [S31]', async () => {
    const { server, service } = await at(answering(200, good));
    const wrong = [
      await service.read('listings', { query: { item: 'XYZ' } }),
      await service.read('listingDetail', { body: { items: [] } }),
      await service.read('user', { body: {} as never }),
      await service.read('legacyItem'),
      await service.read('buy' as ReadName, { body: { itemId: '1', price: 1, market: 'c5game' } as never }),
    ];
    for (const reply of wrong)
      expect(reply).toMatchObject({ ok: false, fault: { class: 'refused', cause: 'request', sent: false } });
    expect(server.requests).toEqual([]);
  });

  it('keeps its connection for longer than four seconds of silence', async () => {
    const { server, service } = await at(answering(200, good));
    await service.read('liveListings');
    await pause(4_500);
    await service.read('liveListings');
    expect(server.connections).toBe(1);
  });

  it('obeys a shorter wish of the service', async () => {
    const { server, service } = await at(answering(200, good, { 'keep-alive': 'timeout=1' }));
    await service.read('liveListings');
    await pause(20);
    await service.read('liveListings');
    expect(server.connections).toBe(2);
  });

  it('ignores the proxies of the environment [N33]', async () => {
    const kept = { ...process.env };
    Object.assign(process.env, {
      HTTP_PROXY: 'http://127.0.0.1:1',
      http_proxy: 'http://127.0.0.1:1',
      ALL_PROXY: 'http://127.0.0.1:1',
      NODE_USE_ENV_PROXY: '1',
    });
    try {
      const { service } = await at(answering(200, good));
      expect(await service.read('liveListings')).toMatchObject({ ok: true });
    } finally {
      process.env = kept;
    }
  });
});

describe('the keys', () => {
  const health = { success: true, data: { status: 'ok', markets: {}, service: {} } };

  it('ask for the market health with the top-level one, and for the rest with that of the account', async () => {
    const { server, service } = await at(answering(200, health), { partnerKey: new Secret(CANARY_PARTNER) });
    await service.read('marketHealth');
    await service.read('user');
    await service.read('user', { key: 'partner' });
    expect(server.requests.map(({ headers }) => headers['x-api-key'])).toEqual([CANARY_PARTNER, CANARY_KEY, CANARY_PARTNER]);
  });

  it('are one when there is no top-level key', async () => {
    const { server, service } = await at(answering(403, { success: false, message: 'Top-level key required' }));
    expect(await service.read('marketHealth')).toMatchObject({
      ok: false,
      fault: { class: 'refused', cause: 'key', status: 403 },
    });
    expect(server.requests[0]?.headers['x-api-key']).toBe(CANARY_KEY);
  });
});

describe('the rate of reads', () => {
  it('holds on the wire', async () => {
    const { server, service } = await at(answering(200, good), {
      rates: { reads: { perSecond: 20, concurrent: 4 }, buys: { perSecond: 1, concurrent: 1 }, timeoutMs: 2_000 },
    });
    await Promise.all(Array.from({ length: 20 }, () => service.read('liveListings')));
    const times = server.requests.map(({ at }) => at);
    expect(times).toHaveLength(20);
    // On its way to the server's ear a request may be held up by a busy machine; where it leaves, the spacing is exact (see the pace).
    for (let n = 1; n < times.length; n++) expect((times[n] ?? 0) - (times[n - 1] ?? 0)).toBeGreaterThan(10);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(19 * 50 - 30);
  });
});
