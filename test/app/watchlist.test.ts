import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { WatchedItem } from '../../src/domain/watched-item.ts';
import { magpie } from '../cli/harness.ts';
import { type Bot, type BotOptions, freshPlace, offer, openExchange, ordersAt, postsAt, startBot, written } from './stage.ts';

const AWP = { itemId: 'aaaaaaaaaaaaaaaa', marketHashName: 'AWP | Asiimov (Field-Tested)' };
const GLOCK = { itemId: 'bbbbbbbbbbbbbbbb', marketHashName: 'Glock-18 | Fade (Factory New)' };

/** One that nobody wants and the live listings show, and what stands behind it: thirty of one item on two pages, and one of another. */
const offers = [
  offer('1', { price: 900 }),
  ...Array.from({ length: 30 }, (_, index) => offer(String(100 + index), { ...AWP, price: 10 + index })),
  offer('200', { ...GLOCK, price: 12 }),
];

const upTo = (max: number): BotOptions['strategies'] => ({ cheap: { when: { name: '*' }, price: { max } } });

const watching = (items: readonly string[], more: Record<string, unknown> = {}): Record<string, unknown> => ({
  watch: { items, share: 0.5 },
  ...more,
});

const boughtAt = (exchange: Parameters<typeof ordersAt>[0]): string[] => ordersAt(exchange).map(({ listingId }) => listingId);

/** Nothing here is about speed, and a busy machine takes its time. */
const PATIENT_MS = 50_000;

const watchedBy = (bot: Bot): readonly WatchedItem[] => bot.beside((ledger) => ledger.heartbeat()?.watched) ?? [];

describe('a watched item', () => {
  it('is bought from where the live listings do not reach, each listing once, on every page that is cheap enough', async () => {
    const exchange = await openExchange({ offers, liveMax: 1 });
    const config = watching([AWP.marketHashName, GLOCK.itemId]);
    const bot = await startBot({ place: freshPlace(), at: exchange, strategies: upTo(35), config });
    // Base prices of 10 to 33 cost at most 35 with the fee.
    await bot.sees('all that is cheap enough', () => ordersAt(exchange).length === 25, PATIENT_MS);
    await bot.sees('both items', () => watchedBy(bot).every(({ lookedAt }) => lookedAt !== undefined), PATIENT_MS);
    await bot.sees('another look', () => watchedBy(bot).every(({ listings }) => listings <= 6), PATIENT_MS);
    await bot.stop();
    expect(new Set(boughtAt(exchange)).size).toBe(25);
    expect(postsAt(exchange)).toBe(25);
    expect(watchedBy(bot)).toMatchObject([
      { asked: AWP.marketHashName, itemId: AWP.itemId, complete: true },
      { asked: GLOCK.itemId, itemId: GLOCK.itemId, complete: true },
    ]);
  });

  it('that the live listings show as well is bought once', async () => {
    const exchange = await openExchange({ offers, balance: 10_000 });
    const config = watching([AWP.itemId, GLOCK.itemId], { feed: { interval: '50ms', health: { interval: '200ms' } } });
    const bot = await startBot({ place: freshPlace(), at: exchange, strategies: upTo(1_000), config });
    await bot.sees('everything', () => ordersAt(exchange).length === offers.length, PATIENT_MS);
    await bot.sees(
      'looks after it',
      () => watchedBy(bot).every(({ lookedAt, listings }) => lookedAt !== undefined && listings === 0),
      PATIENT_MS,
    );
    await bot.stop();
    expect(new Set(boughtAt(exchange)).size).toBe(offers.length);
    expect(postsAt(exchange)).toBe(offers.length);
    expect(bot.json().every(({ state }) => state === 'bought' || state === 'completed')).toBe(true);
  });

  it('that cannot be found, or not alone, is told of with what may have been meant', async () => {
    const twin = offer('201', { ...GLOCK, itemId: 'cccccccccccccccc' });
    const exchange = await openExchange({ offers: [...offers, twin], liveMax: 1 });
    const config = watching(['AWP | Asimov (Field-Tested)', GLOCK.marketHashName]);
    const bot = await startBot({ place: freshPlace(), at: exchange, strategies: upTo(1), config });
    await bot.sees('both problems', () => watchedBy(bot).filter(({ problem }) => problem !== undefined).length === 2, PATIENT_MS);
    await bot.stop();
    expect(watchedBy(bot)).toMatchObject([
      { problem: 'no item has this name', near: [AWP.marketHashName] },
      { problem: '2 items have this name: write the id of one', near: [GLOCK.itemId, 'cccccccccccccccc'] },
    ]);
  });

  it('is followed as the configuration is saved', async () => {
    const exchange = await openExchange({ offers, liveMax: 1 });
    const place = freshPlace();
    const options = { place, at: exchange, strategies: upTo(15) };
    const bot = await startBot({ ...options, config: watching([GLOCK.itemId]), follow: true });
    await bot.sees('the first', () => ordersAt(exchange).length === 1, PATIENT_MS);
    written({ ...options, config: watching([AWP.itemId]) });
    await bot.sees('what is watched now', () => ordersAt(exchange).length === 6, PATIENT_MS);
    await bot.sees(
      'the new list',
      () =>
        watchedBy(bot)
          .map(({ asked }) => asked)
          .join() === AWP.itemId,
      PATIENT_MS,
    );
    await bot.stop();
    expect(bot.text).toContain(`"${GLOCK.itemId}" is watched no more; "${AWP.itemId}" is watched as well`);
  });

  it('is one that a strategy asks for, with no word of it in the configuration, and no more once the strategy is gone', async () => {
    const exchange = await openExchange({ offers, liveMax: 1 });
    const place = freshPlace();
    const rare = { watch: true, when: { name: [GLOCK.marketHashName] }, price: { max: 15 } };
    const options = { place, at: exchange, config: {} };
    const bot = await startBot({ ...options, strategies: { rare }, follow: true });
    await bot.sees('it', () => ordersAt(exchange).length === 1, PATIENT_MS);
    await bot.sees('the item', () => watchedBy(bot).some(({ itemId }) => itemId === GLOCK.itemId), PATIENT_MS);
    written({ ...options, strategies: { rare: { ...rare, watch: false } } });
    await bot.sees('nothing watched', () => watchedBy(bot).length === 0, PATIENT_MS);
    await bot.stop();
    expect(bot.text).toContain(`"${GLOCK.marketHashName}" is watched no more`);
    expect(boughtAt(exchange)).toEqual(['200']);
  });

  it('has looks of its own in the recording, apart from the polls', async () => {
    const exchange = await openExchange({ offers, liveMax: 1 });
    const bot = await startBot({ place: freshPlace(), at: exchange, strategies: upTo(15), config: watching([GLOCK.itemId]) });
    await bot.sees('it', () => ordersAt(exchange).length === 1, PATIENT_MS);
    await bot.stop();
    const tape = new Database(join(bot.data, 'recording.db'), { readonly: true });
    const rows = tape.prepare("SELECT kind, value FROM input WHERE kind IN ('looked', 'sight')").all() as {
      kind: string;
      value: string;
    }[];
    const listings = tape.prepare("SELECT DISTINCT listing FROM event WHERE kind = 'appeared'").all();
    tape.close();
    const [looked] = rows
      .filter(({ kind }) => kind === 'looked')
      .map(({ value }) => JSON.parse(value) as Record<string, unknown>);
    expect(looked).toMatchObject({
      itemId: GLOCK.itemId,
      first: true,
      complete: true,
      shown: ['c5game:200'],
      alone: ['c5game:200'],
    });
    expect(rows.filter(({ kind }) => kind === 'sight').map(({ value }) => JSON.parse(value) as unknown)).toMatchObject([
      { itemId: GLOCK.itemId, raw: { id: '200', marketHashName: GLOCK.marketHashName } },
    ]);
    expect(listings).toEqual([{ listing: '1' }]);
    const why = await magpie(['why', '200', '--config', 'magpie.yaml'], { cwd: bot.place });
    expect([why.code, why.err]).toEqual([0, '']);
    expect(why.out).toContain(
      'The live listings have not shown it: it was seen by looks at its item (`watch.items`), this way since ',
    );
    expect(why.out).toMatch(/Glock-18 \| Fade \(Factory New\)[^]+cheap/);
    const status = await magpie(['status', '--config', 'magpie.yaml'], { cwd: bot.place });
    expect(status.out).toMatch(/^watching +bbbbbbbbbbbbbbbb: looked at .+: \d listings?$/m);
  });
});
