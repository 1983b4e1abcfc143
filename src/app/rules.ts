import { compileGlobs } from '../domain/glob.ts';
import type { AccountLimits } from '../domain/limits.ts';
import type { Rules } from '../engine/state.ts';
import type { Settings } from '../settings/settings.ts';
import type { Strategy } from '../strategy/strategy.ts';
import { StrategyIndex } from '../strategy/strategy-index.ts';

/** How many polling intervals a match may wait for its turn. */
const PATIENCE_INTERVALS = 2;

/** With a single poll nothing newer can contradict a match; it may wait as long as the rate of buys makes it wait. */
const PATIENCE_ONCE_MS = 10 * 60_000;

type RuleSettings = Pick<Settings, 'mode' | 'limits' | 'feed' | 'reference'>;

/** What the engine goes by: strategies in the order in which they get a listing, all on paper in dry-run. */
export function rulesOf(settings: RuleSettings, strategies: readonly Strategy[], once: boolean): Rules {
  return {
    strategies: new StrategyIndex(inTurn(settings.mode, strategies)),
    limits: settings.limits,
    never: compileGlobs(settings.limits.never),
    health: { require: settings.feed.health.require, staleAfterMs: settings.feed.health.staleAfterMs },
    reference: { minSamples: settings.reference.minSamples, maxJump: settings.reference.maxJump },
    patienceMs: once ? PATIENCE_ONCE_MS : settings.feed.intervalMs * PATIENCE_INTERVALS,
  };
}

/** The same with other strategies and limits; everything else stays as it was at the start, `before` is not to be used again. */
export function rulesAfter(before: Rules, mode: Settings['mode'], limits: AccountLimits, strategies: readonly Strategy[]): Rules {
  return {
    ...before,
    strategies: before.strategies.renewed(inTurn(mode, strategies)),
    limits,
    never: compileGlobs(limits.never),
  };
}

function inTurn(mode: Settings['mode'], strategies: readonly Strategy[]): readonly Strategy[] {
  const laned = mode === 'live' ? strategies : strategies.map((strategy): Strategy => ({ ...strategy, lane: 'paper' }));
  return laned.toSorted((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1));
}
