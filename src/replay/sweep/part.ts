import { BLOCKS } from '../backtest/statistics.ts';
import type { StrategyFigures } from '../backtest/figures.ts';

/** The parts of a time: on one a variant is chosen, on the other it is judged. */
export const parts = ['train', 'test'] as const;
export type Part = (typeof parts)[number];

/** What a variant came to in one part: what `magpie backtest` says of that time, and what it is made of. */
export interface PartResult {
  readonly figures: StrategyFigures;
  /** Why and since when it stood halted at the end; null when it did not. */
  readonly halt: { readonly at: number; readonly reason: string } | null;
  /** Profit in each piece of the time, one expected run after the other. Micro-dollars. */
  readonly blocks: Float64Array;
}

export type VariantResult = Readonly<Record<Part, PartResult>>;

/** `[run][block]`. */
function runsOf({ blocks }: Pick<PartResult, 'blocks'>): Float64Array[] {
  return Array.from({ length: blocks.length / BLOCKS }, (_, run) => blocks.subarray(run * BLOCKS, (run + 1) * BLOCKS));
}

/** `[run][series][block]`, as totals are drawn anew from it. */
export function seriesOf(results: readonly Pick<PartResult, 'blocks'>[]): Float64Array[][] {
  const all = results.map(runsOf);
  return Array.from({ length: Math.min(...all.map(({ length }) => length)) }, (_, run) =>
    all.map((runs) => runs[run] as Float64Array),
  );
}
