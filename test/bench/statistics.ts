/** The least value that a share of all is not above: one that was measured, never one in between. NaN of nothing. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Runs side by side: the nth of ours belongs to the nth of the floor. */
export interface Pairs {
  readonly ours: readonly number[];
  readonly floor: readonly number[];
}

/** The ratio of each pair, so that what slowed the machine for a while slowed both. Throws RangeError for a half of a pair. */
export function ratios({ ours, floor }: Pairs): readonly number[] {
  if (ours.length !== floor.length) throw new RangeError(`${ours.length} runs of ours beside ${floor.length} of the floor`);
  return ours.map((value, at) => value / floor[at]!);
}

export function medianOfRatios(pairs: Pairs): number {
  return median(ratios(pairs));
}

/** The slow tail beside the floor's own slow tail: which run of the other a slow run is paired with is chance. */
export function ratioOfP99(pairs: Pairs): number {
  return quantile(pairs.ours, 0.99) / quantile(pairs.floor, 0.99);
}

/** How much longer ours took than the other in the same round, over the cost of one thing that it does more. */
export function addedInUnits(more: readonly number[], less: readonly number[], unit: readonly number[]): number {
  if (more.length !== less.length) throw new RangeError(`${more.length} runs beside ${less.length}`);
  return median(more.map((value, at) => value - less[at]!)) / median(unit);
}

export interface Goal {
  readonly atMost: number;
  readonly met: boolean;
  /** How far from it, as a factor: 2 is twice what was wanted. */
  readonly factor: number;
}

/** A figure that is no number has met nothing. */
export function verdict(figure: number, atMost: number): Goal {
  return { atMost, met: figure <= atMost, factor: figure / atMost };
}
