import type { DataOf } from '../api/endpoints.ts';
import { type HealthMissing, type HealthReading, type MarketHealth, marketOfHealthName } from '../domain/readings.ts';
import type { Reply } from '../engine/ports.ts';

/** A staleness of more than a day is no measurement but a wrong unit or a broken counter. */
const STALE_MAX_MS = 86_400_000;

/**
 * What an answer about the markets' health says, under the names that listings use. Only our own time of receipt counts: the
 * answer's `ts` may be in seconds, milliseconds or the future.
 */
export function readHealth(reply: Reply<DataOf<'marketHealth'>>): HealthReading | HealthMissing {
  if (!reply.ok) {
    const { fault } = reply;
    // A ban is a 403 as well, but it passes, and no other key would help.
    const forbidden = (fault.status === 401 || fault.status === 403) && fault.cause !== 'ban';
    return { reason: forbidden ? 'forbidden' : 'failed', message: fault.message, at: reply.endedAt };
  }
  const markets: Record<string, MarketHealth> = {};
  for (const [name, market] of Object.entries(marketOfHealthName)) {
    const entry = field(reply.data.markets, name);
    const status = field(entry, 'status');
    if (typeof status !== 'string') continue;
    const service = field(reply.data.service, name);
    markets[market] = {
      status,
      staleMs: staleness(field(entry, 'staleMs')),
      service: typeof service === 'boolean' ? service : undefined,
    };
  }
  return { status: reply.data.status, markets, receivedAt: reply.endedAt };
}

/** The asking itself failed: health is as unknown as after a failed answer. */
export function healthBroken(error: unknown, at: number): HealthMissing {
  return { reason: 'failed', message: error instanceof Error ? error.message : String(error), at };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function staleness(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= STALE_MAX_MS ? value : undefined;
}
