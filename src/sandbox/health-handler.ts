import { buyableMarkets, marketOfHealthName } from '../domain/readings.ts';
import type { Random } from '../domain/random.ts';
import type { Call } from './api.ts';
import type { HealthStatus } from './health.ts';

/** GET /v1/partner/market-health, with two workers a market. */
export function marketHealth({ exchange, now, random }: Call<'marketHealth'>): unknown {
  const names = Object.keys(marketOfHealthName);
  const states = names.map((name) => exchange.health.of(marketOfHealthName[name] ?? buyableMarkets[0], now));
  const markets = Object.fromEntries(
    names.map((name, at) => [name, entry(name, states[at]?.status ?? 'ok', now - (states[at]?.since ?? now), now, random)]),
  );
  const service = Object.fromEntries(names.map((name, at) => [name, states[at]?.status !== 'down']));
  return { status: exchange.health.overall(now), ts: now, markets, service };
}

/** How old a market's data is, milliseconds: it grows while the market is down. */
function staleness(status: HealthStatus, badFor: number, random: Random): number {
  const usual = 50 + Math.floor(random.next() * 900);
  if (status === 'ok') return usual;
  return status === 'degraded' ? 3000 + 8 * usual : 20_000 + badFor;
}

function entry(name: string, status: HealthStatus, badFor: number, now: number, random: Random): unknown {
  const queue = `buy.${name}`;
  const workers = [1, 2].map((number) => {
    const well = status === 'ok' || (status === 'degraded' && number === 1);
    const ageMs = well ? Math.floor(random.next() * 2000) : 15_000 + badFor;
    const heartbeat = { ts: now - ageMs, ageMs, balanceUsd: 5000 };
    const gone = status === 'down' && number === 2;
    const word = well ? 'ok' : gone ? 'no-consumer' : 'stale-heartbeat';
    return {
      workerId: `${name}-${number}`,
      queue,
      consumerCount: gone ? 0 : 1,
      heartbeat: gone ? null : heartbeat,
      status: word,
    };
  });
  return {
    status,
    staleMs: staleness(status, badFor, random),
    commonQueue: queue,
    commonConsumers: status === 'down' ? 1 : 2,
    workers,
  };
}
