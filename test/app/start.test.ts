import { describe, expect, it } from 'vitest';
import { markOf, startAlerts } from '../../src/app/start-alerts.ts';
import { SystemClock } from '../../src/app/system-clock.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { Secret } from '../../src/domain/secret.ts';
import { failure } from './scripted-service.ts';
import { ScriptedService, listings, profile } from './scripted-service.ts';
import { freshPlace, offer, openExchange, ordersAt, pause, postsAt, startBot } from './stage.ts';

/** A machine whose clock is wrong by so much. */
function clockOffBy(ms: number): Clock {
  const real = new SystemClock();
  return {
    now: () => real.now() + ms,
    wall: () => real.wall() + ms,
    mono: () => real.mono(),
    after: (wait, work) => real.after(wait, work),
  };
}

const MINUTE = 60_000;

describe('the start gate', () => {
  it.each([10 * MINUTE, -10 * MINUTE])('buys nothing while the clock is off by %i ms from the service’s [P38]', async (off) => {
    const exchange = await openExchange({ offers: [offer('1')] });
    const bot = await startBot({ place: freshPlace(), at: exchange, clock: clockOffBy(off) });
    await bot.sees('the clock named', () => /this machine's clock says .*, the service's/.test(bot.text));
    await pause(500);
    expect(postsAt(exchange)).toBe(0);
    expect(bot.beside((ledger) => ledger.purchases({}))).toEqual([]);
  });

  it('buys nothing while the clock is behind the newest row, and says so [P38]', async () => {
    const exchange = await openExchange({ offers: [offer('1'), offer('2')] });
    const place = freshPlace();
    const config = { limits: { maxPrice: 1000, spend: { day: 11 } } };
    const ahead = await startBot({ place, at: exchange, config, clock: clockOffBy(3 * MINUTE) });
    await ahead.sees('a purchase', () => ordersAt(exchange).length === 1);
    await ahead.stop();
    const bot = await startBot({ place, at: exchange });
    await bot.sees('the clock named', () => /this machine's clock says .*, but the newest record is of/.test(bot.text));
    await pause(500);
    expect(postsAt(exchange)).toBe(1);
  });

  it('buys nothing before the orders have been looked at once [N36]', async () => {
    const service = await ScriptedService.open({
      live: () => listings([offer('1')]),
      orders: () => failure(500, 'INTERNAL_ERROR', 'something went wrong'),
    });
    const bot = await startBot({ place: freshPlace(), at: service.address });
    await bot.sees(
      'polls and looks',
      () => service.asked('live') > 5 && service.asked('orders') > 0 && service.asked('user') > 0,
    );
    await pause(1_000);
    expect(service.server.posts - service.asked('detail')).toBe(0);
    expect(bot.purchases()).toEqual([]);
  });

  it('buys nothing while the account cannot be read or shows an absurd balance [N15 B22]', async () => {
    for (const user of [() => failure(401, 'UNAUTHORIZED', 'no such key'), () => profile(-1), () => profile(1e300)]) {
      const service = await ScriptedService.open({ live: () => listings([offer('1')]), user });
      const bot = await startBot({ place: freshPlace(), at: service.address });
      await bot.sees('polls', () => service.asked('live') > 5 && service.asked('user') > 0);
      await pause(300);
      expect(service.server.posts).toBe(0);
      await bot.stop();
    }
  });
});

describe('what a start says of buying', () => {
  const openWords = 'Start checks passed: buying is open';

  it('is that it is open, where it is', async () => {
    const exchange = await openExchange({ offers: [] });
    const bot = await startBot({ place: freshPlace(), at: exchange });
    await bot.says(openWords);
    expect(bot.text.match(/Start checks passed/g)).toHaveLength(1);
  });

  it('is a halt from before, at once and again when the checks have passed', async () => {
    const exchange = await openExchange({ offers: [offer('1')] });
    const place = freshPlace();
    const first = await startBot({ place, at: exchange, config: { mode: 'dry-run' } });
    await first.stop();
    first.beside((ledger) => ledger.halt('looking into it', 'person', Date.now()));
    const bot = await startBot({ place, at: exchange });
    expect(bot.text).toContain('HALTED    looking into it → look into it, then `magpie resume`');
    await bot.says('Start checks passed; not buying: halted (looking into it)');
    expect(bot.text).not.toContain('buying is open');
    expect(postsAt(exchange)).toBe(0);
  });

  it('waits for the health of the markets, and is that it is closed where the key may not read it', async () => {
    const service = await ScriptedService.open({
      live: () => listings([]),
      health: () => failure(403, 'FORBIDDEN', 'top-level keys only'),
    });
    const bot = await startBot({ place: freshPlace(), at: service.address });
    await bot.says('Start checks passed; not buying: ');
    expect(bot.text).not.toContain('buying is open');
  });

  it('is that nothing can be bought, in dry-run', async () => {
    const exchange = await openExchange({ offers: [] });
    const bot = await startBot({ place: freshPlace(), at: exchange, config: { mode: 'dry-run' } });
    await bot.says('Start checks passed: what would be bought is written down (on paper: nothing can be bought)');
    bot.beside((ledger) => ledger.halt('a moment', 'person', Date.now()));
    await bot.says('HALTED    a moment');
    bot.beside((ledger) => ledger.resume(Date.now()));
    await bot.says('Resumed: what would be bought is written down again (on paper: nothing can be bought)');
    expect(bot.text).not.toContain('buying is open');
  });
});

describe('a start that a person should look at', () => {
  it('tells of another trade URL than before, once, and keeps neither where it can be read [C18]', async () => {
    const exchange = await openExchange({ offers: [] });
    const place = freshPlace();
    const first = await startBot({ place, at: exchange });
    await first.stop();
    const tradeUrl = 'https://steamcommunity.com/tradeoffer/new/?partner=424242&token=AbCdEfGh';
    const other = await startBot({ place, at: { ...exchange, tradeUrl } });
    expect(other.text).toContain('The trade URL is another than at the last start');
    expect(other.beside((ledger) => ledger.alerts(0, 10)).map(({ kind }) => kind)).toContain('trade-url');
    await other.stop();
    const again = await startBot({ place, at: { ...exchange, tradeUrl } });
    expect(again.text).not.toContain('The trade URL is another');
    expect(JSON.stringify(startAlerts({ afterCrash: 0, tradeUrlChanged: true }, false, 0))).not.toContain('424242');
    expect(markOf(new Secret(tradeUrl))).toMatch(/^[0-9a-f]{6}$/);
  });

  it('tells of a process that ends again and again [P11]', () => {
    const kinds = (afterCrash: number): string[] =>
      startAlerts({ afterCrash, tradeUrlChanged: false }, false, 0).map(({ kind }) => kind);
    expect([kinds(2), kinds(3)]).toEqual([[], ['restarts']]);
  });
});
