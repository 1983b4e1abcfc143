import type { Random } from '../../domain/random.ts';

/** From what to what a figure lies, so many times in a hundred. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** How often a stated interval is meant to hold. */
const CONFIDENCE = 0.95;

/** A time is cut into so many pieces, which are drawn again: what hangs together within one stays together. */
export const BLOCKS = 50;
const REPLICATES = 2_000;

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The middle so many per cent of values, which are put in order. */
export function middle(values: number[], share = CONFIDENCE): Interval {
  const sorted = values.sort((a, b) => a - b);
  const at = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(part * (sorted.length - 1))))] ?? 0;
  return { low: at((1 - share) / 2), high: at((1 + share) / 2) };
}

/** Pieces of a time are drawn in a row, so many in the mean: a market has good and bad hours, and what comes in one comes together. */
const IN_A_ROW = 5;

/**
 * What totals over another time like this one might be: rows of pieces of time drawn with replacement, each time from one of the runs, and
 * from what was drawn rows drawn once more. The first stands for how well this time is known, the second for the luck of the other: either alone
 * would be too narrow. Every series is drawn alike, so that two of them may be held against each other. `runs[run][series][block]`; `take` is
 * handed the totals by series, which the next replicate writes over.
 */
export function eachRedrawn(
  runs: readonly (readonly Float64Array[])[],
  random: Random,
  take: (totals: Float64Array, replicate: number) => void,
): void {
  const totals = new Float64Array(runs[0]?.length ?? 0);
  const [known, other] = [new Uint8Array(BLOCKS), new Uint8Array(BLOCKS)];
  for (let replicate = 0; replicate < REPLICATES; replicate++) {
    const run = runs[Math.floor(random.next() * runs.length)] ?? [];
    drawRows(known, random);
    drawRows(other, random);
    for (let each = 0; each < totals.length; each++) {
      const series = run[each] as Float64Array;
      let total = 0;
      for (const drawn of other) total += series[known[drawn] as number] as number;
      totals[each] = total;
    }
    take(totals, replicate);
  }
}

/** The same, all kept: `[series][replicate]`. */
export function redrawn(runs: readonly (readonly Float64Array[])[], random: Random): Float64Array[] {
  const all = Array.from({ length: runs[0]?.length ?? 0 }, () => new Float64Array(REPLICATES));
  eachRedrawn(runs, random, (totals, replicate) => {
    for (const [each, total] of totals.entries()) (all[each] as Float64Array)[replicate] = total;
  });
  return all;
}

/** Fills `into` with places of pieces: rows of any length and beginning, the first piece after the last (the stationary bootstrap). */
function drawRows(into: Uint8Array, random: Random): void {
  let at = 0;
  for (let drawn = 0; drawn < into.length; drawn++) {
    at = drawn === 0 || random.next() * IN_A_ROW < 1 ? Math.floor(random.next() * into.length) : (at + 1) % into.length;
    into[drawn] = at;
  }
}

/** A number from the standard normal distribution. */
export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}
