import { UNMEASURED_MS, legMs, quantile } from '../../domain/latency.ts';
import type { Random } from '../../domain/random.ts';
import type { Attempt } from '../inputs.ts';

/** How long a buy takes from its decision to its answer. */
export interface LatencyModel {
  /** given: by whoever asks. measured: what our own buys took. assumed: nobody has said and none was measured. */
  readonly source: 'given' | 'measured' | 'assumed';
  /** Milliseconds, rising; each as likely as any other. */
  readonly sorted: readonly number[];
}

/** Fewer of our own tell too little of how slow the slow ones are. */
const MEASURED_MIN = 20;

export function latencyModel(givenMs: number | undefined, attempts: readonly Attempt[]): LatencyModel {
  if (givenMs !== undefined) return { source: 'given', sorted: [givenMs] };
  const measured = attempts.flatMap(({ timings }) => legMs(timings, { from: 'decided', to: 'answered' }) ?? []);
  if (measured.length < MEASURED_MIN) return { source: 'assumed', sorted: [UNMEASURED_MS] };
  return { source: 'measured', sorted: measured.toSorted((a, b) => a - b) };
}

/** One that may be, as likely as it was. */
export function drawLatency({ sorted }: LatencyModel, random: Random): number {
  return sorted[Math.floor(random.next() * sorted.length)] ?? UNMEASURED_MS;
}

/** The median, or another share. */
export function latencyAt({ sorted }: LatencyModel, share = 0.5): number {
  return quantile(sorted, share) ?? UNMEASURED_MS;
}
