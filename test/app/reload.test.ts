import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Bot, type BotOptions, freshPlace, offer, openExchange, ordersAt, postsAt, startBot, written } from './stage.ts';

const upTo = (max: number): Record<string, unknown> => ({ when: { name: '*' }, price: { max } });

/** Writes a strategy as an editor would. */
function save(bot: Bot, name: string, strategy: Record<string, unknown>): void {
  writeFileSync(join(bot.place, 'strategies', `${name}.yaml`), `${JSON.stringify({ name, ...strategy })}\n`);
}

function alertKinds(bot: Bot): readonly string[] {
  return bot.beside((ledger) => ledger.alerts(0, 50)).map(({ kind }) => kind);
}

describe('a daemon that runs', () => {
  it('takes a strategy that is saved, buys what stood before it, and writes down what is in force', async () => {
    const exchange = await openExchange({ offers: [offer('1'), offer('2', { price: 20 })] });
    const bot = await startBot({ place: freshPlace(), at: exchange, strategies: { cheap: upTo(15) }, follow: true });
    await bot.sees('the cheap one', () => ordersAt(exchange).length === 1);
    save(bot, 'dear', upTo(30));
    await bot.sees('the dear one', () => ordersAt(exchange).length === 2);
    await bot.stop();
    expect(bot.json()).toMatchObject([
      { strategy: 'cheap', listingId: '1' },
      { strategy: 'dear', listingId: '2' },
    ]);
    expect(bot.text).toContain('Changed   strategy dear is new');
    const [newest, first] = bot.beside((ledger) => ledger.ruleChanges(5));
    expect(first).toMatchObject({
      why: 'start',
      what: [],
      strategies: [{ name: 'cheap', hash: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    });
    expect(newest).toMatchObject({
      why: 'saved',
      what: ['strategy dear is new'],
      strategies: [{ name: 'cheap' }, { name: 'dear' }],
    });
    const dear = newest?.strategies[1]?.hash ?? '';
    expect(bot.beside((ledger) => ledger.strategyText(dear))).toContain('"max":30');
  });

  it('takes nothing of a change that has a fault, says where it is, and goes on [C11]', async () => {
    const exchange = await openExchange({ offers: [offer('1'), offer('2', { price: 20 })] });
    const bot = await startBot({ place: freshPlace(), at: exchange, strategies: { cheap: upTo(15) }, follow: true });
    await bot.sees('the cheap one', () => ordersAt(exchange).length === 1);
    save(bot, 'dear', upTo(30));
    writeFileSync(join(bot.place, 'strategies', 'half.yaml'), 'name: half\nwhen: { na');
    await bot.says('Not changed: ');
    expect(bot.text).toMatch(/Not changed: strategies\/half\.yaml:\d+:\d+: /);
    expect(alertKinds(bot)).toContain('rules');
    expect(postsAt(exchange)).toBe(1);
    rmSync(join(bot.place, 'strategies', 'half.yaml'));
    await bot.sees('the dear one', () => ordersAt(exchange).length === 2);
    await bot.stop();
  });

  it('keeps to a cap that is lowered, and tells of one that is raised [C12]', async () => {
    const exchange = await openExchange({ offers: [offer('1')] });
    const options: BotOptions = { place: freshPlace(), at: exchange, strategies: { cheap: upTo(1000) }, follow: true };
    const bot = await startBot({ ...options, config: { limits: { maxPrice: 5, spend: { day: 100 } } } });
    const decided = (reason: string): boolean =>
      bot.beside((ledger) => ledger.decisions(50)).some((each) => each.reason === reason);
    await bot.sees('too dear', () => decided('max-price'));
    written({ ...options, config: { limits: { maxPrice: 1000, spend: { day: 9 } } } });
    await bot.sees('the cap of a day', () => decided('spend-day'));
    expect(postsAt(exchange)).toBe(0);
    expect(alertKinds(bot)).toContain('limits');
    expect(bot.text).toContain('More may be bought than before: limits.maxPrice: $5.00 → $1000.00');
    written({ ...options, config: { limits: { maxPrice: 1000, spend: { day: 11 } } } });
    await bot.sees('the purchase', () => ordersAt(exchange).length === 1);
    await bot.stop();
  });

  it('follows the purchases of a strategy that is removed to their end', async () => {
    const exchange = await openExchange({ offers: [offer('1'), offer('2', { price: 20 })], speed: 40 });
    const strategies = { former: upTo(15), other: upTo(1) };
    const config = { reconcile: { interval: '1s' } };
    const bot = await startBot({ place: freshPlace(), at: exchange, strategies, config, follow: true });
    await bot.sees('a purchase', () => bot.purchases().length === 1);
    rmSync(join(bot.place, 'strategies', 'former.yaml'));
    await bot.says('strategy former is no more');
    await bot.sees('its end', () => bot.purchases()[0]?.state === 'completed');
    await bot.stop();
    expect(bot.json()).toMatchObject([{ strategy: 'former', state: 'completed' }]);
  });

  it('tries a new strategy on paper first, and buys what it finds once it is live', async () => {
    const exchange = await openExchange({ offers: [offer('1')] });
    const bot = await startBot({ place: freshPlace(), at: exchange, strategies: { none: upTo(1) }, follow: true });
    await bot.says('Start checks passed');
    save(bot, 'newcomer', { ...upTo(30), mode: 'dry-run' });
    await bot.sees('it on paper', () => bot.purchases().some(({ state }) => state === 'simulated'));
    expect(postsAt(exchange)).toBe(0);
    save(bot, 'newcomer', { ...upTo(30), mode: 'live' });
    await bot.sees('it live', () => ordersAt(exchange).length === 1);
    expect(alertKinds(bot)).toContain('limits');
    await bot.stop();
    expect(bot.json()).toMatchObject([
      { strategy: 'newcomer', state: 'simulated' },
      { strategy: 'newcomer', listingId: '1' },
    ]);
  });

  it('stays in dry-run whatever is saved', async () => {
    const exchange = await openExchange({ offers: [offer('1')] });
    const options: BotOptions = { place: freshPlace(), at: exchange, strategies: { cheap: upTo(15) }, follow: true };
    const bot = await startBot({ ...options, config: { mode: 'dry-run' } });
    await bot.sees('it on paper', () => bot.purchases().length === 1);
    written({ ...options, config: { mode: 'live' } });
    await bot.says('what waits for the next start: mode');
    save(bot, 'dear', upTo(30));
    await bot.says('strategy dear is new');
    await bot.stop();
    expect(postsAt(exchange)).toBe(0);
    expect(bot.daemon.core.state.rules.strategies.all.map(({ lane }) => lane)).toEqual(['paper', 'paper']);
  });
});
