import { describe, expect, it } from 'vitest';
import { ScriptedService, failure, listings, success } from './scripted-service.ts';
import { freshPlace, offer, openExchange, ordersAt, pause, postsAt, startBot, tryBot } from './stage.ts';

describe('who may work on a data folder, and with which key', () => {
  it('a second daemon on the same folder is refused with exit code 3 [P12]', async () => {
    const exchange = await openExchange({ offers: [] });
    const place = freshPlace();
    const bot = await startBot({ place, at: exchange });
    const second = await tryBot({ place, at: exchange });
    expect(second).toMatchObject({ ok: false, exitCode: 3 });
    await bot.stop();
    const third = await tryBot({ place, at: exchange });
    expect(third).toHaveProperty('bot');
  });

  it('a second live daemon with the same key is refused, whatever its folder [P12 transport-3]', async () => {
    const exchange = await openExchange({ offers: [] });
    const place = freshPlace();
    await startBot({ place, at: exchange, config: { data: './one' } });
    expect(await tryBot({ place, at: exchange, config: { data: './two' } })).toMatchObject({ ok: false, exitCode: 3 });
    expect(await tryBot({ place, at: exchange, config: { data: './three', mode: 'dry-run' } })).toHaveProperty('bot');
  });

  it('another account’s folder is refused with exit code 2, and not one POST is sent', async () => {
    const exchange = await openExchange({ offers: [offer('1'), offer('2')], children: 2 });
    const place = freshPlace();
    const config = { limits: { maxPrice: 1000, spend: { day: 11 } } };
    const first = await startBot({ place, at: exchange, config });
    await first.sees('a purchase', () => ordersAt(exchange).length === 1);
    await first.stop();
    const other = { ...exchange, childKey: exchange.childKeys[1]! };
    const second = await startBot({ place, at: other });
    expect(await second.daemon.ended).toEqual({ exitCode: 2 });
    await pause(300);
    expect(postsAt(exchange)).toBe(1);
    expect(second.text).toContain('give each account a folder of its own');
  });

  it('nothing of another account is written into a folder, even while it cannot be told whose key it is', async () => {
    const place = freshPlace();
    const own = await ScriptedService.open({ live: () => listings([offer('1')]), buy: () => failure(500, 'X', 'who knows') });
    const first = await startBot({ place, at: own.address });
    await first.sees('an unknown purchase', () => first.purchases()[0]?.state === 'unknown');
    await first.stop();
    const theirs = {
      id: 'f00d00000000000000000001',
      item: 'AK-47 | Redline (Field-Tested)',
      itemId: '10807006fab895f4',
      amount: 10.5,
    };
    const order = { ...theirs, currency: 'USD', status: { code: 'PENDING', label: 'Waiting' }, timestamp: Date.now() };
    const other = await ScriptedService.open({
      user: () => failure(500, 'INTERNAL_ERROR', 'something went wrong'),
      orders: () => success({ total: 1, returned: 1, orders: [order], message: 'orders' }),
    });
    const second = await startBot({ place, at: other.address });
    await second.sees('the account asked for', () => other.asked('user') > 0 && other.asked('live') > 20);
    const asked = second.beside((ledger) => ledger.ask('reconcile', {}, Date.now()));
    await second.sees('an answer', () => second.beside((ledger) => ledger.requestState(asked).kind === 'answered'));
    await second.stop();
    expect(second.beside((ledger) => ledger.adoptedOrders())).toEqual([]);
    expect(second.purchases()).toMatchObject([{ state: 'unknown' }]);
  });
});
