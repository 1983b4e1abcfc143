import type { EpochMs } from '../domain/clock.ts';
import { windowMs } from '../domain/limits.ts';
import { ZERO, micros } from '../domain/money.ts';
import type { Usual } from '../risk/breaker.ts';
import type { Store } from './store.ts';

/** Hours that are kept: two months, far more than what is usual is judged by. */
const HOURS_MAX = 1_440;

const DAYS_JUDGED = 7;

export interface HourQueries {
  /**
   * What this account does in an ordinary hour: means over the hours of the last seven days in which anything happened, the
   * running hour not among them.
   */
  usual(now: EpochMs): Usual;
}

export interface Hours extends HourQueries {
  /** Adds live matches to the hour that began at `hour`. */
  addMatches(hour: EpochMs, matches: number): void;
}

interface HourRow {
  readonly hour: EpochMs;
  readonly matches: number;
  readonly spend: number;
}

/** Matches are counted as they come; spend is summed from the rows of purchases. */
const HOURS = `
  SELECT hour, sum(matches) AS matches, sum(spend) AS spend FROM (
    SELECT hour, matches, 0 AS spend FROM hours WHERE hour >= @since AND hour < @until
    UNION ALL
    SELECT CAST(created_at / 3600000 AS INTEGER) * 3600000.0, 0, amount FROM purchases
    WHERE committed = 1 AND lane = 'live' AND created_at >= @since AND created_at < @until
  ) GROUP BY hour`;

export function createHourQueries(store: Store): HourQueries {
  const hours = store.reading<[{ since: EpochMs; until: EpochMs }], HourRow>(HOURS);
  const first = store.value<[], EpochMs | null>(
    "SELECT min(at) FROM (SELECT min(hour) AS at FROM hours UNION ALL SELECT min(created_at) FROM purchases WHERE committed = 1 AND lane = 'live')",
  );
  return {
    usual(now) {
      const until = now - (now % windowMs.hour);
      const began = first() ?? undefined;
      const days = began === undefined ? 0 : Math.max(0, Math.floor((now - began) / windowMs.day));
      const rows = hours.all({ since: until - DAYS_JUDGED * windowMs.day, until });
      if (rows.length === 0) return { days, matchesPerHour: 0, spendPerHour: ZERO };
      const sumOf = (key: 'matches' | 'spend'): number => rows.reduce((total, row) => total + row[key], 0);
      return {
        days,
        matchesPerHour: sumOf('matches') / rows.length,
        spendPerHour: micros(Math.round(sumOf('spend') / rows.length)),
      };
    },
  };
}

/** Counters of matches, kept where nobody waits for the disk: losing the last of them changes no mean to speak of. */
export function createHours(relaxed: Store): Hours {
  const add = relaxed.writing<[EpochMs, number]>(
    'INSERT INTO hours (hour, matches) VALUES (?, ?) ON CONFLICT DO UPDATE SET matches = matches + excluded.matches',
  );
  const prune = relaxed.writing<[number]>(
    'DELETE FROM hours WHERE hour < (SELECT hour FROM hours ORDER BY hour DESC LIMIT 1 OFFSET ?)',
  );
  return {
    ...createHourQueries(relaxed),
    addMatches(hour, matches) {
      relaxed.transaction('hours', () => {
        add(hour, matches);
        prune(HOURS_MAX);
      });
    },
  };
}
