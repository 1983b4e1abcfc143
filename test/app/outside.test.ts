import { describe, expect, it } from 'vitest';
import { type Bot, calm, freshPlace, offer, openExchange, ordersAt, pause, postsAt, startBot } from './stage.ts';

/** Much to buy, a few at a time, so that a stop shows. */
async function busy(): Promise<{ bot: Bot; posts: () => number }> {
  const offers = Array.from({ length: 400 }, (_, at) => offer(String(at + 1), { price: 1 }));
  const exchange = await openExchange({ offers, balance: 10_000 });
  const config = {
    limits: { maxPrice: 10, spend: { day: 100_000 }, openPurchases: 10_000 },
    rate: { reads: { perSecond: 100, concurrent: 4 }, buys: { perSecond: 30, concurrent: 1 }, timeout: '3s' },
  };
  const bot = await startBot({ place: freshPlace(), at: exchange, config });
  await bot.sees('purchases', () => postsAt(exchange) > 5);
  return { bot, posts: () => postsAt(exchange) };
}

describe('what another process does beside a running daemon', () => {
  it('a halt is obeyed, and a resume too', async () => {
    const { bot, posts } = await busy();
    bot.beside((ledger) => ledger.halt('prices look odd', 'person', Date.now()));
    await bot.says('HALTED    prices look odd → look into it, then `magpie resume`');
    const stopped = posts();
    await pause(700);
    // One that had left by then may arrive; at this pace twenty would.
    expect(posts()).toBeLessThanOrEqual(stopped + 1);
    expect(bot.daemon.core.facts.failuresInRow).toBe(0);

    bot.beside((ledger) => ledger.resume(Date.now()));
    await bot.sees('purchases again', () => posts() > stopped);
  });

  it('a halt outlives the daemon', async () => {
    const { bot, posts } = await busy();
    bot.beside((ledger) => ledger.halt('over the weekend', 'person', Date.now()));
    await bot.says('HALTED');
    await bot.stop();
    const stopped = posts();
    expect(bot.beside((ledger) => ledger.halted()?.reason)).toBe('over the weekend');
    expect(posts()).toBe(stopped);
  });

  it('a verdict on an unknown purchase frees what it held back', async () => {
    const exchange = await openExchange({ offers: [offer('1', { steamPrice: 100 }), offer('2')], faults: { buyLostBefore: 1 } });
    const bot = await startBot({ place: freshPlace(), at: exchange });
    await bot.sees('an unknown purchase', () => bot.purchases()[0]?.state === 'unknown');
    exchange.setFaults(calm);
    await pause(600);
    expect(postsAt(exchange)).toBe(1);

    bot.beside((ledger) => ledger.resolve(1, 'not-bought', 'not among the orders on the site', Date.now()));
    await bot.sees('the next purchase', () => ordersAt(exchange).length === 1);
    await bot.stop();
    expect(bot.purchases().map(({ listingId, state }) => [listingId, state])).toEqual([
      ['1', 'rejected'],
      ['2', 'bought'],
    ]);
    expect(exchange.books().posts).toEqual({ 'c5game:1': 1, 'c5game:2': 1 });
  });

  it('a purchase by hand is bought at the price seen now, once, and answered', async () => {
    const exchange = await openExchange({ offers: [offer('1', { price: 30 })] });
    const nothing = { nothing: { when: { name: 'no such thing' }, price: { max: 1 } } };
    const bot = await startBot({ place: freshPlace(), at: exchange, strategies: nothing });
    await bot.says('Start checks passed');
    await bot.sees('a balance', () => bot.daemon.core.state.health !== undefined && bot.daemon.core.facts.polls > 0);
    const ask = (listingId: string): number =>
      bot.beside((ledger) => ledger.ask('buy', { listingId, market: 'c5game' }, Date.now()));
    const answered = async (id: number): Promise<unknown> => {
      await bot.sees('an answer', () => bot.beside((ledger) => ledger.requestState(id).kind === 'answered'));
      return bot.beside((ledger) => ledger.requestState(id));
    };
    expect(await answered(ask('1'))).toMatchObject({
      answer: { ok: true, purchase: { state: 'bought', price: 30, strategy: 'by-hand' } },
    });
    expect(await answered(ask('1'))).toMatchObject({ answer: { ok: false } });
    expect(await answered(ask('77'))).toMatchObject({
      answer: { ok: false, error: 'listing 77 is not among the live listings of c5game: see `magpie why 77`' },
    });
    expect(postsAt(exchange)).toBe(1);
  });
});
