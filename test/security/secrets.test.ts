import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import { Secret, scrubber } from '../../src/domain/secret.ts';
import { type Bot, freshPlace, pause, startBot } from '../app/stage.ts';
import { magpie } from '../cli/harness.ts';
import { openEchoing, plantedAccount } from './support/echoing-service.ts';
import { formsOf, leaksBelow, leaksIn, planted, plantedTradeUrl } from './support/planted-secrets.ts';

vi.setConfig({ testTimeout: 60_000 });

const quick = {
  feed: { interval: '20ms', health: { interval: '50ms', staleAfter: '24h' } },
  limits: { maxPrice: 1_000, spend: { day: 100_000 }, unknown: 10_000, breaker: { refusalsInRow: 100_000 } },
  rate: { reads: { perSecond: 200, concurrent: 4 }, buys: { perSecond: 100, concurrent: 1 }, timeout: '500ms' },
  web: { host: '127.0.0.1', port: 0, token: planted.webToken },
};

const environment = {
  MAGPIE_API_KEY: planted.apiKey,
  MAGPIE_PARTNER_KEY: planted.partnerKey,
  MAGPIE_TRADE_URL: plantedTradeUrl,
  MAGPIE_WEB_TOKEN: planted.webToken,
};

/** Whatever a person may ask beside the daemon, with secrets where a slip of the hand would put them. */
function questions({ apiKey, partnerKey, tradeToken, webToken }: typeof planted): readonly (readonly string[])[] {
  return [
    ['status'],
    ['status', '--json'],
    ['purchases'],
    ['purchases', '--json'],
    ['why', '1000'],
    ['why', '1000', '--json'],
    ['why', apiKey],
    ['check', 'magpie.yaml', `${webToken}.yaml`],
    ['resolve', '1', '--as', 'bought', '--reason', `${apiKey} and ${tradeToken}`],
    ['halt', '--reason', `${partnerKey} ${plantedTradeUrl}`],
    ['resume'],
    ['purchases', `--state=${apiKey}`],
    [apiKey],
    [`--api-key=${apiKey}`],
  ];
}

async function answersOf(place: string, bot: Bot): Promise<string> {
  let told = '';
  for (const [command, ...rest] of questions(planted)) {
    const args = [command ?? '', ...rest, '--config', 'magpie.yaml'];
    const { out, err } = await magpie(args, { cwd: place, env: environment, clock: new SystemClock() });
    told += out + err;
  }
  expect(bot.text).not.toBe('');
  return told;
}

describe('our secrets', () => {
  it.each(['human', 'json'])(
    'are in no line, no file and no answer of a command after a run through every fault of a service that quotes them (log: %s)',
    async (format) => {
      const service = await openEchoing();
      const place = freshPlace();
      const strategies = { wants: { when: { name: '*' }, price: { max: 1_000 }, '#': undefined } };
      const config = { ...quick, log: { format, level: 'debug' } };
      const bot = await startBot({ place, at: plantedAccount(service), config, strategies });
      const enough = (): boolean => service.asked('live') >= 2 * 20 && service.asked('buy') >= 15 && service.asked('orders') >= 4;
      let told = '';
      for (let round = 0; round < 100 && !enough(); round++) {
        await pause(200);
        // Goods other than asked for have halted it.
        bot.beside((ledger) => ledger.resume(Date.now()));
        if (round === 5) told += await answersOf(place, bot);
      }
      expect(enough()).toBe(true);
      await bot.stop();
      told += await answersOf(place, bot);
      expect(leaksIn(bot.text)).toEqual([]);
      expect(leaksIn(told)).toEqual([]);
      expect(leaksBelow(bot.data)).toEqual([]);
    },
  );
});
