import type { Micros } from './money.ts';

export const windows = ['hour', 'day', 'total'] as const;

/** Rolling hour, rolling 24 hours, or for ever. */
export type Window = (typeof windows)[number];

export const windowMs: Readonly<Record<Exclude<Window, 'total'>, number>> = { hour: 3_600_000, day: 86_400_000 };

/** A bound for each window; a window without one is not bounded. */
export type PerWindow<T> = { readonly [W in Window]?: T | undefined };

/** A strategy's own limits, in its lane. */
export interface StrategyLimits {
  readonly spend: PerWindow<Micros>;
  /** Purchases. */
  readonly count: PerWindow<number>;
  /** Purchases of one marketHashName. */
  readonly perItem: PerWindow<number>;
}

export interface Breaker {
  /** Refusals in a row, other than gone, repriced or 429, that halt buying. */
  readonly refusalsInRow: number;
  /** Purchases in an hour that halt buying. */
  readonly perHour: number;
  /** Matches or spend in an hour this many times the account's usual, after seven days of history, halt buying. */
  readonly unusual: number;
}

/** The account's limits. */
export interface AccountLimits {
  /** Fee-inclusive price of one purchase; undefined only in dry-run. */
  readonly maxPrice: Micros | undefined;
  readonly spend: PerWindow<Micros>;
  readonly perItem: PerWindow<number>;
  /** Globs on marketHashName that nothing may buy. */
  readonly never: readonly string[];
  /** Balance that is never spent. */
  readonly reserve: Micros;
  readonly openPurchases: number;
  /** Purchases of unknown outcome at which buying pauses. */
  readonly unknown: number;
  readonly breaker: Breaker;
}

/** Windows that never count, since a longer one has a lower bound and decides alone; each with that in words. */
export function idleWindows(bounds: PerWindow<number> = {}): { readonly window: Window; readonly words: string }[] {
  return windows.flatMap((window, index) => {
    const bound = bounds[window];
    const lower = windows.slice(index + 1).find((longer) => (bounds[longer] ?? Infinity) < (bound ?? 0));
    return bound === undefined || lower === undefined
      ? []
      : [{ window, words: `is ${bound}, more than ${lower} (${bounds[lower]}), so it never counts` }];
  });
}

/** The window whose spend lets a single purchase cost least; undefined where none is bounded. */
export function tightestWindow(spend: PerWindow<number> = {}): { readonly window: Window; readonly bound: number } | undefined {
  const given = windows.flatMap((window) => (spend[window] === undefined ? [] : [{ window, bound: spend[window] }]));
  return given.toSorted((a, b) => a.bound - b.bound)[0];
}
