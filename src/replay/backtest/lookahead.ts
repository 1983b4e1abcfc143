import type { EpochMs } from '../../domain/clock.ts';
import type { Decision } from '../../domain/decision.ts';
import { seededRandom } from '../../domain/random.ts';
import { decisionLine } from './decision-hash.ts';
import { scenarios } from './fates.ts';
import type { MarketHistory } from './market-history.ts';
import { type Models, worldOf } from './models.ts';
import { replay } from './replay.ts';
import type { Trial } from './study.ts';

/** What came of cutting a recording at random instants. */
export interface LookaheadCheck {
  readonly cuts: readonly EpochMs[];
  /** Decisions before the cuts that were held against those of the whole. */
  readonly compared: number;
  /** The first that was another one without what came later; undefined where there is none. */
  readonly differs: { readonly cut: EpochMs; readonly whole: string; readonly cutShort: string } | undefined;
}

const CUTS = 5;

/**
 * Replays what was recorded up to a random instant, as if the recording ended there, and holds its decisions against those of the whole
 * before that instant. `upTo` reads the recording anew and no further than it is told. What becomes of buys is the market's to know, and stays
 * what it was.
 */
export function checkLookahead(
  whole: MarketHistory,
  upTo: (to: EpochMs) => MarketHistory,
  models: Models,
  trial: Trial,
): LookaheadCheck {
  const random = seededRandom(models.seed, 'cuts');
  const cuts = Array.from({ length: CUTS }, () => whole.from + random.next() * (whole.to - whole.from)).sort((a, b) => a - b);
  const all = scenarios.map((scenario) => ({ scenario, decisions: decided(whole, models, trial, scenario) }));
  let compared = 0;
  for (const cut of cuts) {
    const history = upTo(cut);
    // An answer that the cut breaks off is not recorded, though parts of it were judged before.
    const { endedAt } = history.polls;
    const lastLook = endedAt.length === 0 ? history.from : endedAt.at(endedAt.length - 1);
    for (const { scenario, decisions } of all) {
      const upToLook = (each: readonly Decision[]): readonly Decision[] => each.filter(({ at }) => at <= lastLook);
      const before = upToLook(decisions);
      const short = upToLook(decided(history, models, trial, scenario));
      compared += before.length;
      const differs = firstDifference(before, short);
      if (differs !== undefined) return { cuts, compared, differs: { cut, ...differs } };
    }
  }
  return { cuts, compared, differs: undefined };
}

function decided(
  history: MarketHistory,
  models: Models,
  trial: Trial,
  scenario: (typeof scenarios)[number],
): readonly Decision[] {
  const decisions: Decision[] = [];
  const { rules, rate, balance, terms } = trial;
  replay(history, { rules, rate, balance, holdMs: terms.holdMs, ...worldOf(models, scenario, 0) }, (each) =>
    decisions.push(...each),
  );
  return decisions;
}

function firstDifference(
  whole: readonly Decision[],
  short: readonly Decision[],
): { readonly whole: string; readonly cutShort: string } | undefined {
  for (let index = 0; index < Math.max(whole.length, short.length); index++) {
    const [one, other] = [whole[index], short[index]].map((decision) =>
      decision === undefined ? 'nothing' : decisionLine(decision),
    );
    if (one !== other) return { whole: one ?? '', cutShort: other ?? '' };
  }
  return undefined;
}
