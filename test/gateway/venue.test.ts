import { gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { BuyOutcome } from '../../src/domain/outcome.ts';
import { createVenue, type LiveVenue } from '../../src/gateway/venue.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { acceptance, order, sameItem } from './answers.ts';
import { CANARY_KEY, CANARY_TOKEN, gatewayTo, pause, tradeUrl, until } from './harness.ts';
import { answering, flood, HostileServer, httpAnswer, trickle, type Manners } from './hostile-server.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function venueAt(manners: Manners, timeoutMs = 2_000): Promise<{ server: HostileServer; venue: LiveVenue }> {
  const server = await HostileServer.start(manners);
  closing.push(() => server.close());
  return { server, venue: venueTo(server.url, timeoutMs) };
}

function venueTo(url: string, timeoutMs = 2_000): LiveVenue {
  const gateway = gatewayTo(url, {
    rates: { reads: { perSecond: 9, concurrent: 1 }, buys: { perSecond: 9, concurrent: 1 }, timeoutMs },
  });
  const venue = createVenue(gateway.line, tradeUrl);
  closing.push(
    () => gateway.close(),
    () => venue.close(),
  );
  return venue;
}

const never = (): never => {
  throw new Error('there is no late answer');
};

const good = JSON.stringify(acceptance({}, sameItem));
const goodBytes = httpAnswer(200, good);
const reset = (socket: Socket): void => void socket.resetAndDestroy();
const end = (socket: Socket): void => void socket.end();
const onAnswer = (work: (socket: Socket) => void): Manners => ({ answer: (socket) => work(socket) });
const saying = (bytes: string | Buffer): Manners => onAnswer((socket) => void socket.write(bytes));

describe('a buy', () => {
  it('is one POST with the id, the price as received, the market and the trade URL', async () => {
    const { server, venue } = await venueAt(answering(200, good));
    const { outcome, times } = await venue.buy({ ...order, price: 0.1 + 0.2 }, never);
    expect(outcome).toMatchObject({ kind: 'bought', serviceOrderId: 'so-1' });
    expect(times.answeredAt).toBeGreaterThanOrEqual(times.sentAt ?? Infinity);
    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/v2/market/buy' });
    expect(request?.body).toBe(
      `{"itemId":"9007199254740993","price":0.30000000000000004,"market":"ecosteam","tradeUrl":"https://trade.example/tradeoffer/new/?partner=123456&token=${CANARY_TOKEN}"}`,
    );
    expect(request?.headers).toMatchObject({
      'x-api-key': CANARY_KEY,
      'content-type': 'application/json',
      'accept-encoding': 'identity',
    });
    expect(server.posts).toBe(1);
  });

  it('goes below the path of the base address', async () => {
    const { server } = await venueAt(answering(200, good));
    await venueTo(`${server.url}/api/`).buy(order, never);
    expect(server.requests[0]?.path).toBe('/api/v2/market/buy');
  });

  it.each([{ price: Number.NaN }, { price: -1 }, { market: 'elsewhere' }, { listingId: 'x' }])(
    'is not sent when the order is wrong: %j',
    async (wrong) => {
      const { server, venue } = await venueAt(answering(200, good));
      const { outcome, times } = await venue.buy({ ...order, ...wrong }, never);
      expect(outcome).toMatchObject({ kind: 'unsent', cause: 'request' });
      expect(times).toEqual({ sentAt: undefined, answeredAt: undefined });
      expect(server.posts).toBe(0);
    },
  );
});

type Kind = BuyOutcome['kind'];

const answered: readonly (readonly [string, Manners, Kind, string])[] = [
  ['HTML', answering(200, '<html>hello</html>', { 'content-type': 'text/html' }), 'unknown', 'unreadable'],
  ['JSON called HTML', answering(200, good, { 'content-type': 'text/html' }), 'unknown', 'unreadable'],
  ['a list', answering(200, [1, 2]), 'unknown', 'unreadable'],
  ['half of the JSON', answering(200, good.slice(0, 60)), 'unknown', 'unreadable'],
  ['a foreign charset', answering(200, good, { 'content-type': 'application/json; charset=utf-16' }), 'unknown', 'unreadable'],
  ['a byte order mark', answering(200, `\uFEFF${good}`), 'unknown', 'unreadable'],
  [
    'bytes that are no UTF-8',
    saying(httpAnswer(200, Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]))),
    'unknown',
    'unreadable',
  ],
  ['an encoding nobody asked for', answering(200, good, { 'content-encoding': 'zstd' }), 'unknown', 'unreadable'],
  ['gzip all the same', saying(httpAnswer(200, gzipSync(good), { 'content-encoding': 'gzip' })), 'bought', ''],
  [
    'a gzip bomb',
    saying(httpAnswer(200, gzipSync(Buffer.alloc(50_000_000, 32)), { 'content-encoding': 'gzip' })),
    'unknown',
    'unreadable',
  ],
  [
    'half a gzip',
    saying(httpAnswer(200, gzipSync(good).subarray(0, 40), { 'content-encoding': 'gzip' })),
    'unknown',
    'unreadable',
  ],
  ['a name that stands twice', answering(200, `{"success":false,${good.slice(1)}`), 'unknown', 'unreadable'],
  [
    'JSON 200,000 deep',
    answering(200, `{"success":false,"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`),
    'unknown',
    'unreadable',
  ],
  ['nothing (204)', saying('HTTP/1.1 204 No Content\r\n\r\n'), 'unknown', 'unreadable'],
  ['success without an order id', answering(200, acceptance({ serviceOrderId: undefined })), 'unknown', 'other'],
  ['a redirect', answering(302, '', { location: '/elsewhere' }), 'unknown', 'redirect'],
  ['a redirect that keeps the method', answering(307, good, { location: 'http://127.0.0.1:1/' }), 'unknown', 'redirect'],
  ['408', answering(408, { success: false }), 'unknown', 'timeout'],
  ['425', answering(425, { success: false }), 'unknown', 'service'],
  ['429 in JSON', answering(429, { success: false, message: 'slow down' }, { 'retry-after': '2' }), 'refused', 'rate'],
  ['429 in HTML', answering(429, '<b>slow</b>', { 'content-type': 'text/html' }), 'unknown', 'rate'],
  ['403 in HTML', answering(403, '<b>no</b>', { 'content-type': 'text/html' }), 'unknown', 'ban'],
  ['403 in JSON', answering(403, { success: false, message: 'Forbidden' }), 'refused', 'key'],
  ['500', answering(500, { success: false }), 'unknown', 'service'],
  ['502 in HTML', answering(502, '<html>bad gateway</html>', { 'content-type': 'text/html' }), 'unknown', 'service'],
  ['404 in JSON', answering(404, { success: false, code: 'LISTING_NOT_FOUND' }), 'refused', 'gone'],
  ['a refusal in 200', answering(200, { success: false, code: 'PRICE_CHANGED' }), 'refused', 'repriced'],
  [
    'a hint first (103)',
    saying(Buffer.concat([Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'), goodBytes])),
    'bought',
    '',
  ],
  [
    '100 Continue, unasked',
    saying(Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), goodBytes])),
    'unknown',
    'connection',
  ],
  [
    '101 Switching Protocols',
    saying('HTTP/1.1 101 Switching\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'),
    'unknown',
    'connection',
  ],
  ['one answer after the other', saying(Buffer.concat([goodBytes, httpAnswer(404, '{"success":false}')])), 'bought', ''],
];

const broken: readonly (readonly [string, Manners, Kind, string])[] = [
  ['a reset as soon as it is connected', { accept: reset }, 'unsent|unknown' as Kind, 'connection'],
  ['a reset before the request was read', { first: reset }, 'unknown', 'connection'],
  ['a FIN before the request was read', { first: end }, 'unknown', 'connection'],
  ['a reset after the request', onAnswer(reset), 'unknown', 'connection'],
  ['a FIN before the headers', onAnswer(end), 'unknown', 'connection'],
  ['a FIN inside the headers', onAnswer((socket) => void socket.end(goodBytes.subarray(0, 30))), 'unknown', 'connection'],
  [
    'a FIN after the headers',
    onAnswer((socket) => void socket.end(goodBytes.subarray(0, goodBytes.indexOf('{')))),
    'unknown',
    'connection',
  ],
  ['a FIN inside the body', onAnswer((socket) => void socket.end(goodBytes.subarray(0, -10))), 'unknown', 'connection'],
  ['a body longer than it was announced', saying(httpAnswer(200, good, { 'content-length': '50' })), 'unknown', 'unreadable'],
  ['no HTTP at all', saying('SSH-2.0-OpenSSH_9.2\r\n'), 'unknown', 'unreadable'],
  ['chunks that are none', saying('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzzz\r\n{}\r\n'), 'unknown', 'unreadable'],
  ['a length that is none', saying('HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n{}'), 'unknown', 'unreadable'],
  [
    'headers without end',
    onAnswer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      flood(socket, Buffer.from(`x-${'y'.repeat(1_000)}: z\r\n`), 100);
    }),
    'unknown',
    'unreadable',
  ],
  [
    '100 MB',
    onAnswer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000000\r\n\r\n');
      flood(socket, Buffer.alloc(100_000, 32), 1_000);
    }),
    'unknown',
    'unreadable',
  ],
  [
    'chunks without end',
    onAnswer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n');
      flood(socket, Buffer.concat([Buffer.from('2710\r\n'), Buffer.alloc(10_000, 32), Buffer.from('\r\n')]), 1_000);
    }),
    'unknown',
    'unreadable',
  ],
  [
    'one 200 after many hints',
    onAnswer((socket) => {
      for (let n = 0; n < 50; n++) socket.write('HTTP/1.1 103 Early Hints\r\n\r\n');
      socket.write(goodBytes);
    }),
    'bought',
    '',
  ],
];

describe('a buy on a hostile wire', () => {
  it.each([...answered, ...broken])('answered with %s', async (_, manners, kind, cause) => {
    const { server, venue } = await venueAt(manners);
    const { outcome } = await venue.buy(order, never);
    expect(kind.split('|')).toContain(outcome.kind);
    if (outcome.kind !== 'bought') expect(outcome.cause).toBe(cause);
    await pause(30);
    expect(server.posts).toBeLessThanOrEqual(1);
    if (outcome.kind !== 'unsent' && !('accept' in manners) && !('first' in manners)) expect(server.posts).toBe(1);
  });

  it.each([0, 1, 9, 40, 90, 120, 160, 250])('is unknown when the connection is reset %i bytes into the answer', async (bytes) => {
    const manners = onAnswer(
      (socket) => void socket.write(goodBytes.subarray(0, bytes), () => void setTimeout(reset, 20, socket)),
    );
    const { server, venue } = await venueAt(manners);
    expect(bytes).toBeLessThan(goodBytes.length);
    expect((await venue.buy(order, never)).outcome).toMatchObject({ kind: 'unknown' });
    expect(server.posts).toBe(1);
  });

  it.each([
    ['nothing', () => undefined],
    ['headers one byte at a time', (socket: Socket) => trickle(socket, goodBytes.toString('latin1'), 10)],
    [
      'a body one byte at a time',
      (socket: Socket) => {
        const body = goodBytes.indexOf('{');
        socket.write(goodBytes.subarray(0, body));
        trickle(socket, goodBytes.subarray(body).toString('latin1'), 10);
      },
    ],
    [
      'chunks of white space for ever',
      (socket: Socket) => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        trickle(
          socket,
          Array.from({ length: 9_999 }, () => '1\r\n \r\n'),
          10,
        );
      },
    ],
  ])('is unknown at its deadline when it is answered with %s', async (_, work) => {
    const { server, venue } = await venueAt(onAnswer(work), 200);
    const { outcome } = await venue.buy(order, () => undefined);
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'timeout', message: 'no whole answer within 200 ms' });
    expect(server.posts).toBe(1);
  });

  it('is unsent when nobody listens, and when the name does not exist', async () => {
    const { server } = await venueAt({});
    const { url } = server;
    await server.close();
    for (const nobody of [url, 'http://magpie.invalid', 'https://localhost:1']) {
      const { outcome, times } = await venueTo(nobody).buy(order, never);
      expect(outcome).toMatchObject({ kind: 'unsent', cause: 'connection' });
      expect(times.sentAt).toBeUndefined();
    }
  });

  it('is unsent when the TLS handshake fails', async () => {
    const { server } = await venueAt({ first: (socket) => void socket.end('HTTP/1.1 400 plain\r\n\r\n') });
    const { outcome } = await venueTo(server.url.replace('http:', 'https:')).buy(order, never);
    expect(outcome).toMatchObject({ kind: 'unsent', cause: 'connection' });
    const reset = await venueAt({ first: (socket) => void socket.resetAndDestroy() });
    expect((await venueTo(reset.server.url.replace('http:', 'https:')).buy(order, never)).outcome).toMatchObject({
      kind: 'unsent',
    });
    expect(server.posts + reset.server.posts).toBe(0);
  });

  it('is unsent when no connection comes about in time, and is not sent afterwards', async () => {
    const { server } = await venueAt({});
    const venue = venueTo(server.url.replace('http:', 'https:'), 150);
    expect((await venue.buy(order, never)).outcome).toMatchObject({ kind: 'unsent', cause: 'timeout' });
    await pause(100);
    expect(server.posts).toBe(0);
  });

  it('is one POST when the kept connection closes as it is written', async () => {
    const { server, venue } = await venueAt(answering(200, good));
    for (let round = 0; round < 12; round++) {
      const before = server.posts;
      const each = round % 3 === 0 ? end : reset;
      server.behave({ first: round % 2 === 0 ? each : (socket) => void setImmediate(each, socket), ...answering(200, good) });
      await venue.buy(order, never);
      await pause(10);
      expect(server.posts - before).toBeLessThanOrEqual(1);
      server.behave(answering(200, good));
      for (const socket of server.sockets) if (round % 4 === 3) each(socket);
      const beforeNext = server.posts;
      const { outcome } = await venue.buy(order, never);
      if (outcome.kind === 'bought') expect(server.posts - beforeNext).toBe(1);
      else if (outcome.kind === 'unsent') expect(server.posts - beforeNext).toBe(0);
      else expect(outcome.kind).toBe('unknown');
    }
  });
});

describe('a late answer', () => {
  it('is handed on once, after the outcome was given as unknown', async () => {
    const manners = onAnswer((socket) => void setTimeout(() => socket.write(goodBytes), 300));
    const { server, venue } = await venueAt(manners, 100);
    const late: BuyOutcome[] = [];
    const { outcome } = await venue.buy(order, (each) => void late.push(each));
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'timeout' });
    expect(late).toEqual([]);
    await until(() => late.length > 0);
    await pause(50);
    expect(late).toMatchObject([{ kind: 'bought', serviceOrderId: 'so-1' }]);
    expect(server.posts).toBe(1);
  });

  it('does not hold up the next buy, which takes another connection', async () => {
    const { server, venue } = await venueAt({ answer: (socket, _, nth) => void (nth > 0 && socket.write(goodBytes)) }, 100);
    expect((await venue.buy(order, never)).outcome.kind).toBe('unknown');
    expect((await venue.buy({ ...order, listingId: '2' }, never)).outcome.kind).toBe('bought');
    expect(server.requests.map(({ connection }) => connection)).toHaveLength(2);
    expect(server.requests[0]?.connection).not.toBe(server.requests[1]?.connection);
  });

  it('is no answer when the connection breaks', async () => {
    const { venue } = await venueAt(
      onAnswer((socket) => void setTimeout(reset, 150, socket)),
      100,
    );
    expect((await venue.buy(order, never)).outcome.kind).toBe('unknown');
    await pause(120);
  });

  it('is waited for a minute, and then the socket is closed', async () => {
    const server = await HostileServer.start({});
    const clock = new VirtualClock();
    const gateway = gatewayTo(server.url, { clock });
    const venue = createVenue(gateway.line, tradeUrl);
    closing.push(
      () => server.close(),
      () => gateway.close(),
      () => venue.close(),
    );
    const bought = venue.buy(order, never);
    await until(() => server.requests.length === 1);
    await clock.advance(2_000);
    expect((await bought).outcome).toMatchObject({ kind: 'unknown', cause: 'timeout' });
    const socket = server.sockets[server.requests[0]?.connection ?? -1];
    await clock.advance(59_000);
    await pause(20);
    expect(socket?.destroyed).toBe(false);
    await clock.advance(1_000);
    await until(() => socket?.destroyed === true);
  });
});

describe('the warm connection', () => {
  it('is there before the first buy, and is the one the buy takes', async () => {
    const { server, venue } = await venueAt(answering(200, good));
    await until(() => server.connections === 1);
    await pause(20);
    await venue.buy(order, never);
    expect(server.requests[0]?.connection).toBe(0);
    await pause(20);
    await venue.buy({ ...order, listingId: '2' }, never);
    expect(server.requests[1]?.connection).toBe(0);
  });

  it('is not used once the service has said something over it', async () => {
    const stale = (socket: Socket): void => void socket.write(httpAnswer(408, '{"success":false}'));
    const { server, venue } = await venueAt({ accept: stale });
    await until(() => server.connections === 1);
    await pause(20);
    server.behave(answering(200, good));
    expect((await venue.buy(order, never)).outcome).toMatchObject({ kind: 'bought' });
    expect(server.posts).toBe(1);
  });

  it('is made anew, ever more slowly, while the service closes it', async () => {
    const clock = new VirtualClock();
    const server = await HostileServer.start({ accept: end });
    const gateway = gatewayTo(server.url, { clock });
    const venue = createVenue(gateway.line, tradeUrl);
    closing.push(
      () => server.close(),
      () => gateway.close(),
      () => venue.close(),
    );
    await until(() => server.connections === 1);
    for (let seconds = 0; seconds < 120; seconds++) {
      await clock.advance(1_000);
      await pause(2);
    }
    expect(server.connections).toBeGreaterThan(4);
    expect(server.connections).toBeLessThan(20);
  });

  it('is exchanged for a fresh one before it is half a minute old', async () => {
    const clock = new VirtualClock();
    const server = await HostileServer.start(answering(200, good));
    const gateway = gatewayTo(server.url, { clock });
    const venue = createVenue(gateway.line, tradeUrl);
    closing.push(
      () => server.close(),
      () => gateway.close(),
      () => venue.close(),
    );
    await until(() => server.connections === 1);
    await pause(20);
    await clock.advance(30_000);
    await until(() => server.connections === 2);
    await until(() => server.sockets[0]?.destroyed === true);
    await venue.buy(order, never);
    expect(server.requests[0]?.connection).toBe(1);
  });
});

it('closing breaks off what is under way, which becomes unknown', async () => {
  const { venue } = await venueAt({});
  const buying = venue.buy(order, never);
  await pause(50);
  await venue.close();
  expect((await buying).outcome).toMatchObject({ kind: 'unknown', cause: 'connection' });
  expect((await venue.buy(order, never)).outcome).toMatchObject({ kind: 'unsent' });
});
