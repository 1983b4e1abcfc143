import { expect, it } from 'vitest';
import { ScriptedService, listings, profile, success } from './scripted-service.ts';
import { freshPlace, offer, pause, startBot } from './stage.ts';

it('keeps the reserve on a service whose next balance is older than the last', async () => {
  let [balance, offers]: [number, readonly unknown[]] = [1_000, []];
  let sold = 0;
  const order = (n: number) => ({
    ...{ id: `S-${n}`, item: 'x', itemId: '10807006fab895f4', amount: 21, currency: 'USD', timestamp: Date.now() },
    status: { code: 'PENDING', label: 'Pending' },
  });
  const orders = () => Array.from({ length: sold }, (_, at) => order(at + 1));
  const service = await ScriptedService.open({
    user: () => profile(balance),
    live: () => listings(offers),
    orders: () => success({ total: sold, returned: sold, orders: orders(), message: 'orders' }),
    buy: () => {
      sold += 1;
      return success({ order: { orderId: `u${sold}`, serviceOrderId: `S-${sold}`, status: 'SUCCESS', message: 'ok' }, item: {} });
    },
  });
  const limits = { maxPrice: 1000, spend: { day: 100_000 }, reserve: 970 };
  const bot = await startBot({ place: freshPlace(), at: service.address, config: { limits } });
  await bot.says('Start checks passed');
  const readAs = async (dollars: number): Promise<void> => {
    balance = dollars;
    const asked = service.asked('user');
    while (service.asked('user') <= asked + 1) {
      await bot.daemon.core.looks.once();
      await pause(200);
    }
  };
  offers = [offer('1', { price: 20 })];
  await bot.sees('a purchase', () => bot.purchases().some(({ state }) => state === 'bought'));
  await readAs(979);
  await bot.sees('its debit', () => bot.purchases().every(({ debitSeen }) => debitSeen));
  await readAs(1_000);
  offers = [offer('2', { price: 20 })];
  await bot.says('$979.00 free - $21.00 is less than the reserve of $970.00');
  expect(service.asked('buy')).toBe(1);
});
