import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Secret } from '../../src/domain/secret.ts';
import type { ReadName, Service } from '../../src/engine/ports.ts';
import type { GatewayOptions } from '../../src/gateway/gateway.ts';
import { CANARY_KEY, CANARY_PARTNER, gatewayTo, pause, until } from './harness.ts';
import { answering, flood, HostileServer, httpAnswer, trickle, type Manners } from './hostile-server.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function serviceAt(
  manners: Manners,
  more: Partial<GatewayOptions> = {},
): Promise<{ server: HostileServer; service: Service }> {
  const server = await HostileServer.start(manners);
  const gateway = gatewayTo(server.url, more);
  closing.push(
    () => server.close(),
    () => gateway.close(),
  );
  return { server, service: gateway.service };
}

const rates = (timeoutMs: number): Partial<GatewayOptions> => ({
  rates: { reads: { perSecond: 1_000, concurrent: 10 }, buys: { perSecond: 1_000, concurrent: 1 }, timeoutMs },
});

const data = { listings: [{ id: '1', anything: 'goes' }], listingsCount: 1 };
const good = JSON.stringify({ requestId: 'r-1', success: true, data });
const onAnswer = (work: (socket: Socket) => void): Manners => ({ answer: (socket) => work(socket) });
const saying = (bytes: string | Buffer): Manners => onAnswer((socket) => void socket.write(bytes));

describe('a read', () => {
  it('asks with the key, and hands on the data with what the answer said about itself', async () => {
    const { server, service } = await serviceAt(answering(200, good, { date: 'Sat, 28 Nov 2026 12:00:00 GMT' }));
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
    const { service } = await serviceAt(saying(httpAnswer(200, bytes, { 'content-encoding': encoding })));
    expect(await service.read('liveListings')).toMatchObject({ ok: true, data, bytes: Buffer.byteLength(good) });
  });

  it.each(['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'application/problem+json', 'text/json', ''])(
    'takes %j for JSON',
    async (type) => {
      const { service } = await serviceAt(answering(200, good, { 'content-type': type }));
      expect(await service.read('liveListings')).toMatchObject({ ok: true });
    },
  );

  it('sends query and body as the table has them, encoded', async () => {
    const { server, service } = await serviceAt(answering(200, { success: true, data: { items: [] } }));
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

  it('is not sent when the table says that it is wrong', async () => {
    const { server, service } = await serviceAt(answering(200, good));
    const wrong = [
      await service.read('listings', { query: { item: 'XYZ' } }),
      await service.read('listingDetail', { body: { items: [] } }),
      await service.read('user', { body: {} as never }),
      await service.read('buy' as ReadName, { body: { itemId: '1', price: 1, market: 'c5game' } as never }),
    ];
    for (const reply of wrong)
      expect(reply).toMatchObject({ ok: false, fault: { class: 'refused', cause: 'request', sent: false } });
    expect(server.requests).toEqual([]);
  });

  it('keeps its connection for longer than four seconds of silence', async () => {
    const { server, service } = await serviceAt(answering(200, good));
    await service.read('liveListings');
    await pause(4_500);
    await service.read('liveListings');
    expect(server.connections).toBe(1);
  });

  it('obeys a shorter wish of the service', async () => {
    const { server, service } = await serviceAt(answering(200, good, { 'keep-alive': 'timeout=1' }));
    await service.read('liveListings');
    await pause(20);
    await service.read('liveListings');
    expect(server.connections).toBe(2);
  });

  it('ignores the proxies of the environment', async () => {
    const kept = { ...process.env };
    Object.assign(process.env, {
      HTTP_PROXY: 'http://127.0.0.1:1',
      http_proxy: 'http://127.0.0.1:1',
      ALL_PROXY: 'http://127.0.0.1:1',
      NODE_USE_ENV_PROXY: '1',
    });
    try {
      const { service } = await serviceAt(answering(200, good));
      expect(await service.read('liveListings')).toMatchObject({ ok: true });
    } finally {
      process.env = kept;
    }
  });
});

const faults: readonly (readonly [string, Manners, string, string])[] = [
  ['HTML', answering(200, '<html>hello</html>', { 'content-type': 'text/html' }), 'transient', 'unreadable'],
  ['JSON called HTML', answering(200, good, { 'content-type': 'text/html' }), 'transient', 'unreadable'],
  ['a foreign charset', answering(200, good, { 'content-type': 'application/json; charset=gbk' }), 'transient', 'unreadable'],
  ['a byte order mark', answering(200, `\uFEFF${good}`), 'transient', 'unreadable'],
  ['half of the JSON', answering(200, good.slice(0, -20)), 'transient', 'unreadable'],
  ['a list', answering(200, []), 'transient', 'unreadable'],
  ['null', answering(200, 'null'), 'transient', 'unreadable'],
  ['nothing', answering(200, ''), 'transient', 'unreadable'],
  ['no success', answering(200, { data }), 'transient', 'unreadable'],
  ['success in words', answering(200, { success: 'true', data }), 'transient', 'unreadable'],
  ['another shape', answering(200, { success: true, data: { listings: {} } }), 'transient', 'unreadable'],
  ['a list where an object belongs', answering(200, { success: true, data: [] }), 'transient', 'unreadable'],
  ['an encoding nobody asked for', answering(200, good, { 'content-encoding': 'zstd' }), 'transient', 'unreadable'],
  ['two encodings', answering(200, good, { 'content-encoding': 'gzip, gzip' }), 'transient', 'unreadable'],
  [
    'half a gzip',
    saying(httpAnswer(200, gzipSync(good).subarray(0, -9), { 'content-encoding': 'gzip' })),
    'transient',
    'unreadable',
  ],
  [
    'a gzip bomb',
    saying(httpAnswer(200, gzipSync(Buffer.alloc(70 * 1024 * 1024, 32)), { 'content-encoding': 'gzip' })),
    'transient',
    'unreadable',
  ],
  [
    'a brotli bomb',
    saying(httpAnswer(200, brotliCompressSync(Buffer.alloc(70 * 1024 * 1024, 32)), { 'content-encoding': 'br' })),
    'transient',
    'unreadable',
  ],
  ['a redirect elsewhere', answering(302, '', { location: 'http://127.0.0.1:1/' }), 'transient', 'redirect'],
  ['a redirect in JSON', answering(308, { success: false }, { location: '/other' }), 'transient', 'redirect'],
  ['401 in JSON', answering(401, { success: false, message: 'Invalid API key' }), 'refused', 'key'],
  ['403 in JSON', answering(403, { success: false }), 'refused', 'key'],
  ['404 in JSON', answering(404, { success: false }), 'refused', 'gone'],
  ['a refusal in 200', answering(200, { success: false, code: 'ITEM_NOT_FOUND' }), 'refused', 'gone'],
  ['408', answering(408, ''), 'transient', 'timeout'],
  ['425', answering(425, { success: false }), 'transient', 'service'],
  ['500', answering(500, { success: false }), 'transient', 'service'],
  ['502 in HTML', answering(502, '<html></html>', { 'content-type': 'text/html' }), 'transient', 'service'],
  ['a wrong length', saying(httpAnswer(200, good, { 'content-length': '20' })), 'transient', 'unreadable'],
  ['chunks that are none', saying('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzzz\r\n'), 'transient', 'unreadable'],
  ['no HTTP at all', saying('220 mail ready\r\n'), 'transient', 'unreadable'],
  ['a reset', onAnswer((socket) => void socket.resetAndDestroy()), 'transient', 'connection'],
  ['a FIN', onAnswer((socket) => void socket.end()), 'transient', 'connection'],
  [
    'a FIN inside the body',
    onAnswer((socket) => void socket.end(httpAnswer(200, good).subarray(0, -5))),
    'transient',
    'connection',
  ],
  [
    'an error page of 100 MB',
    onAnswer((socket) => {
      socket.write('HTTP/1.1 500 Oh\r\ntransfer-encoding: chunked\r\n\r\n');
      flood(socket, Buffer.concat([Buffer.from('2710\r\n'), Buffer.alloc(10_000, 32), Buffer.from('\r\n')]), 10_000);
    }),
    'transient',
    'service',
  ],
];

describe('a read on a hostile wire', () => {
  it.each(faults)('answered with %s', async (_, manners, kind, cause) => {
    const { server, service } = await serviceAt(manners);
    const reply = await service.read('liveListings');
    expect(reply).toMatchObject({ ok: false, fault: { class: kind, cause, sent: true } });
    expect(server.requests).toHaveLength(1);
  });

  it('stops reading at 64 MiB, or where the answer says that it is larger', async () => {
    const announced = await serviceAt(
      onAnswer((socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 70000000\r\n\r\n{')),
    );
    const endless = await serviceAt(
      onAnswer((socket) => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        flood(socket, Buffer.concat([Buffer.from('186a0\r\n'), Buffer.alloc(100_000, 32), Buffer.from('\r\n')]), 1_000);
      }),
      rates(15_000),
    );
    for (const { server, service } of [announced, endless]) {
      const reply = await service.read('liveListings');
      expect(reply).toMatchObject({
        ok: false,
        fault: { cause: 'unreadable', message: 'the answer is larger than 67108864 bytes' },
      });
      await until(() => server.sockets[0]?.destroyed === true);
    }
  });

  it('reads no more than a mebibyte of what is small by nature', async () => {
    const { service } = await serviceAt(answering(200, { success: true, data: { padding: 'x'.repeat(1_100_000) } }));
    expect(await service.read('user')).toMatchObject({ ok: false, fault: { cause: 'unreadable' } });
  });

  it.each([
    ['nothing', () => undefined],
    ['headers one byte at a time', (socket: Socket) => trickle(socket, httpAnswer(200, good).toString('latin1'), 10)],
    [
      'white space for ever',
      (socket: Socket) => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        trickle(
          socket,
          Array.from({ length: 9_999 }, () => '1\r\n \r\n'),
          10,
        );
      },
    ],
  ])('gives up at its deadline when answered with %s, and closes the socket', async (_, work) => {
    const { server, service } = await serviceAt(onAnswer(work), rates(150));
    const reply = await service.read('liveListings');
    expect(reply).toMatchObject({ ok: false, fault: { class: 'transient', cause: 'timeout', sent: true } });
    expect(reply.endedAt - reply.beganAt).toBeLessThan(1_000);
    await until(() => server.sockets[0]?.destroyed === true);
    await pause(30);
    expect(server.requests).toHaveLength(1);
  });

  it('says that it was never sent when nobody listens', async () => {
    const { server, service } = await serviceAt({});
    await server.close();
    expect(await service.read('liveListings')).toMatchObject({
      ok: false,
      fault: { class: 'transient', cause: 'connection', sent: false },
    });
  });

  it('never follows a redirect, and so never takes the key elsewhere', async () => {
    const elsewhere = await HostileServer.start(answering(200, good));
    closing.push(() => elsewhere.close());
    const { server, service } = await serviceAt(answering(301, '', { location: `${elsewhere.url}/v2/partner/live/listings` }));
    const reply = await service.read('liveListings');
    expect(reply.ok || reply.fault.message).toMatchInlineSnapshot(`"HTTP 301: a redirect, which is never followed"`);
    expect([server.requests.length, elsewhere.connections]).toEqual([1, 0]);
  });

  it('can be cancelled before it is sent and while it waits', async () => {
    const { server, service } = await serviceAt({});
    const cancelling = new AbortController();
    const reading = service.read('user', { signal: cancelling.signal });
    await until(() => server.requests.length === 1);
    cancelling.abort();
    expect(await reading).toMatchObject({ ok: false, fault: { class: 'transient', cause: 'other', sent: true } });
    expect(await service.read('user', { signal: cancelling.signal })).toMatchObject({
      ok: false,
      fault: { class: 'transient', cause: 'other', sent: false },
    });
    expect(server.requests).toHaveLength(1);
  });

  it('leaves no socket behind after many failures', async () => {
    let round = 0;
    const { server, service } = await serviceAt({
      answer: (socket) => void (round++ % 2 === 0 ? socket.write(httpAnswer(500, '<html>')) : socket.end()),
    });
    for (let n = 0; n < 40; n++) await service.read('user');
    await until(() => server.sockets.filter((socket) => !socket.destroyed).length <= 1);
    expect(server.requests).toHaveLength(40);
  });
});

describe('the keys', () => {
  const health = { success: true, data: { status: 'ok', markets: {}, service: {} } };

  it('ask for the market health with the top-level one, and for the rest with that of the account', async () => {
    const { server, service } = await serviceAt(answering(200, health), { partnerKey: new Secret(CANARY_PARTNER) });
    await service.read('marketHealth');
    await service.read('user');
    await service.read('user', { key: 'partner' });
    expect(server.requests.map(({ headers }) => headers['x-api-key'])).toEqual([CANARY_PARTNER, CANARY_KEY, CANARY_PARTNER]);
  });

  it('are one when there is no top-level key', async () => {
    const { server, service } = await serviceAt(answering(403, { success: false, message: 'Top-level key required' }));
    expect(await service.read('marketHealth')).toMatchObject({
      ok: false,
      fault: { class: 'refused', cause: 'key', status: 403 },
    });
    expect(server.requests[0]?.headers['x-api-key']).toBe(CANARY_KEY);
  });
});

describe('the rate of reads', () => {
  it('holds on the wire', async () => {
    const { server, service } = await serviceAt(answering(200, good), {
      rates: { reads: { perSecond: 20, concurrent: 4 }, buys: { perSecond: 1, concurrent: 1 }, timeoutMs: 2_000 },
    });
    await Promise.all(Array.from({ length: 20 }, () => service.read('liveListings')));
    const times = server.requests.map(({ at }) => at);
    expect(times).toHaveLength(20);
    // What happens between the two sockets may shift a request by some milliseconds, never the whole.
    for (let n = 1; n < times.length; n++) expect((times[n] ?? 0) - (times[n - 1] ?? 0)).toBeGreaterThan(35);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(19 * 50 - 10);
  });
});
