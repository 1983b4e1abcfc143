import { expect } from 'vitest';
import { SystemClock } from '../../../src/app/system-clock.ts';
import { freshPlace, pause, startBot } from '../../app/stage.ts';
import { magpie } from '../../cli/harness.ts';
import { openEchoing, plantedAccount } from './echoing-service.ts';
import { leaksBelow, leaksIn, planted, plantedTradeUrl } from './planted-secrets.ts';

/** Much happens in little time, and nothing stands in the way of buying. */
export const quick = {
  feed: { interval: '120ms', health: { interval: '50ms', staleAfter: '24h' } },
  limits: { maxPrice: 1_000, spend: { day: 100_000 }, unknown: 10_000, breaker: { refusalsInRow: 100_000 } },
  rate: { reads: { perSecond: 200, concurrent: 4 }, buys: { perSecond: 100, concurrent: 1 }, timeout: '500ms' },
  web: { host: '127.0.0.1', port: 0, token: planted.webToken },
};

/** As a person keeps them. */
export const environment = {
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

async function answersOf(place: string): Promise<string> {
  let told = '';
  for (const [command, ...rest] of questions(planted)) {
    const args = [command ?? '', ...rest, '--config', 'magpie.yaml'];
    const { out, err } = await magpie(args, { cwd: place, env: environment, clock: new SystemClock() });
    told += out + err;
  }
  return told;
}

/** Lets a daemon meet every fault of a service that quotes our secrets, and looks for them wherever it and its commands leave a word. */
export async function expectNoLeakThroughEverything(format: 'human' | 'json'): Promise<void> {
  const service = await openEchoing();
  const place = freshPlace();
  const config = { ...quick, log: { format, level: 'debug' } };
  const bot = await startBot({ place, at: plantedAccount(service), config });
  const enough = (): boolean => service.asked('live') >= 26 && service.asked('buy') >= 5 && service.asked('orders') >= 3;
  let told = '';
  for (let round = 0; round < 300 && !enough(); round++) {
    await pause(200);
    // Goods other than asked for have halted it.
    bot.beside((ledger) => ledger.resume(Date.now()));
    if (round === 5) told += await answersOf(place);
  }
  expect(enough()).toBe(true);
  await bot.stop();
  told += await answersOf(place);
  expect(leaksIn(bot.text)).toEqual([]);
  expect(leaksIn(told)).toEqual([]);
  expect(leaksBelow(bot.data)).toEqual([]);
}
