import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backUpLedger } from '../../src/ledger/backup.ts';
import type { Opened } from '../../src/ledger/failure.ts';
import { restoreLedger } from '../../src/ledger/restore.ts';
import { freshPlace, offer, openExchange, ordersAt, pause, startBot } from './stage.ts';

function done(result: Opened<unknown>): void {
  if (!result.ok) throw new Error(result.fault.message);
}

const ways = {
  'as a file': {
    backUp: (data: string, file: string) => Promise.resolve(copyFileSync(join(data, 'magpie.db'), file)),
    putBack: (data: string, file: string) => copyFileSync(file, join(data, 'magpie.db')),
  },
  'by the commands': {
    backUp: async (data: string, file: string) => done(await backUpLedger(data, file)),
    putBack: (data: string, file: string) => done(restoreLedger({ folder: data, file, at: 1 })),
  },
} as const;

describe('a data folder put back from an old backup', () => {
  it.each(Object.entries(ways))(
    '%s learns from the orders what it does not know: nothing is bought twice, and every cap counts it [P20]',
    async (_, { backUp, putBack }) => {
      const exchange = await openExchange({ offers: [offer('1'), offer('2'), offer('3')] });
      const place = freshPlace();
      const upTo = (day: number) => ({ place, at: exchange, config: { limits: { maxPrice: 1000, spend: { day } } } });
      const first = await startBot(upTo(11));
      await first.sees('the first purchase', () => first.purchases()[0]?.state === 'bought');
      await first.stop();
      await backUp(first.data, join(place, 'backup.db'));

      const second = await startBot(upTo(22));
      await second.sees(
        'the second purchase',
        () => ordersAt(exchange).length === 2 && second.purchases()[1]?.state === 'bought',
      );
      await second.stop();
      putBack(first.data, join(place, 'backup.db'));

      const restored = await startBot(upTo(22));
      await restored.says('Start checks passed');
      await restored.sees('polls', () => restored.daemon.core.facts.polls > 5);
      await pause(300);
      await restored.stop();
      expect(restored.purchases()).toHaveLength(1);
      expect(restored.text).toMatch(/ALERT .*is no purchase of ours: it counts in the account's caps/);
      const adopted = restored.beside((ledger) => ledger.alerts(0, 10)).filter(({ kind }) => kind === 'adopted');
      expect(adopted).toHaveLength(1);
      expect(exchange.books().posts).toEqual({ 'c5game:1': 1, 'c5game:2': 1 });
    },
  );
});
