import { UNMEASURED_MS, legMs, quantile } from '../../domain/latency.ts';
import type { Timings } from '../../domain/outcome.ts';
import type { BuyLatency } from '../../domain/shadow.ts';

/** So many of our buys in a hundred were no slower than what is taken for the latency of one. */
const SHARE = 0.9;

/**
 * How long a buy lasts from its decision to its answer: what the configuration says, else what nine in ten of our own lasted at most,
 * else a guess that says so.
 */
export function buyLatency(configuredMs: number | undefined, live: readonly Timings[]): BuyLatency {
  if (configuredMs !== undefined) return { ms: configuredMs, measuredOn: undefined };
  const lasted = live.flatMap((timings) => legMs(timings, { from: 'decided', to: 'answered' }) ?? []).toSorted((a, b) => a - b);
  const ms = quantile(lasted, SHARE);
  return ms === undefined ? { ms: UNMEASURED_MS, measuredOn: undefined } : { ms, measuredOn: lasted.length };
}
