import type { EpochMs } from '../domain/clock.ts';
import { windowMs } from '../domain/limits.ts';
import { ZERO, add, dollarsFromMicros } from '../domain/money.ts';
import type { Lane } from '../domain/purchase.ts';
import type { Reader } from '../ledger/ledger.ts';
import type { DaySum } from '../ledger/page-queries.ts';
import { shadowFiguresJson } from './shadow-text.ts';

/** Days that the page shows, today among them. */
export const DAYS_SHOWN = 30;

const REACTIONS_SHOWN = 400;

/** The first moment (UTC) of the days that are shown. */
export function firstDay(now: EpochMs, days: number): EpochMs {
  return (Math.floor(now / windowMs.day) - days + 1) * windowMs.day;
}

export type Result = 'won' | 'lost' | 'open';

/** What a purchase counts as, where it is asked who was first: what the service accepted, what it refused, and what nobody knows yet. */
export function resultOf({ state }: Pick<DaySum, 'state'>): Result {
  if (state === 'bought' || state === 'completed' || state === 'refunded' || state === 'simulated') return 'won';
  return state === 'rejected' ? 'lost' : 'open';
}

/** Spend and value, won and lost, by day; how long purchases took. Dollars as numbers, days as dates in UTC. */
export function chartsJson(reader: Reader | undefined, lane: Lane, now: EpochMs): unknown {
  const since = firstDay(now, DAYS_SHOWN);
  const sums = reader?.daySums(lane, since) ?? [];
  const days = Array.from({ length: DAYS_SHOWN }, (_, index) => since / windowMs.day + index);
  return {
    mode: lane === 'live' ? 'live' : 'dry-run',
    days: days.map((day) =>
      dayJson(
        day,
        sums.filter((sum) => sum.day === day),
      ),
    ),
    lostTo: lostTo(sums),
    reactions: (reader?.reactions(REACTIONS_SHOWN) ?? []).map(({ id, sentAt, ownMs, serviceMs }) => ({
      ...{ id, at: new Date(sentAt).toISOString(), ownMs, serviceMs: serviceMs ?? null },
    })),
    shadow: reader === undefined ? null : shadowFiguresJson(reader.shadowFigures(since)),
  };
}

function dayJson(day: number, sums: readonly DaySum[]): Record<string, unknown> {
  const counts = { won: 0, lost: 0, open: 0 };
  let [spent, priced, steam] = [ZERO, ZERO, ZERO];
  for (const sum of sums) {
    counts[resultOf(sum)] += sum.count;
    spent = add(spent, sum.spent);
    priced = add(priced, sum.priced.spent);
    steam = add(steam, sum.priced.steam);
  }
  return {
    day: new Date(day * windowMs.day).toISOString().slice(0, 10),
    ...{ spent: dollarsFromMicros(spent), pricedSpent: dollarsFromMicros(priced), steam: dollarsFromMicros(steam), ...counts },
  };
}

/** Refused purchases by what the service said of them, the commonest first. */
function lostTo(sums: readonly DaySum[]): unknown {
  const counts = new Map<string, number>();
  for (const { state, cause = 'other', count } of sums)
    if (state === 'rejected') counts.set(cause, (counts.get(cause) ?? 0) + count);
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([cause, count]) => ({ cause, count }));
}
