import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/domain/random.ts';
import { WinsDrawn } from '../../../src/replay/backtest/calibration.ts';
import { forecastBy } from '../../../src/replay/backtest/forecast.ts';
import { modelsOf } from '../../../src/replay/backtest/models.ts';
import type { Interval } from '../../../src/replay/backtest/statistics.ts';
import { triedIn } from '../../../src/replay/backtest/tried.ts';
import { netOfSteam } from '../../../src/strategy/steam-fee.ts';
import { START } from '../../support/feed-entries.ts';
import { strategyOf } from '../../strategy/offers.ts';
import { recordingPath } from '../recording.ts';
import { historyOf } from './stage.ts';
import { type Bidden, drawTemper, liveWeek } from './week.ts';

const WEEKS = 100;
const HOLDS_MIN = 90;

const price = { max: 40, maxOfSteam: 0.6 };
/** What is bought in the first half of a week, and what in the other: the models have never seen the second strategy bid. */
const strategies = [
  strategyOf({ name: 'first', when: { market: 'c5game', steamPrice: { min: 1 } }, price }),
  strategyOf({ name: 'second', when: { market: 'ecosteam', steamPrice: { min: 1 } }, price }),
] as const;

interface Judged {
  readonly seed: number;
  readonly bids: number;
  readonly expected: number;
  readonly won: Stated;
  readonly profit: Stated;
  readonly latency: string;
}

/** What was stated beside what it came to. */
interface Stated extends Interval {
  readonly truly: number;
}

function holds({ low, high, truly }: Stated): boolean {
  return truly >= low && truly <= high;
}

/** Fits the models on the first half of a week in a market that they are told nothing of, and has them state what the other half brings. */
function judged(seed: number): Judged {
  const week = liveWeek(recordingPath(), seed, drawTemper(seededRandom(seed, 'temper')), strategies);
  const models = modelsOf(historyOf(week.recording, START, week.middle), { latencyMs: undefined, seed });
  const rest = historyOf(week.recording, week.middle, week.end);
  const bidden = new Map(week.bidden.filter(({ sentAt }) => sentAt >= week.middle).map((each) => [each.listing.key, each]));
  const said = forecastBy(
    models,
    rest,
    triedIn(rest.attempts).filter(({ key }) => bidden.has(key)),
    seed,
  );
  const worth = ({ listing: { steam, cost } }: Bidden): number => netOfSteam(steam ?? cost) - cost;
  const profitOf = ({ tried: { key } }: (typeof said)[number]): number => worth(bidden.get(key) as Bidden);
  const drawn = new WinsDrawn(said, seed);
  // The market itself says what was won; nothing of that is taken from the models.
  const won = said.filter(({ tried: { key } }) => bidden.get(key)?.won === true);
  return {
    ...{ seed, bids: said.length, expected: said.reduce((sum, { chance }) => sum + chance, 0) },
    won: { ...drawn.interval(said), truly: won.length },
    profit: { ...drawn.interval(said, profitOf), truly: won.reduce((sum, each) => sum + profitOf(each), 0) },
    latency: models.latency.source,
  };
}

describe('on markets whose rivals, prices and latency the models are not told', () => {
  it(`what they state of the rest of a week holds in at least ${HOLDS_MIN} of ${WEEKS} weeks`, () => {
    const weeks = Array.from({ length: WEEKS }, (_, index) => judged(index + 1));
    const missed = (of: 'won' | 'profit'): readonly Judged[] => weeks.filter((week) => !holds(week[of]));
    // Markets unlike each other, in which it was open what would be won.
    expect(weeks.every(({ bids }) => bids >= 10)).toBe(true);
    const lost = weeks.reduce((sum, { bids, won }) => sum + bids - won.truly, 0);
    expect(lost).toBeGreaterThan(weeks.length * 5);
    // Those that did not hold are named where there are too many.
    for (const of of ['won', 'profit'] as const) expect(missed(of).length > WEEKS - HOLDS_MIN ? missed(of) : []).toEqual([]);
  }, 3_600_000);
});
