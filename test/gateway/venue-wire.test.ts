import { gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { BuyOutcome } from '../../src/domain/outcome.ts';
import type { LiveVenue } from '../../src/gateway/venue.ts';
import { acceptance, order, sameItem } from './answers.ts';
import { never, pause, scenes, within, type Options } from './harness.ts';
import { answering, chunkOfSpace, end, flood, httpAnswer, onAnswer, reset, saying, trickle } from './hostile-server.ts';
import type { HostileServer, Manners } from './hostile-server.ts';

const scene = scenes();

async function at(manners: Manners, more?: Options): Promise<{ server: HostileServer; venue: LiveVenue }> {
  const { server, venue } = await scene(manners, more);
  return { server, venue: venue() };
}

const good = JSON.stringify(acceptance({}, sameItem));
const goodBytes = httpAnswer(200, good);

type Kind = BuyOutcome['kind'];

const answered: readonly (readonly [string, Manners, Kind, string])[] = [
  ['HTML [N10 transport-5]', answering(200, '<html>hello</html>', { 'content-type': 'text/html' }), 'unknown', 'unreadable'],
  ['JSON called HTML [N10 N18]', answering(200, good, { 'content-type': 'text/html' }), 'unknown', 'unreadable'],
  ['a list', answering(200, [1, 2]), 'unknown', 'unreadable'],
  ['half of the JSON [N9]', answering(200, good.slice(0, 60)), 'unknown', 'unreadable'],
  [
    'a foreign charset [N18]',
    answering(200, good, { 'content-type': 'application/json; charset=utf-16' }),
    'unknown',
    'unreadable',
  ],
  ['a byte order mark [N18]', answering(200, `\uFEFF${good}`), 'unknown', 'unreadable'],
  [
    'bytes that are no UTF-8',
    saying(httpAnswer(200, Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]))),
    'unknown',
    'unreadable',
  ],
  ['an encoding nobody asked for [N19]', answering(200, good, { 'content-encoding': 'zstd' }), 'unknown', 'unreadable'],
  ['gzip all the same', saying(httpAnswer(200, gzipSync(good), { 'content-encoding': 'gzip' })), 'bought', ''],
  [
    'a gzip bomb [N19]',
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
  ['a name that stands twice [N22]', answering(200, `{"success":false,${good.slice(1)}`), 'unknown', 'unreadable'],
  [
    'JSON 200,000 deep [N21]',
    answering(200, `{"success":false,"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`),
    'unknown',
    'unreadable',
  ],
  ['nothing (204)', saying('HTTP/1.1 204 No Content\r\n\r\n'), 'unknown', 'unreadable'],
  ['success without an order id [N12 money-4]', answering(200, acceptance({ serviceOrderId: undefined })), 'unknown', 'other'],
  ['a redirect [N14]', answering(302, '', { location: '/elsewhere' }), 'unknown', 'redirect'],
  ['a redirect that keeps the method [N14]', answering(307, good, { location: 'http://127.0.0.1:1/' }), 'unknown', 'redirect'],
  ['408 [N17]', answering(408, { success: false }), 'unknown', 'timeout'],
  ['425 [N17]', answering(425, { success: false }), 'unknown', 'service'],
  ['429 in JSON [N16]', answering(429, { success: false, message: 'slow down' }, { 'retry-after': '2' }), 'refused', 'rate'],
  ['429 in HTML', answering(429, '<b>slow</b>', { 'content-type': 'text/html' }), 'unknown', 'rate'],
  ['403 in HTML', answering(403, '<b>no</b>', { 'content-type': 'text/html' }), 'unknown', 'ban'],
  ['403 in JSON', answering(403, { success: false, message: 'Forbidden' }), 'refused', 'key'],
  ['500 [N17]', answering(500, { success: false }), 'unknown', 'service'],
  ['502 in HTML [N10 N17]', answering(502, '<html>bad gateway</html>', { 'content-type': 'text/html' }), 'unknown', 'service'],
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
    '101 Switching Protocols [N30]',
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
  ['a FIN inside the body [N6]', onAnswer((socket) => void socket.end(goodBytes.subarray(0, -10))), 'unknown', 'connection'],
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
    '100 MB [N20]',
    onAnswer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000000\r\n\r\n');
      flood(socket, Buffer.alloc(100_000, 32), 1_000);
    }),
    'unknown',
    'unreadable',
  ],
  [
    'chunks without end [N20]',
    onAnswer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n');
      flood(socket, chunkOfSpace(10_000), 1_000);
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
  it.each([...answered, ...broken])('answered with %s [N31 money-2]', async (_, manners, kind, cause) => {
    const { server, venue } = await at(manners);
    const { outcome } = await venue.buy(order, never);
    expect(kind.split('|')).toContain(outcome.kind);
    if (outcome.kind !== 'bought') expect(outcome.cause).toBe(cause);
    await pause(30);
    expect(server.posts).toBeLessThanOrEqual(1);
    if (outcome.kind !== 'unsent' && !('accept' in manners) && !('first' in manners)) expect(server.posts).toBe(1);
  });

  it.each([0, 1, 9, 40, 90, 120, 160, 250])(
    'is unknown when the connection is reset %i bytes into the answer [N4 N6]',
    async (bytes) => {
      const manners = onAnswer(
        (socket) => void socket.write(goodBytes.subarray(0, bytes), () => void setTimeout(reset, 20, socket)),
      );
      const { server, venue } = await at(manners);
      expect(bytes).toBeLessThan(goodBytes.length);
      expect((await venue.buy(order, never)).outcome).toMatchObject({ kind: 'unknown' });
      expect(server.posts).toBe(1);
    },
  );

  it.each([
    ['nothing', () => undefined],
    ['headers one byte at a time', (socket: Socket) => trickle(socket, goodBytes.toString('latin1'), 60)],
    [
      'a body one byte at a time',
      (socket: Socket) => {
        const body = goodBytes.indexOf('{');
        socket.write(goodBytes.subarray(0, body));
        trickle(socket, goodBytes.subarray(body).toString('latin1'), 60);
      },
    ],
    [
      'chunks of white space for ever',
      (socket: Socket) => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        trickle(
          socket,
          Array.from({ length: 9_999 }, () => '1\r\n \r\n'),
          60,
        );
      },
    ],
  ])('is unknown at its deadline when it is answered with %s [N2 N7 money-1]', async (_, work) => {
    const { server, venue } = await at(onAnswer(work), within(1_000));
    const { outcome } = await venue.buy(order, () => undefined);
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'timeout', message: 'no whole answer within 1000 ms' });
    expect(server.posts).toBe(1);
  });

  it.each([
    ['nobody listens', 'http://127.0.0.1:1'],
    ['the name does not exist', 'http://magpie.invalid'],
    ['nobody listens on any address of the name', 'https://localhost:1'],
  ])('is unsent when %s [N1]', async (_, baseUrl) => {
    const { venue } = await at({}, { baseUrl });
    const { outcome, times } = await venue.buy(order, never);
    expect(outcome).toMatchObject({ kind: 'unsent', cause: 'connection' });
    expect(times.sentAt).toBeUndefined();
  });

  const overTls = (url: string) => ({ baseUrl: url.replace('http:', 'https:'), ...within(1_000) });

  it.each([
    ['is answered in plain text', { first: (socket: Socket) => void socket.end('HTTP/1.1 400 plain\r\n\r\n') }, 'connection'],
    ['is reset', { first: reset }, 'connection'],
    ['is not answered', {}, 'timeout'],
  ])('is unsent when the TLS handshake %s, then and afterwards [N1]', async (_, manners, cause) => {
    const { server, venue } = await at(manners, overTls);
    expect((await venue.buy(order, never)).outcome).toMatchObject({ kind: 'unsent', cause });
    await pause(100);
    expect(server.posts).toBe(0);
  });

  it('is one POST when the kept connection closes as it is written [N5 N31 money-2]', async () => {
    const { server, venue } = await at(answering(200, good));
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
