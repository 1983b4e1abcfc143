import { expect, it } from 'vitest';
import { ScriptedService, failure, listings, success } from './scripted-service.ts';
import { freshPlace, offer, pause, startBot } from './stage.ts';

it('a list of orders from a cache confirms no refusal, so its listing is sent once [N34 money-3]', async () => {
  const sent: string[] = [];
  // From before the buy; each time the same bytes.
  const orders = success({ total: 0, returned: 0, orders: [], message: 'orders' });
  const service = await ScriptedService.open({
    live: () => listings([offer('900000001')]),
    orders: () => orders,
    buy: ({ body }) => {
      sent.push((JSON.parse(body) as { itemId: string }).itemId);
      return failure(429, 'RATE_LIMITED', 'too many requests', { 'retry-after': '1' });
    },
  });
  const bot = await startBot({ place: freshPlace(), at: service.address });
  await bot.sees('a refusal', () => bot.purchases()[0]?.state === 'rejected');
  const looksBefore = service.asked('orders');
  await bot.sees('looks', () => service.asked('orders') >= looksBefore + 2);
  await pause(500);
  expect(bot.purchases()).toMatchObject([{ state: 'rejected', held: true }]);
  expect(sent).toEqual(['900000001']);
});
