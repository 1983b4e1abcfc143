import { describe, expect, it } from 'vitest';
import { rulesOf } from '../../../src/app/rules.ts';
import { checkLookahead } from '../../../src/replay/backtest/lookahead.ts';
import { modelsOf } from '../../../src/replay/backtest/models.ts';
import type { Trial } from '../../../src/replay/backtest/study.ts';
import { StrategyIndex } from '../../../src/strategy/strategy-index.ts';
import { START } from '../../support/feed-entries.ts';
import { dollars, strategy, wideLimits } from '../../support/values.ts';
import { bargain, historyOf, recorded } from './stage.ts';

const looks = Array.from({ length: 20 }, (_, index) => Array.from({ length: index }, (_, id) => bargain(String(id + 1))));
const settings = {
  mode: 'live',
  limits: wideLimits,
  feed: { intervalMs: 1_000, health: { intervalMs: 5_000, require: 'ok', staleAfterMs: 15_000 }, parse: 'stream' },
  reference: { days: 30, minSamples: 5, maxJump: 3, fall: undefined },
} as const;

function trial(wants: Parameters<typeof strategy>[0]): Trial {
  const rules = { ...rulesOf(settings, [], false), strategies: new StrategyIndex([strategy(wants)]) };
  const share = { numerator: 1n, denominator: 10n };
  const terms = { resale: share, fee: share, holdMs: 86_400_000 };
  return { folder: 'f', rules, rate: { perSecond: 10, concurrent: 1 }, balance: dollars(1_000), terms };
}

describe('the check for look-ahead', () => {
  it('finds none in what is replayed', () => {
    const path = recorded(looks);
    const whole = historyOf(path);
    const models = modelsOf(whole, { latencyMs: 100, seed: 1 });
    const found = checkLookahead(whole, (to) => historyOf(path, START, to), models, trial({ matches: () => true }));
    expect(found.differs).toBeUndefined();
    expect(found.compared).toBeGreaterThan(50);
  });

  it('finds a strategy that knows what is recorded later', () => {
    const path = recorded(looks);
    const whole = historyOf(path);
    const models = modelsOf(whole, { latencyMs: 100, seed: 1 });
    // It wants only what will still stand when the recording ends, and so needs to know when that is.
    let known = whole;
    const knowing = trial({ matches: ({ key }) => known.to > START + 19_000 || key === 'c5game:1' });
    const upTo = (to: number): typeof whole => (known = historyOf(path, START, to));
    const found = checkLookahead(whole, upTo, models, knowing);
    expect(found.differs).toMatchObject({ cutShort: expect.any(String) as string });
  });
});
