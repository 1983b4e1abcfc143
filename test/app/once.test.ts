import { describe, expect, it } from 'vitest';
import { ScriptedService, failure, listings } from './scripted-service.ts';
import { freshPlace, offer, openExchange, ordersAt, postsAt, startBot } from './stage.ts';

describe('one poll', () => {
  it('ends by itself with 0 when everything it wanted is bought', async () => {
    const exchange = await openExchange({ offers: [offer('1'), offer('2'), offer('3', { price: 2000 })] });
    const bot = await startBot({ place: freshPlace(), at: exchange, once: true });
    expect(await bot.daemon.ended).toEqual({ exitCode: 0 });
    expect(ordersAt(exchange)).toHaveLength(2);
    expect(bot.purchases().map(({ state }) => state)).toEqual(['bought', 'bought']);
    expect(bot.daemon.core.facts.polls).toBe(1);
  });

  it('settles what a lost answer left open before it ends [N3]', async () => {
    const exchange = await openExchange({ offers: [offer('1')], faults: { buyLostAfter: 1 } });
    const bot = await startBot({ place: freshPlace(), at: exchange, once: true });
    expect(await bot.daemon.ended).toEqual({ exitCode: 0 });
    expect(bot.purchases()).toMatchObject([{ state: 'bought', serviceOrderId: ordersAt(exchange)[0]!.id }]);
    expect(postsAt(exchange)).toBe(1);
  });

  it('ends with 0 when somebody else was faster, once that is sure [N11 M2]', async () => {
    const service = await ScriptedService.open({ live: () => listings([offer('1')]) });
    const bot = await startBot({ place: freshPlace(), at: service.address, once: true });
    expect(await bot.daemon.ended).toEqual({ exitCode: 0 });
    expect(bot.purchases()).toMatchObject([{ state: 'rejected', held: false, refusalCause: 'gone' }]);
  });

  it('ends with 1 when the service refuses for a reason of its own, and when no listings come [N15]', async () => {
    const refusing = await ScriptedService.open({
      live: () => listings([offer('1')]),
      buy: () => failure(400, 'TRADE_URL_INVALID', 'the trade URL is not valid'),
    });
    const first = await startBot({ place: freshPlace(), at: refusing.address, once: true });
    expect(await first.daemon.ended).toEqual({ exitCode: 1 });
    const silent = await ScriptedService.open({ live: () => failure(500, 'INTERNAL_ERROR', 'something went wrong') });
    const second = await startBot({ place: freshPlace(), at: silent.address, once: true });
    expect(await second.daemon.ended).toEqual({ exitCode: 1 });
    expect(silent.asked('buy')).toBe(0);
  });

  it('in dry-run, says what would be bought now, however often it is asked', async () => {
    const exchange = await openExchange({ offers: [offer('1'), offer('2')] });
    const place = freshPlace();
    for (let run = 0; run < 2; run++) {
      const bot = await startBot({ place, at: exchange, once: true, dryRun: true });
      expect(await bot.daemon.ended).toEqual({ exitCode: 0 });
    }
    expect(postsAt(exchange)).toBe(0);
  });
});
