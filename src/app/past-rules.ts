import type { EpochMs } from '../domain/clock.ts';
import type { AccountLimits } from '../domain/limits.ts';
import type { RuleChangeRow } from '../ledger/rule-changes.ts';
import type { LocalSettings } from '../settings/what-counts.ts';
import { strategyOfText } from '../settings/strategies.ts';
import type { Strategy } from '../strategy/strategy.ts';

export type RuleSettings = Pick<LocalSettings, 'mode' | 'limits' | 'feed' | 'reference' | 'rate'>;

/** What buying went by from a moment on. */
export interface PastRules {
  readonly from: EpochMs;
  readonly settings: RuleSettings;
  readonly strategies: readonly Strategy[];
  /** Names of strategies that were in force and whose wording nobody has kept. */
  readonly missing: readonly string[];
}

/** What a ledger keeps of rules. */
export interface RuleMemory {
  /** The newest so many, the newest first. */
  ruleChanges(limit: number): readonly RuleChangeRow[];
  strategyText(hash: string): string | undefined;
}

/** More changes of rules than anybody makes in the time that a recording is kept. */
const CHANGES_MAX = 10_000;

/**
 * What was in force between two moments, oldest first, each from when on; empty where nothing says so. The first may have come into force
 * after `from`: of the time before it nothing is known. What a ledger does not say of the settings is as `now` says.
 */
export function rulesBetween(
  memory: RuleMemory,
  { from, to }: { readonly from: EpochMs; readonly to: EpochMs },
  now: RuleSettings,
): readonly PastRules[] {
  const changes = [...memory.ruleChanges(CHANGES_MAX)].reverse().filter(({ at }) => at < to);
  const first = Math.max(
    0,
    changes.findLastIndex(({ at }) => at <= from),
  );
  return changes.slice(first).map((change) => rulesThen(memory, change, now));
}

/** The rules that were taken last; undefined where nothing says so. */
export function rulesLastInForce(memory: RuleMemory, now: RuleSettings): PastRules | undefined {
  const [last] = memory.ruleChanges(1);
  return last && rulesThen(memory, last, now);
}

function rulesThen(memory: RuleMemory, { at, settings, strategies }: RuleChangeRow, now: RuleSettings): PastRules {
  const read = strategies.map(({ name, hash }) => {
    const text = memory.strategyText(hash);
    return { name, strategy: text === undefined ? undefined : strategyOfText(text, hash) };
  });
  return {
    from: at,
    settings: settingsThen(settings, now),
    strategies: read.flatMap(({ strategy }) => strategy ?? []),
    missing: read.filter(({ strategy }) => strategy === undefined).map(({ name }) => name),
  };
}

/** By the keys of `settingsThatCount`, which wrote them. */
function settingsThen(kept: RuleChangeRow['settings'], now: RuleSettings): RuleSettings {
  const of = <T>(key: string, otherwise: T): T => (kept[key] === undefined ? otherwise : (kept[key] as T));
  const limits: AccountLimits = {
    maxPrice: of<AccountLimits['maxPrice'] | null>('limits.maxPrice', now.limits.maxPrice) ?? undefined,
    spend: of('limits.spend', now.limits.spend),
    perItem: of('limits.perItem', now.limits.perItem),
    never: of('limits.never', now.limits.never),
    reserve: of('limits.reserve', now.limits.reserve),
    openPurchases: of('limits.openPurchases', now.limits.openPurchases),
    unknown: of('limits.unknown', now.limits.unknown),
    breaker: of('limits.breaker', now.limits.breaker),
  };
  return {
    mode: of('mode', now.mode),
    limits,
    feed: { ...now.feed, intervalMs: of('feed.interval', now.feed.intervalMs), health: of('feed.health', now.feed.health) },
    reference: of('reference', now.reference),
    rate: of('rate', now.rate),
  };
}
