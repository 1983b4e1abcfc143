import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ScriptedService, listings } from './scripted-service.ts';
import { freshPlace, offer, pause, startBot } from './stage.ts';

describe('a journal that cannot be written', () => {
  it(
    'buys nothing, stays up and says why once; buying goes on when it can be written again [P18 unattended-5]',
    { timeout: 900_000 },
    async () => {
      let offers: readonly unknown[] = [];
      const service = await ScriptedService.open({ live: () => listings(offers) });
      const bot = await startBot({ place: freshPlace(), at: service.address });
      await bot.says('Start checks passed');
      const locker = new Database(join(bot.data, 'magpie.db'));
      onTestFinished(() => void locker.close());
      locker.exec('BEGIN IMMEDIATE');
      offers = [offer('1')];
      await bot.says('nothing is bought meanwhile');
      const asked = service.asked('live');
      await bot.sees('polls all the same', () => service.asked('live') > asked);
      await pause(2_000);
      expect(service.asked('buy')).toBe(0);
      expect(bot.daemon.core.state.blockers.get('journal')?.detail).toContain('another program has locked it');
      locker.exec('ROLLBACK');
      await bot.sees('the buy', () => service.asked('buy') === 1);
      expect(bot.text.match(/nothing is bought meanwhile/g)).toHaveLength(1);
      expect(bot.lines.length).toBeLessThan(20);
    },
  );
});
