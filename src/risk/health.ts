import type { EpochMs } from '../domain/clock.ts';
import { type HealthMissing, type HealthReading, buyableMarkets } from '../domain/readings.ts';
import type { Refusal } from './caps.ts';

export interface HealthPolicy {
  /** off: buy whatever the health says. */
  readonly require: 'ok' | 'degraded' | 'off';
  readonly staleAfterMs: number;
}

/** Statuses that satisfy each requirement. What is not listed, an unheard-of word included, does not. */
const satisfying: Readonly<Record<'ok' | 'degraded', readonly string[]>> = { ok: ['ok'], degraded: ['ok', 'degraded'] };

/**
 * Whether a market may be bought from: its own status satisfies what is required, the whole is not down, the service flag is
 * not false, and neither the answer nor the market's own data is older than allowed. Undefined means yes.
 */
export function marketRefusal(
  market: string,
  health: HealthReading | HealthMissing | undefined,
  policy: HealthPolicy,
  now: EpochMs,
): Refusal | undefined {
  if (!(buyableMarkets as readonly string[]).includes(market)) {
    return { reason: 'market-unheard-of', detail: `"${market}" is none of ${buyableMarkets.join(', ')}` };
  }
  if (policy.require === 'off') return undefined;
  if (health === undefined) return { reason: 'health-unknown', detail: 'no answer yet' };
  if ('reason' in health) return { reason: 'health-unknown', detail: health.message };
  return readingRefusal(market, health, policy.require, policy.staleAfterMs, now);
}

function readingRefusal(
  market: string,
  health: HealthReading,
  require: 'ok' | 'degraded',
  staleAfterMs: number,
  now: EpochMs,
): Refusal | undefined {
  const age = now - health.receivedAt;
  if (age > staleAfterMs) return { reason: 'health-unknown', detail: `the last answer is ${Math.round(age / 1000)} s old` };
  if (!satisfying.degraded.includes(health.status))
    return { reason: 'health-poor', detail: `the service as a whole is "${health.status}"` };
  const own = health.markets[market];
  if (own === undefined) return { reason: 'health-unknown', detail: `the answer says nothing of ${market}` };
  if (!satisfying[require].includes(own.status))
    return { reason: 'health-poor', detail: `${market} is "${own.status}", wanted ${require}` };
  if (own.service === false) return { reason: 'health-poor', detail: `the service of ${market} is switched off` };
  if (own.staleMs === undefined || own.staleMs > staleAfterMs) {
    return {
      reason: 'health-unknown',
      detail: `the data of ${market} are ${own.staleMs === undefined ? 'of unknown age' : `${own.staleMs} ms old`}`,
    };
  }
  return undefined;
}
