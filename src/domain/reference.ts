import type { EpochMs } from './clock.ts';
import type { Micros } from './money.ts';

/** What was seen of one name on one day, UTC: the middle of its readings, one an hour. */
export interface DaySample {
  /** Days since the Unix epoch. */
  readonly day: number;
  /** Hours of the day in which it was read. */
  readonly readings: number;
  /** steamPrice; undefined when none of its listings bore one. */
  readonly steam: Micros | undefined;
  /** What its cheapest live listing cost, fee included. */
  readonly floor: Micros;
}

/** What past days say of a name's steamPrice: a plain value, so that whoever decides by it decides the same again. */
export interface ReferenceRecord {
  /** The middle of the days' samples; of two in the middle the lower one. */
  readonly median: Micros;
  /** Days that have one. A day counts once it is over. */
  readonly samples: number;
  readonly low: Micros;
  readonly high: Micros;
  /** When the newest of those days was over. */
  readonly newestAt: EpochMs;
}

export const DAY_MS = 86_400_000;

/** Days since the Unix epoch, UTC. */
export function dayOf(at: EpochMs): number {
  return Math.floor(at / DAY_MS);
}

/** The middle of some amounts, of two in the middle the lower one; undefined of none. */
export function medianOf(amounts: readonly Micros[]): Micros | undefined {
  return amounts.toSorted((a, b) => a - b)[(amounts.length - 1) >> 1];
}

/** The record that so many days before `today` leave; undefined when none of them has a steamPrice. The day itself does not count. */
export function recordOf(samples: readonly DaySample[], today: number, days: number): ReferenceRecord | undefined {
  const known = samples.filter(({ day, steam }) => steam !== undefined && day < today && day >= today - days);
  const prices = known.flatMap(({ steam }) => steam ?? []);
  const median = medianOf(prices);
  if (median === undefined) return undefined;
  return {
    median,
    samples: prices.length,
    low: prices.reduce((least, price) => (price < least ? price : least)),
    high: prices.reduce((most, price) => (price > most ? price : most)),
    newestAt: (Math.max(...known.map(({ day }) => day)) + 1) * DAY_MS,
  };
}

export function sameRecord(a: ReferenceRecord | undefined, b: ReferenceRecord | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.median === b.median && a.samples === b.samples && a.low === b.low && a.high === b.high && a.newestAt === b.newestAt;
}

/** A jump of a steamPrice from its median as people say it: `+900 %`, `-40 %`. For display only. */
export function jumpText(steam: Micros, { median }: Pick<ReferenceRecord, 'median'>): string {
  const percent = Math.round((100 * (steam - median)) / median);
  return `${percent < 0 ? '' : '+'}${percent} %`;
}
