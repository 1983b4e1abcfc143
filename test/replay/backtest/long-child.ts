import { backtest } from '../../../src/app/backtest.ts';
import { shareFromNumber } from '../../../src/domain/money.ts';
import { wideLimits } from '../../support/values.ts';
import { strategyOf } from '../../strategy/offers.ts';

// Backtests the recording that it is given, with a narrow strategy, and tells what came of it and what it took.

const [path = '', mode] = process.argv.slice(2);
const share = shareFromNumber(0.95);
if (share === undefined) throw new Error('no share');
const health = { intervalMs: 5_000, require: 'ok', staleAfterMs: 15_000 } as const;
const strategy = strategyOf({
  name: 'narrow',
  when: { name: 'AK-47 | Redline*' },
  price: { maxOfSteam: 0.6 },
  limits: { count: { day: 20 } },
});
let firstMs: number | undefined;
const { history, figures } = backtest({
  ...{ recordings: [path], from: undefined, to: undefined, latencyMs: undefined, balance: undefined, whole: mode === 'whole' },
  settings: {
    ...{
      limits: wideLimits,
      feed: { intervalMs: 1_000, health, parse: 'stream' },
      rate: { buys: { perSecond: 2, concurrent: 1 } },
    },
    reference: { days: 30, minSamples: 5, maxJump: 3, fall: undefined },
  } as never,
  terms: { resale: share, fee: share, holdMs: 7 * 86_400_000 },
  ...{ model: 'steam', minCoverage: 0.5, seed: 1, windows: 4, checkLookahead: false },
  folders: [{ name: 'strategies', strategies: [strategy] }],
  onProgress: ({ doing }) => {
    if (doing === 'replaying') firstMs ??= cpuMs();
  },
});
const { arrayBuffers } = process.memoryUsage();
const { maxRSS } = process.resourceUsage();
const { events } = history;
const bought = figures.strategies[0]?.bought;
process.stdout.write(JSON.stringify({ events, bought, arrayBuffers, maxRSS, firstMs, cpuMs: cpuMs() }));

/** CPU of this process so far, milliseconds. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
