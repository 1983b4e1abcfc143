import type { EpochMs } from './clock.ts';

/** An earlier run whose steady clock had fallen behind the wall: the machine slept, or its clock was set ahead. */
export interface SlowRun {
  /** Its rows, and those of the runs before it, bear earlier times than this. */
  readonly before: EpochMs;
  /** How far it had fallen behind at most, milliseconds. */
  readonly ms: number;
}

/** By how much the rows of earlier runs may seem older than they are. */
export interface Lags {
  /** When this run began: nothing that an earlier one has written can be younger. */
  readonly startedAt: EpochMs;
  /** Oldest first. */
  readonly slow: readonly SlowRun[];
}

export const noLags: Lags = { startedAt: Number.MIN_SAFE_INTEGER, slow: [] };

/**
 * Rows with later times than this are all that may have been written since then. A window that reaches back into slow runs grows by as
 * much as their rows may be too old: longer, never shorter. One that lies within this run is as long as it is called.
 */
export function windowStart(since: EpochMs, { startedAt, slow }: Lags): EpochMs {
  if (since >= startedAt) return since;
  return slow.reduceRight((from, { before, ms }) => (from - ms < before ? from - ms : from), since);
}

/** The latest moment of this run's time at which something may have happened that bears such a time. */
export function latestTime(at: EpochMs, { startedAt, slow }: Lags): EpochMs {
  if (at >= startedAt) return at;
  const late = slow.reduce((sum, { before, ms }) => (at < before ? sum + ms : sum), at);
  return Math.max(at, Math.min(late, startedAt));
}
