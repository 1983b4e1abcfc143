import { describe, expect, it } from 'vitest';
import { freshPlace, offer, openExchange, ordersAt, postsAt, startBot } from './stage.ts';

const cheap = { cheap: { when: { name: '*' }, price: { max: 20 } } };

describe('a live daemon on a market that stands still', () => {
  it('buys what a strategy wants, once, at exactly the price listed, and nothing else [M1]', async () => {
    const offers = [
      offer('1', { price: 7.77 }),
      offer('2', { price: 0.575, priceWithFee: 0.61 }),
      offer('3', { price: 12.345678, priceWithFee: 12.963 }),
      offer('4', { price: 19.04, priceWithFee: 20, market: 'ecosteam' }),
      offer('5', { price: 19.05, priceWithFee: 20.01 }),
    ];
    const exchange = await openExchange({ offers });
    const bot = await startBot({ place: freshPlace(), at: exchange, strategies: cheap });
    await bot.sees(
      'four purchases',
      () => ordersAt(exchange).length === 4 && bot.purchases().every(({ state }) => state !== 'intended'),
    );
    await bot.stop();
    const sent = exchange.books().events.flatMap((event) => (event.kind === 'post' ? [[event.listingId, event.price]] : []));
    expect(sent.sort(([a], [b]) => Number(a) - Number(b))).toEqual([
      ['1', 7.77],
      ['2', 0.575],
      ['3', 12.345678],
      ['4', 19.04],
    ]);
    const bought = bot
      .json()
      .map(({ listingId, price, priceWithFee, serviceOrderId }) => ({ listingId, price, priceWithFee, serviceOrderId }));
    const orderOf = (id: string) => ordersAt(exchange).find(({ listingId }) => listingId === id)?.id;
    expect(bought.sort((a, b) => Number(a.listingId) - Number(b.listingId))).toEqual([
      { listingId: '1', price: 7.77, priceWithFee: 8.16, serviceOrderId: orderOf('1') },
      { listingId: '2', price: 0.575, priceWithFee: 0.61, serviceOrderId: orderOf('2') },
      { listingId: '3', price: 12.345678, priceWithFee: 12.963, serviceOrderId: orderOf('3') },
      { listingId: '4', price: 19.04, priceWithFee: 20, serviceOrderId: orderOf('4') },
    ]);
    expect(postsAt(exchange)).toBe(4);
  });

  it('keeps when each stage of a purchase passed, one after the other', async () => {
    const exchange = await openExchange({ offers: ['1', '2', '3'].map((id) => offer(id)) });
    const bot = await startBot({ place: freshPlace(), at: exchange, strategies: cheap });
    await bot.sees('three purchases', () => bot.purchases().filter(({ state }) => state === 'bought').length === 3);
    await bot.stop();
    const kept = bot.beside((ledger) => ledger.newestTimings(10));
    expect(kept).toHaveLength(3);
    for (const { seenAt, decidedAt, committedAt = NaN, sentAt = NaN, answeredAt = NaN } of kept) {
      const stages = [seenAt, decidedAt, committedAt, sentAt, answeredAt];
      expect(stages).toEqual(stages.toSorted((a, b) => a - b));
      expect(answeredAt - sentAt).toBeGreaterThan(0);
    }
  });

  it('keeps to the limits that go by names, whatever a name hides', async () => {
    const name = 'AK-47 | Redline (Field-Tested)';
    const souvenir = 'Souvenir AK-47 | Redline (Field-Tested)';
    const names = [name, `\u001b[31m${name}`, `${name}\u202e`, `AK\u200b-47 | Redline (Field-Tested)`, `\u2066${souvenir}`];
    const exchange = await openExchange({ offers: names.map((marketHashName, at) => offer(String(at + 1), { marketHashName })) });
    const limits = { maxPrice: 20, spend: { day: 500 }, perItem: { day: 1 }, never: ['Souvenir *'] };
    const bot = await startBot({ place: freshPlace(), at: exchange, strategies: cheap, config: { limits } });
    await bot.sees('a purchase', () => ordersAt(exchange).length > 0);
    await bot.sees('more polls', () => bot.daemon.core.facts.polls > 10);
    expect(ordersAt(exchange).map(({ listingId }) => listingId)).toEqual(['1']);
    expect(bot.daemon.core.facts.bad).toBe(4);
  });
});
