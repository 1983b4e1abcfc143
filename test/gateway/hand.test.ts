import { describe, expect, it, onTestFinished } from 'vitest';
import { type Endpoint, type EndpointName, endpoints } from '../../src/api/endpoints.ts';
import { SystemClock } from '../../src/app/system-clock.ts';
import { Secret } from '../../src/domain/secret.ts';
import { createHand, type Hand } from '../../src/gateway/hand.ts';
import { HostileServer, type Manners, answering, reset } from './hostile-server.ts';

async function at(manners: Manners, timeoutMs = 5_000): Promise<{ server: HostileServer; hand: Hand }> {
  const server = await HostileServer.start(manners);
  const [apiKey, partnerKey] = [new Secret('the-key-of-the-account'), undefined];
  const hand = createHand({ baseUrl: `${server.url}/api`, apiKey, partnerKey, timeoutMs, clock: new SystemClock() });
  onTestFinished(async () => {
    await hand.close();
    await server.close();
  });
  return { server, hand };
}

const money = (Object.entries(endpoints) as [EndpointName, Endpoint][]).filter(([, { moves }]) => moves !== undefined);
const exampleOf = (name: EndpointName): Endpoint['example'] => (endpoints[name] as Endpoint).example;

const endings: [string, Manners, string][] = [
  ['a reset', { answer: (socket) => reset(socket) }, 'unknown'],
  ['a 500', answering(500, { success: false, message: 'oops' }), 'unknown'],
  ['a page', answering(200, '<html>', { 'content-type': 'text/html' }), 'unknown'],
  ['a redirect', answering(307, { success: true }, { location: 'http://127.0.0.1:9/' }), 'unknown'],
  ['silence', {}, 'unknown'],
  ['a refusal', answering(400, { success: false, code: 'NO' }), 'refused'],
  ['a 500 that sounds like a refusal', answering(500, { success: false, message: 'payment not found' }), 'unknown'],
  ['a 503 that speaks of rates', answering(503, { success: false, message: 'upstream: too many requests' }), 'unknown'],
  ['a refusal of what is under way', answering(409, { success: false, message: 'already processing' }), 'unknown'],
  ['a refusal of a transfer that goes on', answering(409, { success: false, message: 'Transfer is pending' }), 'unknown'],
  ['a page of somebody in between', answering(403, '<html>Blocked</html>', { 'content-type': 'text/html' }), 'unknown'],
  ['a refusal that is no JSON', answering(400, 'no', { 'content-type': 'text/plain' }), 'unknown'],
  ['a refusal that calls itself a success', answering(400, { success: true, data: { message: 'done' } }), 'unknown'],
  ['a refusal of a repeat', answering(200, { success: false, code: 'DUPLICATE_REQUEST' }), 'unknown'],
  ['too many requests', answering(429, { success: false, code: 'RATE' }), 'transient'],
];

describe('a call that changes something', () => {
  it.each(endings)('is written once and never again after %s, and said to be what it is', async (_, manners, kind) => {
    const { server, hand } = await at(manners, 300);
    for (const [name] of money) {
      const before = server.posts;
      const reply = await hand.call(name, exampleOf(name));
      expect([name, reply.ok ? 'done' : reply.fault.class, server.posts - before]).toEqual([name, kind, 1]);
    }
  });

  it('that could not be sent was not done', async () => {
    const { server, hand } = await at({});
    await server.close();
    expect(await hand.call('withdraw', exampleOf('withdraw'))).toMatchObject({
      ok: false,
      fault: { class: 'transient', sent: false },
    });
    const signal = AbortSignal.abort();
    expect(await hand.call('withdraw', { ...exampleOf('withdraw'), signal })).toMatchObject({
      ok: false,
      fault: { class: 'refused', sent: false },
    });
  });

  it('that is cancelled under way is unknown', async () => {
    const { hand } = await at({ answer: () => stop.abort() });
    const stop = new AbortController();
    const reply = await hand.call('transfer', { ...exampleOf('transfer'), signal: stop.signal });
    expect(reply).toMatchObject({ ok: false, fault: { class: 'unknown', sent: true, message: 'cancelled' } });
  });
});

describe('any call', () => {
  it('gives open answers through unharmed, and a parameter of the path in one piece', async () => {
    const odd = { list: [null, 1e-9, 'ü'], deep: { __proto__: null, constructor: 1 } };
    const { server, hand } = await at(answering(200, { requestId: 'r', success: true, data: odd }));
    expect(await hand.call('legacyItem', { path: { id: 'a/../b?c' } })).toEqual({
      ok: true,
      data: odd,
      status: 200,
      requestId: 'r',
      odd: undefined,
    });
    expect(server.requests[0]?.path).toBe('/api/v1/market/item/a%2F..%2Fb%3Fc');
  });

  it('is not sent against a rule, which is named', async () => {
    const { server, hand } = await at(answering(200, { success: true, data: {} }));
    expect(await hand.call('listings', { query: { item: 'x' } })).toMatchObject({
      ok: false,
      broken: { where: 'query', field: 'item', rule: 'must be 16 characters of 0-9 and a-f' },
    });
    expect(await hand.call('cancelDeposit', {})).toMatchObject({ ok: false, broken: { where: 'path', field: 'depositId' } });
    expect(server.requests).toEqual([]);
  });

  it('is refused, never thrown back, where it is nothing that can be written', async () => {
    const { server, hand } = await at(answering(200, { success: true, data: {} }));
    const round: Record<string, unknown> = {};
    round['self'] = round;
    const path = { depositId: 'd' };
    const odd = [{ path, body: { amount: 1n } }, { path, body: round }, { path: { depositId: 7 } as unknown as typeof path }];
    for (const request of odd) {
      expect(await hand.call('cancelDeposit', request)).toMatchObject({ ok: false, fault: { class: 'refused', sent: false } });
    }
    expect(server.requests).toEqual([]);
  });

  it('tells what is odd in an answer down to the elements of its lists, and keeps it', async () => {
    const data = { total: 1, returned: 1, orders: [{ id: 7 }], message: '' };
    const { hand } = await at(answering(200, { success: true, data }));
    expect(await hand.call('orders')).toMatchObject({ ok: true, data, odd: expect.stringContaining('orders.0') as string });
  });
});
