import { describe, expect, it } from 'vitest';
import { ScriptedService, failure, listings, success } from './scripted-service.ts';
import { freshPlace, offer, openExchange, ordersAt, pause, postsAt, startBot } from './stage.ts';

describe('the health of the markets', () => {
  it('that the key may not read keeps everything from being bought, with the line that would change it [M13]', async () => {
    const exchange = await openExchange({ offers: [offer('1')] });
    const bot = await startBot({ place: freshPlace(), at: { ...exchange, topLevelKey: exchange.childKey } });
    await bot.says(
      'set `account.partnerKey` to a top-level key, or `feed: { health: { require: off } }` to buy whatever the health says',
    );
    await bot.sees('polls', () => bot.daemon.core.facts.polls > 5);
    await pause(300);
    expect(postsAt(exchange)).toBe(0);
    const said = (): object | undefined => bot.beside((ledger) => ledger.heartbeat()?.health);
    await bot.sees('a sign of life', () => said() !== undefined);
    expect(said()).toMatchObject({ reason: 'forbidden' });
    expect(bot.text.match(/may not read the health/g)).toHaveLength(1);
  });

  it('does not matter where the configuration says so', async () => {
    const exchange = await openExchange({ offers: [offer('1')] });
    const config = { feed: { interval: '100ms', health: { require: 'off' } } };
    const bot = await startBot({ place: freshPlace(), at: { ...exchange, topLevelKey: exchange.childKey }, config });
    await bot.sees('a purchase', () => ordersAt(exchange).length === 1);
    expect(postsAt(exchange)).toBe(1);
  });

  const well = { status: 'ok', staleMs: 100 };
  const shown = (fields: object): object => ({
    status: 'ok',
    markets: { c5: well, ecosteam: well },
    service: { c5: true, ecosteam: true },
    ...fields,
  });
  it.each([
    ['a market that is down', shown({ markets: { c5: { ...well, status: 'down' }, ecosteam: well } })],
    ['a market that is degraded', shown({ markets: { c5: { ...well, status: 'degraded' }, ecosteam: well } })],
    ['a word nobody has heard of', shown({ markets: { c5: { ...well, status: 'fine' }, ecosteam: well } })],
    ['the whole down', shown({ status: 'down' })],
    ['the service of the market off', shown({ service: { c5: false, ecosteam: true } })],
    ['data too old', shown({ markets: { c5: { ...well, staleMs: 60_000 }, ecosteam: well } })],
    ['a market that is missing', shown({ markets: { ecosteam: well } })],
    ['a market of the wrong name', shown({ markets: { c5game: well, ecosteam: well } })],
  ])('%s: nothing is bought there [N26 M13 M14]', async (_, health) => {
    const service = await ScriptedService.open({ live: () => listings([offer('1')]), health: () => success(health) });
    const bot = await startBot({ place: freshPlace(), at: service.address });
    await bot.says('Start checks passed');
    await bot.sees('a decision', () =>
      bot.beside((ledger) => ledger.decisions(10)).some(({ reason }) => reason?.startsWith('health') === true),
    );
    await pause(200);
    expect(service.asked('buy')).toBe(0);
  });

  it.each([
    ['the same answer each time', () => success(shown({})), {}],
    ['an hour old by its Age', undefined, { age: '3600' }],
    ['an hour old by its Date', undefined, { date: new Date(Date.now() - 3_600_000).toUTCString() }],
  ])('of a cache opens no market for long: %s [N34]', async (_, once, headers) => {
    const kept = once?.();
    const service = await ScriptedService.open({ health: () => kept ?? success(shown({}), headers) });
    const bot = await startBot({ place: freshPlace(), at: service.address });
    await bot.says('Start checks passed');
    const health = (): unknown => bot.daemon.core.state.health;
    await bot.sees('it refused', () => JSON.stringify(health() ?? '').includes('"reason":"failed"'));
    for (let n = 0; n < 10; n++) {
      await pause(50);
      expect(health()).toMatchObject({ reason: 'failed', message: expect.stringMatching(/cache|older than others/) as string });
    }
  });

  it('that fails to answer keeps everything from being bought, and buying goes on when it answers', async () => {
    let answers = false;
    const service = await ScriptedService.open({
      live: () => listings([offer('1')]),
      health: () => (answers ? success(shown({})) : failure(500, 'INTERNAL_ERROR', 'something went wrong')),
    });
    const bot = await startBot({ place: freshPlace(), at: service.address });
    await bot.says('Start checks passed');
    await bot.says('not buying: the health of the markets is not known');
    await pause(500);
    expect(service.asked('buy')).toBe(0);
    answers = true;
    await bot.sees('the buy', () => service.asked('buy') === 1);
  });
});
