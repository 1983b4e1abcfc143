import { describe, expect, it } from 'vitest';
import { freshPlace, offer, openExchange, ordersAt, postsAt, startBot } from './stage.ts';

const offers = [offer('1'), offer('2', { price: 30 })];

describe('a dry run', () => {
  it('writes down what it would buy, builds nothing that could, and sends no POST [money-20]', async () => {
    const exchange = await openExchange({ offers });
    const bot = await startBot({ place: freshPlace(), at: exchange, config: { mode: 'dry-run' } });
    await bot.sees('two simulated purchases', () => bot.purchases().length === 2);
    await bot.stop();
    expect(bot.json().map(({ state, mode, listingId }) => ({ state, mode, listingId }))).toEqual([
      { state: 'simulated', mode: 'dry-run', listingId: '1' },
      { state: 'simulated', mode: 'dry-run', listingId: '2' },
    ]);
    expect(bot.text).toContain('dry-run (nothing can be bought)');
    expect(postsAt(exchange)).toBe(0);
    expect(ordersAt(exchange)).toEqual([]);
  });

  it('is what --dry-run makes of a live configuration', async () => {
    const exchange = await openExchange({ offers });
    const bot = await startBot({ place: freshPlace(), at: exchange, dryRun: true });
    await bot.sees('two simulated purchases', () => bot.purchases().length === 2);
    expect(bot.purchases().every(({ lane }) => lane === 'paper')).toBe(true);
    expect(postsAt(exchange)).toBe(0);
  });

  it('counts an offer once, also after a restart, and a new price as a new offer', async () => {
    const place = freshPlace();
    const first = await openExchange({ offers });
    for (let run = 0; run < 2; run++) {
      const bot = await startBot({ place, at: first, config: { mode: 'dry-run' }, once: true });
      expect(await bot.daemon.ended).toEqual({ exitCode: 0 });
      expect(bot.purchases()).toHaveLength(2);
    }
    const repriced = await openExchange({ offers: [offer('1', { price: 9 }), offer('2', { price: 30 })] });
    const bot = await startBot({ place, at: repriced, config: { mode: 'dry-run' }, once: true });
    await bot.daemon.ended;
    expect(bot.purchases().map(({ listingId, price }) => [listingId, price])).toEqual([
      ['1', 10],
      ['2', 30],
      ['1', 9],
    ]);
  });

  it('keeps one strategy on paper beside live ones, with neither taking the listing of the other [money-20]', async () => {
    const exchange = await openExchange({ offers: [offer('1')] });
    const strategies = {
      paper: { mode: 'dry-run', priority: 9, when: { name: '*' }, price: { max: 50 } },
      real: { when: { name: '*' }, price: { max: 50 } },
    };
    const bot = await startBot({ place: freshPlace(), at: exchange, strategies });
    await bot.sees('one of each', () => bot.purchases().length === 2 && ordersAt(exchange).length === 1);
    await bot.stop();
    const seen = bot.purchases().map(({ lane, strategy, state }) => ({ lane, strategy, state }));
    expect(seen).toContainEqual({ lane: 'paper', strategy: 'paper', state: 'simulated' });
    expect(seen).toContainEqual({ lane: 'live', strategy: 'real', state: 'bought' });
    expect(postsAt(exchange)).toBe(1);
  });
});
