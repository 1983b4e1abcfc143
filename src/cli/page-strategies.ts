import type { EpochMs } from '../domain/clock.ts';
import type { Listing } from '../domain/listing.ts';
import { windowMs } from '../domain/limits.ts';
import { ZERO, dollarsFromMicros, sum } from '../domain/money.ts';
import type { Lane } from '../domain/purchase.ts';
import type { Reader } from '../ledger/ledger.ts';
import type { DaySum, DecisionCount } from '../ledger/page-queries.ts';
import type { Settings } from '../settings/settings.ts';
import type { Strategy } from '../strategy/strategy.ts';
import { nearMissJson, nearMisses } from './near-misses.ts';
import { DAYS_SHOWN, firstDay, resultOf } from './page-charts.ts';

/** Strategies that are shown in full: of a thousand nobody reads more. */
const SHOWN = 200;

export interface StrategiesAsked {
  readonly strategies: readonly Strategy[];
  readonly reader: Reader | undefined;
  readonly mode: Settings['mode'];
  readonly now: EpochMs;
  /** The newest that are known, for near misses. */
  readonly listings: readonly Listing[];
}

/** What each strategy found, bought and narrowly missed, today (24 hours) and in thirty days. */
export function strategiesJson({ strategies, reader, mode, now, listings }: StrategiesAsked): unknown {
  const since = firstDay(now, DAYS_SHOWN);
  const today = reader?.decisionCounts(now - windowMs.day) ?? { counts: [], whole: true };
  const month = reader?.decisionCounts(since) ?? { counts: [], whole: true };
  const lanes: readonly Lane[] = mode === 'live' ? ['live', 'paper'] : ['paper'];
  const sums = lanes.flatMap((lane) => (reader?.daySums(lane, since) ?? []).map((each) => ({ ...each, lane })));
  const shown = strategies.toSorted((one, other) => other.priority - one.priority || (one.name < other.name ? -1 : 1));
  return {
    ...{ count: strategies.length, wholeDay: today.whole, wholeMonth: month.whole },
    strategies: shown.slice(0, SHOWN).map((strategy) => {
      const lane = mode === 'live' ? strategy.lane : 'paper';
      const own = sums.filter((each) => each.strategy === strategy.name && each.lane === lane);
      const newest = own.filter(({ day }) => day >= Math.floor(now / windowMs.day));
      return {
        ...{ name: strategy.name, mode: lane === 'live' ? 'live' : 'dry-run', priority: strategy.priority, text: strategy.text },
        today: { ...decided(strategy, today.counts), ...made(newest) },
        month: { ...decided(strategy, month.counts), ...made(own) },
        near: nearMisses(strategy, listings, Math.min(SHOWN, strategies.length)).map(nearMissJson),
      };
    }),
  };
}

function decided({ name }: Strategy, counts: readonly DecisionCount[]): Record<string, unknown> {
  const own = counts.filter(({ strategy }) => strategy === name);
  const refused = own.filter(({ verdict }) => verdict === 'refused');
  return {
    matches: total(own),
    refused: total(refused),
    refusals: refused.slice(0, 5).map(({ reason, count }) => ({ reason: reason ?? null, count })),
  };
}

function made(sums: readonly DaySum[]): Record<string, unknown> {
  const of = (result: ReturnType<typeof resultOf>): readonly DaySum[] => sums.filter((each) => resultOf(each) === result);
  return {
    purchases: total(of('won')),
    ...{ lost: total(of('lost')), open: total(of('open')) },
    spent: dollarsFromMicros(sums.length === 0 ? ZERO : sum(sums.map(({ spent }) => spent))),
  };
}

function total(counted: readonly { readonly count: number }[]): number {
  return counted.reduce((all, { count }) => all + count, 0);
}
