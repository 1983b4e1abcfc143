import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type PlatformSetting, startOperator } from './accounts-stage.ts';
import { freshPlace, offer, openExchange, ordersAt } from './stage.ts';

const offers = [1, 2, 3, 4].map((at) => offer(String(900_000_000 + at), { name: `Sticker | Number ${at}`, price: 10 }));

describe('an account that is called otherwise than before', () => {
  it('buys nothing from a folder of its own while what it bought, its halts and its caps lie in another, and goes on with that', async () => {
    const exchange = await openExchange({ offers, children: 2 });
    const { topLevelKey, tradeUrl, childKeys, baseUrl } = exchange;
    const [apiKey, other] = childKeys;
    const place = freshPlace();
    const config = { limits: { maxPrice: 1000, spend: { day: 25 } } };
    const setting = (name: string): PlatformSetting => ({
      ...{ place, baseUrl, topLevelKey, tradeUrl, config },
      accounts: { [name]: { apiKey }, quiet: { apiKey: other, limits: { maxPrice: 0.01 } } },
    });
    const first = await startOperator(setting('anna'));
    await first.sees('its day is used up', () => first.purchases('anna').filter(({ state }) => state === 'bought').length === 2);
    first.halt('anna', 'enough for today');
    await first.stop();

    const second = await startOperator(setting('annika'));
    await second.sees('it is told', () => second.text.includes('[annika] Down: '));
    expect(second.text).toMatch(/\[annika\] .*data\/accounts\/anna.*→ .*rename/);
    await second.sees('the other goes on', () => /\[quiet\] .*buying is open/i.test(second.text));
    expect([second.purchases('annika'), ordersAt(exchange).length]).toEqual([[], 2]);
    await second.stop();

    renameSync(first.folder('anna'), first.folder('anna2'));
    const third = await startOperator(setting('anna2'));
    await third.sees('it goes on where it was', () => third.text.includes('[anna2] HALTED'));
    expect([third.purchases('anna2').length, ordersAt(exchange).length]).toEqual([2, 2]);
    await third.stop();

    // As of an account that was alone before.
    renameSync(join(third.folder('anna2'), 'magpie.db'), join(third.data, 'magpie.db'));
    const fourth = await startOperator(setting('anne'));
    await fourth.sees('it is told', () => fourth.text.includes('[anne] Down: '));
    expect([fourth.purchases('anne'), ordersAt(exchange).length]).toEqual([[], 2]);
  });
});
