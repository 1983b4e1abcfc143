import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { chunkOfSpace, flood, httpAnswer, trickle } from '../gateway/hostile-server.ts';
import { ScriptedService, failure, listings, profile, success } from './scripted-service.ts';
import { freshPlace, offer, pause, startBot } from './stage.ts';

/** What a terminal would obey: controls, colours, bidirectional overrides. A line's own end is allowed. */
// oxlint-disable-next-line no-control-regex -- naming the control characters is the purpose
const raw = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

const evil = '\u001b[31mAK-47\u0007\r\n\u202e | Redline\u009b2J';

/** Entries that no honest service would send, one of each kind. */
const hostile: readonly unknown[] = [
  null,
  'listing',
  7,
  [],
  {},
  offer('a', { price: '10' }),
  offer('b', { price: -10 }),
  offer('c', { price: 0 }),
  offer('d', { price: 10, priceWithFee: 5 }),
  offer('e', { wear: 7 }),
  offer('f', { itemId: null }),
  { ...offer('g'), id: 2 ** 60 },
  offer('h', { marketHashName: 7 }),
  offer('i', { marketHashName: '' }),
  offer('j', { market: '__proto__' }),
  offer('k', { market: evil }),
  offer('l', { stickers: evil, charm: [[[]]] }),
  offer('1', { marketHashName: evil }),
  offer('2', { marketHashName: 'x'.repeat(2_000_000) }),
  offer('3', { price: 11 }),
  offer('3', { price: 12 }),
];

/** JSON texts that JSON.stringify would not write. */
const strange = ['{"id":"p","__proto__":{"price":1}}', '{"id":"q","price":1e400}', '{"id":"r","price":10,"price":1}'];

/** More than is ever inflated. */
const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024, 32));

function hostileFeed(): Buffer {
  const sound = JSON.stringify(offer('77'));
  const entries = [...hostile.map((entry) => JSON.stringify(entry)), ...strange, sound].join(',');
  const count = hostile.length + strange.length + 1;
  return httpAnswer(
    200,
    `{"requestId":"${Math.random()}","success":true,"data":{"listings":[${entries}],"listingsCount":${count}}}`,
  );
}

describe('a hostile feed', () => {
  it('costs the bad listings, never the good one beside them, and nothing of it reaches a terminal raw [N25 N28 S17 S18]', async () => {
    const service = await ScriptedService.open({ live: () => hostileFeed(), buy: () => failure(410, evil, `<b>${evil}</b>`) });
    const bot = await startBot({ place: freshPlace(), at: service.address });
    const wanted = (): boolean => service.server.requests.some(({ body }) => body.includes('"itemId":"77"'));
    await bot.sees('the good one bought', wanted);
    await pause(400);
    await bot.stop();
    const asked = service.server.requests
      .filter(({ path }) => path === '/v2/market/buy')
      .map(({ body }) => JSON.parse(body) as { itemId: string; price: number });
    expect(new Set(asked.map(({ itemId, price }) => `${itemId} ${price}`))).toEqual(new Set(['77 10']));
    for (const line of bot.lines) expect(line.slice(0, -1)).not.toMatch(raw);
    for (const line of bot.lines) expect(line.length).toBeLessThan(2_000);
    expect(({} as Record<string, unknown>)['price']).toBeUndefined();
  });

  const shapes: readonly [string, () => Buffer | ((socket: Socket) => void)][] = [
    ['HTML', () => httpAnswer(200, `<html>${evil}</html>`, { 'content-type': 'text/html' })],
    ['cut in the middle', () => httpAnswer(200, '{"success":true,"data":{"listings":[{"id":"77"')],
    ['an array', () => success([])],
    ['null', () => success(null)],
    ['a redirect', () => httpAnswer(302, '', { location: 'http://127.0.0.1:1/steal' })],
    [
      '500 MB by its own word',
      () => (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 500000000\r\n\r\n{"success":'),
    ],
    ['a gzip bomb', () => httpAnswer(200, bomb, { 'content-encoding': 'gzip' })],
    ['no HTTP at all', () => Buffer.from('SSH-2.0-OpenSSH_9.6\r\n')],
    [
      'bytes without end',
      () => (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        flood(socket, chunkOfSpace(1024 * 1024), 200);
      },
    ],
    [
      'a byte now and then',
      () => (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
        trickle(socket, Array<string>(1_000).fill(' '), 50);
      },
    ],
    ['a reset', () => (socket) => void socket.resetAndDestroy()],
  ];
  it.each(shapes)(
    'answers of the kind "%s" to every question: the daemon stays up, buys nothing, and goes on when they are over [N10 N19 N20 P31 unattended-1]',
    async (_, answer) => {
      let hostileNow = true;
      const bad = (good: () => Buffer) => (): ReturnType<typeof answer> => (hostileNow ? answer() : good());
      const service = await ScriptedService.open({
        live: bad(() => listings([offer('77')])),
        user: bad(() => profile()),
        orders: bad(() => success({ total: 0, returned: 0, orders: [], message: 'orders' })),
      });
      const config = {
        rate: { reads: { perSecond: 50, concurrent: 4 }, buys: { perSecond: 9, concurrent: 1 }, timeout: '400ms' },
      };
      const bot = await startBot({ place: freshPlace(), at: service.address, config });
      await bot.sees('failed polls', () => bot.daemon.core.facts.failuresInRow >= 3);
      expect(service.asked('buy')).toBe(0);
      hostileNow = false;
      await bot.sees('a good poll', () => bot.daemon.core.facts.listings === 1);
      for (const line of bot.lines) expect(line.slice(0, -1)).not.toMatch(raw);
      expect(bot.lines.length).toBeLessThan(60);
      expect(bot.text).not.toContain('defect');
    },
  );
});
