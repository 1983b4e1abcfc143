import { createHmac } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import type { EventDelivery } from '../../src/sandbox/order-events.ts';
import { WebhookSender } from '../../src/sandbox/webhook-sender.ts';
import { startSandbox } from '../../src/sandbox/start.ts';
import { HostileServer, answering, type Manners } from '../gateway/hostile-server.ts';
import { calm } from './harness.ts';

const event = {
  id: 'e-1',
  type: 'order.updated',
  createdAt: '2026-11-29T00:00:00.000Z',
  data: { accountId: 'a', order: {} },
} as const;
const one: EventDelivery = { event, afterMs: 0 };

/** Ticks until something holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function receiving(manners: Manners): Promise<HostileServer> {
  const server = await HostileServer.start(manners);
  onTestFinished(() => server.close());
  return server;
}

describe('a webhook of the exchange', () => {
  it('is posted with an id and a signature over the bytes of its body', async () => {
    const server = await receiving(answering(200, {}));
    const sender = new WebhookSender({ url: `${server.url}/hook`, secret: 'shared' }, new SystemClock());
    sender.send([one]);
    await until(() => server.requests.length === 1);
    await sender.close();
    const [request] = server.requests;
    if (!request) throw new Error('nothing came');
    const { method, path, headers, body } = request;
    expect([method, path, headers['x-webhook-id']]).toEqual(['POST', '/hook', 'e-1']);
    expect(JSON.parse(body)).toEqual(event);
    expect(headers['x-webhook-signature']).toBe(`sha256=${createHmac('sha256', 'shared').update(body).digest('hex')}`);
  });

  it('is tried again after a second where it is not taken, and not once it is', async () => {
    const server = await receiving(answering(503, {}));
    const sender = new WebhookSender({ url: server.url, secret: undefined }, new SystemClock());
    sender.send([one]);
    await until(() => server.requests.length === 1);
    server.behave(answering(200, {}));
    await until(() => server.requests.length === 2);
    await sender.close();
    expect((server.requests[1]?.at ?? 0) - (server.requests[0]?.at ?? 0)).toBeGreaterThan(900);
    expect(server.requests.map(({ headers }) => headers['x-webhook-signature'])).toEqual([undefined, undefined]);
  });

  it('goes to this machine alone', () => {
    for (const url of ['http://example.com/hook', 'ftp://127.0.0.1', 'nonsense', 'http://127.0.0.1.example.com'])
      expect(() => new WebhookSender({ url, secret: undefined }, new SystemClock())).toThrow('on this machine');
  });

  it('comes of a purchase on a running exchange', async () => {
    const server = await receiving(answering(200, {}));
    const webhooks = { url: server.url, secret: undefined };
    const times = { initiated: 20, pending: 20, active: 20, hold: 20 };
    const sandbox = await startSandbox({ seed: 7, listings: 20, times, faults: calm, clock: new SystemClock(), webhooks });
    onTestFinished(() => sandbox.close());
    const headers = { 'x-api-key': sandbox.childKey };
    const feed = (await (await fetch(`${sandbox.baseUrl}/v2/partner/live/listings`, { headers })).json()) as {
      data: { listings: { id: string; price: number; market: string; priceWithFee: number }[] };
    };
    const [listing] = feed.data.listings.toSorted((a, b) => a.priceWithFee - b.priceWithFee);
    const body = JSON.stringify({
      itemId: listing?.id,
      price: listing?.price,
      market: listing?.market,
      tradeUrl: sandbox.tradeUrl,
    });
    expect((await fetch(`${sandbox.baseUrl}/v2/market/buy`, { method: 'POST', headers, body })).status).toBe(200);
    await until(() => server.requests.length >= 5);
    const codes = server.requests.map(({ body: text }) => /"code":"(\w+)"/.exec(text)?.[1]);
    expect(new Set(codes)).toEqual(new Set(['ACTIVE', 'COMPLETED', 'HOLD', 'INITIATED', 'PENDING']));
  });
});
