import type { Timings } from './outcome.ts';

type Stage = 'seen' | 'decided' | 'committed' | 'sent' | 'answered';

/** One stretch of a purchase's way, from one stage to a later one. */
export interface Leg {
  readonly from: Stage;
  readonly to: Stage;
}

/** The way of a purchase: four legs, one after the other, and all of it. Everything before `sent` is ours. */
export const legs = [
  { from: 'seen', to: 'decided' },
  { from: 'decided', to: 'committed' },
  { from: 'committed', to: 'sent' },
  { from: 'sent', to: 'answered' },
  { from: 'seen', to: 'answered' },
] as const satisfies readonly Leg[];

/** What a buy is taken to last where none of ours was ever measured and nobody has said anything, milliseconds. */
export const UNMEASURED_MS = 500;

/** The last of the legs that are Magpie's own, and the one that is network and service. */
const ownEnd = 'sent';

/** How long one leg of one purchase took, milliseconds; undefined where either end is not known. */
export function legMs(timings: Timings, { from, to }: Leg): number | undefined {
  const [began, ended] = [atStage(timings, from), atStage(timings, to)];
  return began === undefined || ended === undefined ? undefined : Math.max(0, ended - began);
}

function atStage(timings: Timings, stage: Stage): number | undefined {
  return timings[`${stage}At`];
}

/** How many values are at most `upToMs` and above the bound before; the last has no bound. */
export interface Bucket {
  readonly upToMs: number | undefined;
  readonly count: number;
}

/** A leg over many purchases. Milliseconds; undefined where `count` is 0. */
export interface LegFigures extends Leg {
  readonly count: number;
  readonly p50Ms: number | undefined;
  readonly p90Ms: number | undefined;
  readonly p99Ms: number | undefined;
  readonly maxMs: number | undefined;
  readonly buckets: readonly Bucket[];
}

/** Where the time of many purchases went. */
export interface LatencyFigures {
  readonly legs: readonly LegFigures[];
  /** Of all time from seen to answered, the share before the request left, 0 to 1; undefined without a whole way. */
  readonly ownShare: number | undefined;
  /** Which of Magpie's own legs took the most time in all; undefined where none is known. */
  readonly slowestOwn: Leg | undefined;
}

const BUCKET_BOUNDS_MS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000] as const;

export function latencyFigures(purchases: readonly Timings[]): LatencyFigures {
  const whole = purchases.filter(({ sentAt, answeredAt }) => sentAt !== undefined && answeredAt !== undefined);
  const total = sumOf(whole, { from: 'seen', to: 'answered' });
  const own = legs.filter(({ from, to }) => from !== ownEnd && to !== 'answered');
  const slowest = own.map((leg) => ({ leg, ms: sumOf(purchases, leg) })).toSorted((a, b) => b.ms - a.ms)[0];
  return {
    legs: legs.map((leg) => figuresOf(leg, purchases)),
    ownShare: total > 0 ? sumOf(whole, { from: 'seen', to: ownEnd }) / total : undefined,
    slowestOwn: slowest !== undefined && slowest.ms > 0 ? slowest.leg : undefined,
  };
}

function figuresOf(leg: Leg, purchases: readonly Timings[]): LegFigures {
  const sorted = valuesOf(leg, purchases).toSorted((a, b) => a - b);
  return {
    ...leg,
    count: sorted.length,
    p50Ms: quantile(sorted, 0.5),
    p90Ms: quantile(sorted, 0.9),
    p99Ms: quantile(sorted, 0.99),
    maxMs: sorted.at(-1),
    buckets: bucketsOf(sorted),
  };
}

function valuesOf(leg: Leg, purchases: readonly Timings[]): number[] {
  return purchases.flatMap((timings) => legMs(timings, leg) ?? []);
}

function sumOf(purchases: readonly Timings[], leg: Leg): number {
  return valuesOf(leg, purchases).reduce((total, ms) => total + ms, 0);
}

/** The least value that a share of all is not above: one that occurred, never one in between. */
export function quantile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

function bucketsOf(sorted: readonly number[]): readonly Bucket[] {
  const bounds: readonly (number | undefined)[] = [...BUCKET_BOUNDS_MS, undefined];
  return bounds.map((upToMs, index) => {
    const above = bounds[index - 1] ?? -1;
    return { upToMs, count: sorted.filter((ms) => ms > above && ms <= (upToMs ?? Infinity)).length };
  });
}

/** `0.41`, `12.30`, `104.2`: milliseconds with two decimals, from 100 on with one. */
export function formatMs(ms: number): string {
  return ms.toFixed(ms < 100 ? 2 : 1);
}
