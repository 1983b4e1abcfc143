import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshPlace, offer, openExchange, ordersAt, startBot } from './stage.ts';

/** What stands in the folder of a daemon that has ended: nothing else may. */
const expected = new Set([
  'magpie.yaml',
  'strategies',
  'strategies/wants.yaml',
  'data',
  'data/magpie.db',
  'data/recording.db',
  'data/magpie.lock',
]);

describe('names that come from outside', () => {
  it('are bought by, and never become paths [S16]', async () => {
    const escaped = 'magpie-was-here';
    const names = [`../../${escaped}`, `/tmp/${escaped}`, `..\\..\\${escaped}`, `C:\\${escaped}`, `~/${escaped}`, '.', '..'];
    const offers = names.map((name, at) =>
      offer(String(at + 1), { marketHashName: name, itemId: `00000000000000a${at}`, collection: name, rarity: name }),
    );
    const exchange = await openExchange({ offers });
    const folder = freshPlace();
    const bot = await startBot({ place: folder, at: exchange });
    await bot.sees('all bought', () => ordersAt(exchange).length === names.length);
    await bot.stop();
    expect(new Set(bot.purchases().map(({ marketHashName }) => marketHashName))).toEqual(new Set(names));
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(found.filter((name) => !expected.has(name) && !/^magpie-[0-9a-f]{24}\.lock$/.test(name))).toEqual([]);
    for (const path of [`/tmp/${escaped}`, join(folder, '..', escaped), join(folder, '..', '..', escaped)])
      expect(existsSync(path)).toBe(false);
  });
});
