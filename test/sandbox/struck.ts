import type { ExchangeFaultRates } from '../../src/domain/exchange-fault.ts';
import { Bench, calm, type Json, type Wire } from './harness.ts';

const times = { late: [5000, 5000], lag: [5000, 5000], spell: [5000, 5000] } as const;

export function faulty(faults: Partial<ExchangeFaultRates>, options: ConstructorParameters<typeof Bench>[0] = {}): Bench {
  return new Bench({ faults, faultTimes: times, ...options });
}

/** A bench whose fault starts only after the feed was read, so that a listing to buy is at hand. */
export function withListing(
  faults: Partial<ExchangeFaultRates>,
  options: ConstructorParameters<typeof Bench>[0] = {},
): { bench: Bench; listing: Wire; key: string } {
  const bench = faulty({}, options);
  const listing = bench.cheap()[5];
  if (!listing) throw new Error('an empty market');
  bench.sandbox.setFaults({ ...calm, ...faults });
  return { bench, listing, key: `${listing.market}:${listing.id}` };
}

/** The truth about how often the listing was bought, whatever was answered. */
export function orders({ bench, key }: { bench: Bench; key: string }): number {
  return bench.sandbox.books().accepted[key] ?? 0;
}

/** Tries with ever other seeds until the condition holds: for faults that draw among several forms. */
export function someSeed<T>(make: (seed: number) => T | undefined): T {
  for (let seed = 1; seed < 200; seed++) {
    const made = make(seed);
    if (made !== undefined) return made;
  }
  throw new Error('no seed shows it');
}

export function health(bench: Bench): Record<string, string> {
  const data = bench.data('GET', '/v1/partner/market-health', { key: bench.sandbox.topLevelKey });
  return Object.fromEntries(
    Object.entries(data['markets'] as Record<string, Json>).map(([name, entry]) => [name, String(entry['status'])]),
  );
}

export function healthOver(bench: Bench): Set<string> {
  const seen = new Set<string>();
  for (let second = 0; second < 120; second++) {
    bench.pass(1000);
    for (const status of Object.values(health(bench))) seen.add(status);
  }
  return seen;
}

export function someSecond<T>(bench: Bench, look: () => T | undefined): T {
  for (let second = 0; second < 600; second++) {
    const found = look();
    if (found !== undefined) return found;
    bench.pass(1000);
  }
  throw new Error('it never happens');
}
