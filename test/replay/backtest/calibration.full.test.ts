import { describe, expect, it } from 'vitest';
import { calibrationOf } from '../../../src/replay/backtest/calibration.ts';
import { forecasts } from '../../../src/replay/backtest/forecast.ts';
import { triedIn } from '../../../src/replay/backtest/tried.ts';
import { seededRandom } from '../../../src/domain/random.ts';
import type { Attempt } from '../../../src/replay/inputs.ts';
import { START } from '../../support/feed-entries.ts';
import { attempt, bargain, historyOf, recorded } from './stage.ts';

interface Days {
  readonly looks: readonly (readonly unknown[])[];
  readonly attempts: readonly Attempt[];
}

const POLLS = 160;
const TOOK_MS = 400;
/** Of the first part, which is forecast without itself. */
const HIDDEN = 6;

/**
 * Days in which each second an offer comes that rivals take after a random time, and in which we bid for every other one as soon as a look shows
 * it. Its answer comes `TOOK_MS` later: won if it still stands then.
 */
function days(seed: number): Days {
  const random = seededRandom(seed, 'days');
  const attempts: Attempt[] = [];
  const lives = Array.from({ length: POLLS }, (_, index) => {
    const id = String(1000 + index);
    const born = START + (index + 1) * 1_000 - random.next() * 900;
    const ours = index % 2 === 1;
    const gone = born - Math.log(1 - random.next()) * 1_500;
    // Looks end 50 ms after they begin; the first that shows it is the one after its birth.
    const seen = Math.ceil((born - START) / 1_000) * 1_000 + START + 50;
    if (!ours || gone < seen) return { id, born, gone };
    const answered = seen + 10 + TOOK_MS;
    const won = gone > answered;
    const poll = (seen - 50 - START) / 1_000;
    attempts.push({
      ...attempt(id, answered, won ? 'bought' : 'gone', poll),
      timings: { seenAt: seen, decidedAt: seen + 10, committedAt: seen + 11, sentAt: seen + 12, answeredAt: answered },
    });
    return { id, born, gone: won ? answered : gone };
  });
  const looks = Array.from({ length: POLLS + 5 }, (_, index) => {
    const at = START + (index + 1) * 1_000;
    return [bargain('1'), ...lives.filter(({ born, gone }) => born <= at && gone > at).map(({ id }) => bargain(id))];
  });
  return { looks, attempts };
}

function calibrated({ looks, attempts }: Days): ReturnType<typeof calibrationOf> {
  const history = historyOf(recorded(looks, attempts));
  return calibrationOf(history, triedIn(history.attempts), { latencyMs: undefined, seed: 1 });
}

describe('what the models would have said of our own buys', () => {
  it('holds where rivals are as fast with what we want as with the rest', () => {
    const found = calibrated(days(3));
    expect(found).toMatchObject({ unseen: 0, failed: 0, holds: true });
    expect(found?.tried).toBe((found?.won ?? 0) + (found?.lost ?? 0));
    expect(found?.tried).toBeGreaterThan(30);
    expect(found?.bins.reduce((sum, { count }) => sum + count, 0)).toBe(found?.tried);
    expect(found?.bins.reduce((sum, { won }) => sum + won, 0)).toBe(found?.won);
    expect(Math.abs((found?.expected ?? 0) - (found?.won ?? 0))).toBeLessThan(0.15 * (found?.tried ?? 0));
    // The latency is measured on our other buys.
    expect(found?.latency.map(({ share }) => share)).toEqual([0.5, 0.9, 0.99]);
    for (const { forecastMs, measuredMs, within } of found?.latency ?? []) {
      expect(forecastMs).toBeCloseTo(TOOK_MS, 6);
      expect(measuredMs).toBeCloseTo(TOOK_MS, 6);
      expect(within).toBe(1);
    }
  });

  it('does not know what became of a buy when it forecasts it: whether all were won or all lost, it says the same', () => {
    const { looks, attempts } = days(3);
    const turned = (outcome: 'bought' | 'gone'): Attempt[] =>
      attempts.map((each, index) => (index < HIDDEN ? { ...each, outcome: attempt('1', 0, outcome, 0).outcome } : each));
    const forecast = (outcome: 'bought' | 'gone'): readonly number[] => {
      const history = historyOf(recorded(looks, turned(outcome)));
      const first = triedIn(history.attempts).slice(0, HIDDEN);
      const rest = triedIn(history.attempts);
      expect(first.every(({ result }) => result === (outcome === 'bought' ? 'won' : 'lost'))).toBe(true);
      return forecasts(history, rest, { latencyMs: undefined, seed: 1 })
        .slice(0, HIDDEN)
        .map(({ chance }) => chance);
    };
    expect(forecast('bought')).toEqual(forecast('gone'));
  });

  it('is too hopeful, and says so, where what we want goes faster than anything that the polls show', () => {
    // Buys that were lost are left out of what the rates are fitted on, as where few are made: ours are no more than a tenth.
    const { looks, attempts } = days(5);
    const unlucky = attempts.map((each, index) =>
      index % 10 === 0 ? each : { ...each, outcome: attempt('1', 0, 'gone', 0).outcome },
    );
    const history = historyOf(recorded(looks, []));
    const found = calibrationOf(history, triedIn(unlucky), { latencyMs: TOOK_MS, seed: 1 });
    expect(found?.holds).toBe(false);
    expect(found?.expected).toBeGreaterThan((found?.won ?? 0) + 5);
  });

  it('is no evidence with a handful of buys, and nothing without any', () => {
    const { looks, attempts } = days(3);
    expect(calibrated({ looks, attempts: attempts.slice(0, 8) })).toMatchObject({ evidence: 'none', tried: 8 });
    expect(calibrated({ looks, attempts: [] })).toBeUndefined();
  });

  it('leaves out a buy whose listing is not in the recording, and counts it', () => {
    const { looks, attempts } = days(3);
    const stranger = attempt('77777', START + 5_400, 'bought', 5);
    expect(calibrated({ looks, attempts: [...attempts, stranger] })).toMatchObject({ unseen: 1 });
  });
});
