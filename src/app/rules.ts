import { compileGlobs } from '../domain/glob.ts';
import type { Rules } from '../engine/state.ts';
import type { Settings } from '../settings/settings.ts';
import type { Strategy } from '../strategy/strategy.ts';
import { StrategyIndex } from '../strategy/strategy-index.ts';

/** How many polling intervals a match may wait for its turn. */
const PATIENCE_INTERVALS = 2;

/** With a single poll nothing newer can contradict a match; it may wait as long as the rate of buys makes it wait. */
const PATIENCE_ONCE_MS = 10 * 60_000;

/** What the engine goes by: strategies in the order in which they get a listing, all on paper in dry-run. */
export function rulesOf(settings: Settings, strategies: readonly Strategy[], once: boolean): Rules {
  const laned = settings.mode === 'live' ? strategies : strategies.map((strategy): Strategy => ({ ...strategy, lane: 'paper' }));
  return {
    strategies: new StrategyIndex(laned.toSorted((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1))),
    limits: settings.limits,
    never: compileGlobs(settings.limits.never),
    health: { require: settings.feed.health.require, staleAfterMs: settings.feed.health.staleAfterMs },
    patienceMs: once ? PATIENCE_ONCE_MS : settings.feed.intervalMs * PATIENCE_INTERVALS,
  };
}
