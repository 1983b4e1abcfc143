import { createHmac } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { calm, freshPlace, offer, openExchange, ordersAt, pause, startBot } from './stage.ts';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}

const times = { initiated: 300, pending: 300, active: 300, hold: 6_500 };
const cheap = { cheap: { when: { name: '*' }, price: { max: 20 } } };

describe('an order of a daemon that looks once an hour by itself', () => {
  it(
    'is settled moments after it is completed where the service posts webhooks, doubled and late as they are, and not without them; a lie moves nothing',
    { timeout: 900_000 },
    async () => {
      const port = await freePort();
      const path = '/hooks/3f9c2a7e5b8d41c6';
      const secret = 'shared-with-the-service';
      const faults = { ...calm, webhookTwice: 0.5, webhookLate: 0.2 };
      const faultTimes = { late: [500, 1_500] } as const;
      const webhooks = { url: `http://127.0.0.1:${port}${path}`, secret };
      const told = await openExchange({ offers: [offer('1')], times, faults, faultTimes, webhooks });
      const silent = await openExchange({ offers: [offer('1')], times });
      const reconcile = { interval: '1h' };
      const hearing = await startBot({
        place: freshPlace(),
        at: told,
        config: { reconcile, webhooks: { port, path, secret } },
        strategies: cheap,
      });
      const deaf = await startBot({ place: freshPlace(), at: silent, config: { reconcile }, strategies: cheap });
      await hearing.sees('its purchase', () => hearing.purchases().some(({ state }) => state === 'bought'));
      await deaf.sees('its purchase', () => deaf.purchases().some(({ state }) => state === 'bought'));
      const [order] = ordersAt(told);
      const lie = JSON.stringify({
        type: 'order.refunded',
        data: { order: { id: order?.id, amount: 0, status: { code: 'REVERTED' } } },
      });
      const signature = createHmac('sha256', secret).update(lie).digest('hex');
      const posted = await fetch(webhooks.url, { method: 'POST', body: lie, headers: { 'x-webhook-signature': signature } });
      expect(posted.status).toBe(204);
      await pause(1_500);
      expect(hearing.purchases().map(({ state }) => state)).toEqual([expect.stringMatching(/^(?:bought|completed)$/)]);
      await hearing.sees('the end of its order', () => hearing.purchases()[0]?.state === 'completed', 120_000);
      await hearing.sees('the end of the other order', () => ordersAt(silent)[0]?.code === 'COMPLETED', 120_000);
      await pause(3_000);
      expect(deaf.purchases()[0]?.state).toBe('bought');
      expect(hearing.purchases().length).toBe(1);
    },
  );
});
