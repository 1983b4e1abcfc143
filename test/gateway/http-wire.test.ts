import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Service } from '../../src/engine/ports.ts';
import { pause, scenes, until, within, type Options } from './harness.ts';
import { answering, chunkOfSpace, flood, httpAnswer, onAnswer, saying, trickle } from './hostile-server.ts';
import type { HostileServer, Manners } from './hostile-server.ts';

const scene = scenes();

async function at(manners: Manners, more?: Options): Promise<{ server: HostileServer; service: Service }> {
  const { server, gateway } = await scene(manners, more);
  return { server, service: gateway.service };
}

const data = { listings: [{ id: '1', anything: 'goes' }], listingsCount: 1 };
const good = JSON.stringify({ requestId: 'r-1', success: true, data });

const faults: readonly (readonly [string, Manners, string, string])[] = [
  ['HTML [N10]', answering(200, '<html>hello</html>', { 'content-type': 'text/html' }), 'transient', 'unreadable'],
  ['JSON called HTML', answering(200, good, { 'content-type': 'text/html' }), 'transient', 'unreadable'],
  [
    'a foreign charset [N18]',
    answering(200, good, { 'content-type': 'application/json; charset=gbk' }),
    'transient',
    'unreadable',
  ],
  ['a byte order mark', answering(200, `\uFEFF${good}`), 'transient', 'unreadable'],
  ['half of the JSON', answering(200, good.slice(0, -20)), 'transient', 'unreadable'],
  ['a list', answering(200, []), 'transient', 'unreadable'],
  ['null', answering(200, 'null'), 'transient', 'unreadable'],
  ['nothing', answering(200, ''), 'transient', 'unreadable'],
  ['no success', answering(200, { data }), 'transient', 'unreadable'],
  ['success in words', answering(200, { success: 'true', data }), 'transient', 'unreadable'],
  ['another shape', answering(200, { success: true, data: { listings: {} } }), 'transient', 'unreadable'],
  ['a list where an object belongs', answering(200, { success: true, data: [] }), 'transient', 'unreadable'],
  ['an encoding nobody asked for [N19]', answering(200, good, { 'content-encoding': 'zstd' }), 'transient', 'unreadable'],
  ['two encodings', answering(200, good, { 'content-encoding': 'gzip, gzip' }), 'transient', 'unreadable'],
  [
    'half a gzip',
    saying(httpAnswer(200, gzipSync(good).subarray(0, -9), { 'content-encoding': 'gzip' })),
    'transient',
    'unreadable',
  ],
  [
    'a gzip bomb [N19]',
    saying(httpAnswer(200, gzipSync(Buffer.alloc(70 * 1024 * 1024, 32)), { 'content-encoding': 'gzip' })),
    'transient',
    'unreadable',
  ],
  [
    'a brotli bomb [N19]',
    saying(httpAnswer(200, brotliCompressSync(Buffer.alloc(70 * 1024 * 1024, 32)), { 'content-encoding': 'br' })),
    'transient',
    'unreadable',
  ],
  ['a redirect elsewhere', answering(302, '', { location: 'http://127.0.0.1:1/' }), 'transient', 'redirect'],
  ['a redirect in JSON', answering(308, { success: false }, { location: '/other' }), 'transient', 'redirect'],
  ['401 in JSON [N15]', answering(401, { success: false, message: 'Invalid API key' }), 'refused', 'key'],
  ['403 in JSON', answering(403, { success: false }), 'refused', 'key'],
  ['404 in JSON', answering(404, { success: false }), 'refused', 'gone'],
  ['a refusal in 200', answering(200, { success: false, code: 'ITEM_NOT_FOUND' }), 'refused', 'gone'],
  ['408', answering(408, ''), 'transient', 'timeout'],
  ['425', answering(425, { success: false }), 'transient', 'service'],
  ['500', answering(500, { success: false }), 'transient', 'service'],
  ['502 in HTML [N10 transport-5]', answering(502, '<html></html>', { 'content-type': 'text/html' }), 'transient', 'service'],
  ['a wrong length', saying(httpAnswer(200, good, { 'content-length': '20' })), 'transient', 'unreadable'],
  ['chunks that are none', saying('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzzz\r\n'), 'transient', 'unreadable'],
  ['no HTTP at all', saying('220 mail ready\r\n'), 'transient', 'unreadable'],
  ['a reset', onAnswer((socket) => void socket.resetAndDestroy()), 'transient', 'connection'],
  ['a FIN', onAnswer((socket) => void socket.end()), 'transient', 'connection'],
  [
    'a FIN inside the body [N6]',
    onAnswer((socket) => void socket.end(httpAnswer(200, good).subarray(0, -5))),
    'transient',
    'connection',
  ],
  [
    'an error page of 100 MB [N20]',
    onAnswer((socket) => {
      socket.write('HTTP/1.1 500 Oh\r\ntransfer-encoding: chunked\r\n\r\n');
      flood(socket, chunkOfSpace(10_000), 10_000);
    }),
    'transient',
    'service',
  ],
];

describe('a read on a hostile wire', () => {
  it.each(faults)('answered with %s', async (_, manners, kind, cause) => {
    const { server, service } = await at(manners);
    const reply = await service.read('liveListings');
    expect(reply).toMatchObject({ ok: false, fault: { class: kind, cause, sent: true } });
    expect(server.requests).toHaveLength(1);
  });

  it('stops reading at 64 MiB, or where the answer says that it is larger [N20]', async () => {
    const announced = await at(onAnswer((socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 70000000\r\n\r\n{')));
    const endless = await at(
      onAnswer((socket) => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        flood(socket, chunkOfSpace(100_000), 1_000);
      }),
      within(15_000),
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
    const { service } = await at(answering(200, { success: true, data: { padding: 'x'.repeat(1_100_000) } }));
    expect(await service.read('user')).toMatchObject({ ok: false, fault: { cause: 'unreadable' } });
  });

  it.each([
    ['nothing', () => undefined],
    ['headers one byte at a time', (socket: Socket) => trickle(socket, httpAnswer(200, good).toString('latin1'), 60)],
    [
      'white space for ever',
      (socket: Socket) => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        trickle(
          socket,
          Array.from({ length: 9_999 }, () => '1\r\n \r\n'),
          60,
        );
      },
    ],
  ])('gives up at its deadline when answered with %s, and closes the socket [N7]', async (_, work) => {
    const { server, service } = await at(onAnswer(work), within(1_000));
    const reply = await service.read('liveListings');
    expect(reply).toMatchObject({ ok: false, fault: { class: 'transient', cause: 'timeout', sent: true } });
    expect(reply.endedAt - reply.beganAt).toBeGreaterThanOrEqual(990);
    // The answer would go on for minutes.
    expect(reply.endedAt - reply.beganAt).toBeLessThan(10_000);
    await until(() => server.sockets[0]?.destroyed === true);
    await pause(30);
    expect(server.requests).toHaveLength(1);
  });

  it('says that it was never sent when nobody listens [N1]', async () => {
    const { server, service } = await at({});
    await server.close();
    expect(await service.read('liveListings')).toMatchObject({
      ok: false,
      fault: { class: 'transient', cause: 'connection', sent: false },
    });
  });

  it('never follows a redirect, and so never takes the key elsewhere [N14 S21]', async () => {
    const { server: elsewhere } = await at(answering(200, good));
    const { server, service } = await at(answering(301, '', { location: `${elsewhere.url}/v2/partner/live/listings` }));
    const reply = await service.read('liveListings');
    expect(reply.ok || reply.fault.message).toMatchInlineSnapshot(`"HTTP 301: a redirect, which is never followed"`);
    expect([server.requests.length, elsewhere.connections]).toEqual([1, 0]);
  });

  it('can be cancelled before it is sent and while it waits', async () => {
    const { server, service } = await at({});
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

  it('leaves no socket behind after many failures [transport-4]', async () => {
    let round = 0;
    const { server, service } = await at({
      answer: (socket) => void (round++ % 2 === 0 ? socket.write(httpAnswer(500, '<html>')) : socket.end()),
    });
    for (let n = 0; n < 40; n++) await service.read('user');
    await until(() => server.sockets.filter((socket) => !socket.destroyed).length <= 1);
    expect(server.requests).toHaveLength(40);
  });
});
