import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Reply, Service } from '../../src/engine/ports.ts';
import { slicesReader } from '../../src/feed/slices/reader.ts';
import { entries, entry } from '../support/feed-entries.ts';
import { CANARY_KEY, scenes } from './harness.ts';
import { httpAnswer, saying } from './hostile-server.ts';

const scene = scenes();

type Live = Reply<{ listings: unknown[] }>;

/** An answer without the times of its question. */
function said(reply: Live): unknown {
  if (!reply.ok) return { ...reply, beganAt: 0, endedAt: 0 };
  return { ...reply, beganAt: 0, endedAt: 0, receivedAt: 0 };
}

function listingsOf(reply: Live): readonly unknown[] {
  if (!reply.ok) throw new Error(reply.fault.message);
  return reply.data.listings;
}

const quoting = entry({ id: '77', marketHashName: `★ Karambit | ${CANARY_KEY}`, iconUrl: '龍' });
const market = [...entries(20), quoting, null, ...entries(20, 50)];

function body(requestId: string, listings: readonly unknown[], success = true): Buffer {
  return Buffer.from(
    JSON.stringify({ requestId, success, message: CANARY_KEY, data: { listings, listingsCount: listings.length } }),
  );
}

const series: readonly (readonly [string, Buffer])[] = [
  ['the first', body('r-1', market)],
  ['the same listings', body('r-2', market)],
  [
    'an edit, one that came and one that is gone',
    body('r-3', [...market.slice(1, 9), entry({ id: '99' }), entry({ id: '10', price: 9 }), ...market.slice(10)]),
  ],
  ['one that breaks off', body('r-4', market).subarray(0, 900)],
  ['one that is not UTF-8', Buffer.concat([body('r-5', []).subarray(0, 15), Buffer.from([0xff]), body('r-5', []).subarray(16)])],
  ['a failure', body('r-6', market, false)],
  ['another order', body('r-7', [...market].reverse())],
  ['a list that is none', Buffer.from('{"success":true,"data":{"listings":{}}}')],
  ['nothing left', body('r-8', [])],
  ['all of it again', body('r-9', market)],
];

const encodings: readonly (readonly [string, (body: Buffer) => Buffer])[] = [
  ['', (bytes) => bytes],
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
];

describe.each(encodings)('live listings that are read by what is new in them, encoding "%s"', (encoding, encode) => {
  const headers: Record<string, string> = encoding === '' ? {} : { 'content-encoding': encoding };

  it('are those that are read whole, secrets masked, whatever comes between', async () => {
    const { server, gateway } = await scene({});
    const services: Service[] = [gateway.service];
    const slices = await scene({}, { listingsReader: slicesReader });
    services.push(slices.gateway.service);
    for (const [what, bytes] of series) {
      for (const one of [server, slices.server]) one.behave(saying(httpAnswer(200, encode(bytes), headers)));
      const [whole, sliced] = await Promise.all(services.map((service) => service.read('liveListings')));
      expect({ [what]: said(sliced!) }).toEqual({ [what]: said(whole!) });
      expect(JSON.stringify(sliced)).not.toContain(CANARY_KEY);
    }
  });

  it('come as the same objects for as long as the service sends the same bytes', async () => {
    const { server, gateway } = await scene({}, { listingsReader: slicesReader });
    const ask = async (requestId: string, listings: readonly unknown[]): Promise<readonly unknown[]> => {
      server.behave(saying(httpAnswer(200, encode(body(requestId, listings)), headers)));
      return listingsOf(await gateway.service.read('liveListings'));
    };
    const first = await ask('r-1', market);
    const second = await ask('r-2', market.toSpliced(3, 1, entry({ id: '4', price: 9 })));
    expect(second.map((one, at) => one === first[at])).toEqual(market.map((_, at) => at !== 3));
  });
});
