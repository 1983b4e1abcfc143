import { describe, expect, it } from 'vitest';
import type { ExchangeFaultName } from '../../src/domain/exchange-fault.ts';
import type { ExchangeOptions } from './stage.ts';
import { freshPlace, offer, openExchange, ordersAt, pause, postsAt, startBot } from './stage.ts';

const always = (...names: ExchangeFaultName[]): NonNullable<ExchangeOptions['faults']> =>
  Object.fromEntries(names.map((name) => [name, 1]));

describe('a buy that was executed', () => {
  it.each<[ExchangeFaultName, string]>([
    ['buyCut', '[N6 N9]'],
    ['buyErrorAfter', '[N17]'],
    ['buyRefusedYetBought', '[N11 B9 money-3]'],
    ['buyWithoutOrderId', '[N12 money-4]'],
    ['buyUnusualStatus', '[N12]'],
  ])('is found to be, and was asked for once: %s %s', async (fault) => {
    const exchange = await openExchange({ offers: [offer('1')], faults: always(fault) });
    const bot = await startBot({ place: freshPlace(), at: exchange });
    await bot.sees('an outcome', () => !['intended', undefined].includes(bot.purchases()[0]?.state));
    const isBought = (): boolean => bot.purchases()[0]?.state === 'bought';
    for (let look = 0; look < 40 && !isBought(); look++) {
      await pause(250);
      await bot.daemon.core.looks.once();
    }
    await pause(300);
    await bot.stop();
    expect(bot.purchases()).toMatchObject([{ state: 'bought', held: false }]);
    expect(ordersAt(exchange)).toHaveLength(1);
    expect(postsAt(exchange)).toBe(1);
    expect(bot.beside((ledger) => ledger.adoptedOrders())).toEqual([]);
  });
});

describe('what no honest exchange does', () => {
  it.each<[ExchangeFaultName, RegExp, string]>([
    ['buyOtherGoods', /what the service says was bought is not what was asked for/, '[N13]'],
    ['feeDrift', /cost|debited/, '[M17 B14]'],
  ])('halts buying, and the purchase is booked: %s %s %s', async (fault, reason) => {
    const exchange = await openExchange({ offers: [offer('1'), offer('2', { steamPrice: 20 })], faults: always(fault) });
    const config = { limits: { maxPrice: 1000, spend: { day: 100_000 } }, reconcile: { interval: '1s' } };
    const rate = { reads: { perSecond: 100, concurrent: 4 }, buys: { perSecond: 0.2, concurrent: 1 }, timeout: '3s' };
    const bot = await startBot({ place: freshPlace(), at: exchange, config: { ...config, rate } });
    await bot.says('HALTED');
    await pause(300);
    const posts = postsAt(exchange);
    await bot.stop();
    expect(bot.beside((ledger) => ledger.halted()?.reason)).toMatch(reason);
    expect(bot.purchases()[0]).toMatchObject({ state: 'bought' });
    expect(posts).toBe(1);
  });

  it('two orders for one request: one is ours, the other is counted and told, and halts an account of our own [B24]', async () => {
    const exchange = await openExchange({ offers: [offer('1')], faults: always('buyTwice') });
    const account = { apiKey: exchange.childKey, partnerKey: exchange.topLevelKey, tradeUrl: exchange.tradeUrl, dedicated: true };
    const bot = await startBot({ place: freshPlace(), at: exchange, config: { account } });
    await bot.says('HALTED');
    await bot.stop();
    expect([postsAt(exchange), ordersAt(exchange).length]).toEqual([1, 2]);
    expect(bot.purchases()).toHaveLength(1);
    expect(bot.beside((ledger) => ledger.adoptedOrders())).toHaveLength(1);
    expect(bot.beside((ledger) => ledger.usage('live', { strategy: 'wants', marketHashName: '' }, Date.now()).spend.day)).toBe(
      21_000_000,
    );
  });
});

describe('an order that fails after it was paid', () => {
  it('gives its money back to what is spent in all, and to no window [B6 B8]', async () => {
    const exchange = await openExchange({
      offers: [offer('1'), offer('2', { price: 11 })],
      speed: 40,
      faults: always('orderFails'),
    });
    const config = { limits: { maxPrice: 1000, spend: { day: 21, total: 1000 } }, reconcile: { interval: '1s' } };
    const bot = await startBot({ place: freshPlace(), at: exchange, config });
    await bot.says('its money is due back');
    const isRefunded = (): boolean => bot.purchases()[0]?.state === 'refunded';
    for (let look = 0; look < 10 && !isRefunded(); look++) await bot.daemon.core.looks.once();
    await bot.sees('the refund', isRefunded);
    await pause(500);
    await bot.stop();
    const { spend } = bot.beside((ledger) => ledger.usage('live', { strategy: 'wants', marketHashName: '' }, Date.now()));
    expect(spend).toEqual({ hour: 10_500_000, day: 10_500_000, total: 0 });
    expect(postsAt(exchange)).toBe(1);
  });
});

describe('another hand on the same key', () => {
  it('is counted, told, and halts an account of our own [B19 P13 S30]', async () => {
    const exchange = await openExchange({ offers: [offer('1')] });
    const account = { apiKey: exchange.childKey, partnerKey: exchange.topLevelKey, tradeUrl: exchange.tradeUrl, dedicated: true };
    const strategies = { nothing: { when: { name: 'no such thing' }, price: { max: 1 } } };
    const bot = await startBot({ place: freshPlace(), at: exchange, config: { account }, strategies });
    await bot.says('Start checks passed');
    const answer = await fetch(`${exchange.baseUrl}/v2/market/buy`, {
      method: 'POST',
      headers: { 'x-api-key': exchange.childKey, 'content-type': 'application/json' },
      body: JSON.stringify({ itemId: '1', price: 10, market: 'c5game', tradeUrl: exchange.tradeUrl }),
    });
    expect(answer.status).toBe(200);
    await bot.daemon.core.looks.once();
    await bot.says('HALTED');
    await bot.stop();
    expect(bot.purchases()).toEqual([]);
    expect(bot.beside((ledger) => ledger.adoptedOrders())).toMatchObject([{ amount: 10_500_000 }]);
    expect(bot.text).toContain('is no purchase of ours');
  });
});
