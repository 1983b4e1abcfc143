import type { EpochMs } from '../domain/clock.ts';
import type { Purchase } from '../domain/purchase.ts';
import { type AddedRemoved, addedAndRemoved } from '../replay/backtest/added-removed.ts';
import type { MarketHistory } from '../replay/backtest/market-history.ts';
import { type Models, modelsOf } from '../replay/backtest/models.ts';
import { EXPECTED_RUNS, type Study, type Trial, study } from '../replay/backtest/study.ts';
import type { ValueTerms } from '../replay/backtest/value.ts';
import type { Strategy } from '../strategy/strategy.ts';
import { type Progress, loaded, recordedTime, trialRules, withRecordings } from './backtest.ts';
import type { PastRules, RuleSettings } from './past-rules.ts';

export interface ReplayChangeRequest {
  readonly recording: string;
  /** The last so many milliseconds of it. */
  readonly lastMs: number;
  /** What is in force; undefined where nothing says so. */
  readonly before: PastRules | undefined;
  /** What would be. */
  readonly after: { readonly settings: RuleSettings; readonly strategies: readonly Strategy[] };
  /** All purchases that the ledger holds, oldest first. */
  readonly purchases: () => Iterable<Purchase>;
  readonly terms: ValueTerms;
  readonly seed: number;
  readonly onProgress: (progress: Progress) => void;
}

export interface ReplayedChange extends AddedRemoved {
  readonly request: ReplayChangeRequest;
  readonly history: Pick<MarketHistory, 'from' | 'to' | 'coverage' | 'polls'>;
  readonly models: Models;
}

/**
 * What strategies and limits that are on file would have bought in the last stretch of a recording, beside those in force: both replayed over the
 * same market with the same luck, after the same purchases. Throws as `backtest` does.
 */
export function replayChange(request: ReplayChangeRequest): ReplayedChange {
  const { recording, lastMs, before, after, terms, seed, onProgress } = request;
  return withRecordings([recording], (recordings) => {
    const whole = recordedTime({ from: undefined, to: undefined }, recordings);
    const from = Math.max(whole.from, whole.to - lastMs);
    const onReached = (at: EpochMs): void => onProgress({ doing: 'reading', done: at - from, of: whole.to - from });
    const lean = { valuedFrom: from + terms.holdMs };
    const history = loaded({ folders: [after, ...(before ? [before] : [])] }, recordings, from, whole.to, { onReached, lean });
    const models = modelsOf(history, { latencyMs: undefined, seed });
    const purchasedBefore = [...request.purchases()].filter(({ createdAt, lane }) => lane === 'live' && createdAt < from);
    const healthHeard = history.heard.some(({ of }) => of === 'health');
    const runs = (before ? 2 : 1) * (EXPECTED_RUNS + 2);
    let done = 0;
    const studied = (rules: ReplayChangeRequest['after']): Study => {
      const trial: Trial = {
        ...{ folder: '', terms, purchasedBefore, balance: history.balances[0]?.amount },
        ...{ rules: trialRules(rules.settings, rules.strategies, healthHeard), rate: rules.settings.rate.buys },
      };
      return study(history, models, trial, () => onProgress({ doing: 'replaying', done: ++done, of: runs }));
    };
    const was = before && studied(before);
    return { ...addedAndRemoved(was, studied(after), 'steam'), request, history, models };
  });
}
