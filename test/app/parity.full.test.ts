import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rulesOf } from '../../src/app/rules.ts';
import type { Decision } from '../../src/domain/decision.ts';
import { listingKey } from '../../src/domain/listing.ts';
import { legMs } from '../../src/domain/latency.ts';
import { decisionHash, decisionLine } from '../../src/replay/backtest/decision-hash.ts';
import { replay } from '../../src/replay/backtest/replay.ts';
import { loadStrategies } from '../../src/settings/strategies.ts';
import { historyOf } from '../replay/backtest/stage.ts';
import { freshPlace, offer, openExchange, pause, startBot, written } from './stage.ts';

const offers = Array.from({ length: 24 }, (_, index) =>
  offer(String(100 + index), {
    marketHashName: index % 3 === 0 ? 'AK-47 | Redline (Field-Tested)' : `Case ${index % 7}`,
    price: 5 + (index % 11),
    market: index % 4 === 0 ? 'ecosteam' : 'c5game',
  }),
);

const strategies = {
  rifles: { priority: 5, when: { name: 'AK-47 *' }, price: { max: 14 }, limits: { count: { day: 3 } } },
  cheap: { when: { name: '*' }, price: { maxOfSteam: 0.3 }, limits: { perItem: { day: 2 }, spend: { hour: 60 } } },
  paper: { mode: 'dry-run', when: { name: 'Case *' }, price: { max: 12 }, limits: { count: { hour: 4 } } },
};

/** Patient enough for a slow machine: what waits for two intervals is dropped. */
const config = {
  feed: { interval: '4s', health: { interval: '500ms' } },
  limits: { maxPrice: 15, spend: { day: 90 }, perItem: { day: 2 }, never: ['Case 5'] },
};

describe('what a live run has decided', () => {
  it('its replay decides, decision by decision, with the same hash', async () => {
    const exchange = await openExchange({ offers });
    const place = freshPlace();
    const bot = await startBot({ place, at: exchange, strategies, config });
    const bought = (): number => bot.purchases().filter(({ state, lane }) => lane === 'live' && state !== 'intended').length;
    await bot.sees('its purchases', () => bought() >= 7, 120_000);
    // A recording ends with a poll, and its replay with it.
    await pause(4_500);
    await bot.stop();
    const lived: readonly Decision[] = bot.beside((ledger) => [...ledger.decisions(10_000)].reverse());

    const settings = written({ place, at: exchange, strategies, config });
    const loaded = loadStrategies(settings.strategies, settings.strategies);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
    const history = historyOf(join(bot.data, 'recording.db'));
    const attempts = new Map(history.attempts.map((each) => [listingKey(each.market, each.listingId), each]));
    const replayed: Decision[] = [];
    replay(
      history,
      {
        rules: rulesOf(settings, loaded.strategies, false),
        rate: settings.rate.buys,
        balance: history.balances[0]?.amount,
        holdMs: 86_400_000,
        withStops: true,
        isRefunded: () => false,
        fateOf: ({ key }) => (attempts.get(key)?.outcome?.kind === 'bought' ? 'won' : 'lost'),
        latencyMs: (key) => {
          const own = attempts.get(key);
          return (own && legMs(own.timings, { from: 'decided', to: 'answered' })) ?? 10;
        },
      },
      (decisions) => replayed.push(...decisions),
    );
    const before = lived.filter(({ at }) => at <= history.to);
    expect(before.filter(({ verdict }) => verdict === 'admitted').length).toBeGreaterThan(10);
    expect(new Set(before.map(({ reason }) => reason)).size).toBeGreaterThan(4);
    expect(replayed.map(decisionLine)).toEqual(before.map(decisionLine));
    expect(decisionHash(replayed)).toBe(decisionHash(before));
  }, 900_000);
});
