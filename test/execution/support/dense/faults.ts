import { type Random, chance, pick } from '../../../../src/domain/random.ts';
import type { OrderTimes } from '../../../../src/sandbox/orders.ts';

const SECOND = 1_000;

/** How often each thing goes wrong in one world: probabilities, of which about half are 0. */
export interface Faults {
  /** The answer of a buy is lost; of those, so many were executed. */
  readonly unknown: number;
  readonly unknownBought: number;
  /** A buy is refused; of those, so many were executed all the same. */
  readonly refused: number;
  readonly refusedYetBought: number;
  /** An order whose answer was lost is made only up to 40 seconds later. */
  readonly late: number;
  /** An order, or a transaction, is shown late. */
  readonly ordersLate: number;
  readonly bookingsLate: number;
  /** A row names the listing instead of the item, is dated to whole seconds, shows the price without the fee. */
  readonly listingIds: number;
  readonly wholeSeconds: number;
  readonly basePrices: number;
  /** A look lacks some orders, has one twice, or has states that are not true of them. */
  readonly rowsMissing: number;
  readonly rowsDoubled: number;
  readonly statesOdd: number;
  readonly fails: number;
  readonly reverts: number;
  /** Money comes back late, in part, or twice. */
  readonly refundLate: number;
  readonly refundPartial: number;
  readonly refundTwice: number;
  /** A list, the balance or the listings cannot be read. */
  readonly readFails: number;
  /** What was learnt of the service from look to look is forgotten. */
  readonly forgets: number;
  /** A balance is up to 40 seconds old. */
  readonly balanceLags: number;
}

/** What all of a world has in common. Times in milliseconds. */
export interface Habits {
  /** So far our clock is ahead of the service's. */
  readonly aheadMs: number;
  readonly lagMsMax: number;
  readonly feeRate: number;
  readonly times: OrderTimes;
  /** In this long all purchases are made that look alike. */
  readonly spanMs: number;
}

/** True so often; a half where nothing is said. */
export type Coin = (probability?: number) => boolean;

export const coinOf =
  (random: Random): Coin =>
  (probability = 0.5) =>
    chance(random, probability);

/** The faults of a world, and how far clocks are apart in it. */
export function drawFaults(random: Random): { readonly faults: Faults; readonly aheadMs: number } {
  const on = coinOf(random);
  const rate = (low: number, high: number): number => (on() ? low * (high / low) ** random.next() : 0);
  const faults = {
    unknown: 0.1 + 0.4 * random.next(),
    unknownBought: random.next(),
    refused: 0.3 * random.next(),
    late: rate(0.1, 0.4),
    refusedYetBought: rate(0.05, 0.4),
    ordersLate: rate(0.1, 0.6),
    bookingsLate: rate(0.1, 0.6),
    listingIds: rate(0.1, 0.9),
    wholeSeconds: rate(0.1, 0.9),
    basePrices: rate(0.1, 0.9),
    rowsMissing: rate(0.03, 0.3),
    rowsDoubled: rate(0.03, 0.3),
    statesOdd: rate(0.03, 0.2),
    fails: rate(0.05, 0.5),
    reverts: rate(0.05, 0.5),
    refundLate: rate(0.2, 0.9),
    refundPartial: rate(0.1, 0.6),
    refundTwice: rate(0.1, 0.5),
    readFails: rate(0.05, 0.3),
    forgets: rate(0.02, 0.2),
    balanceLags: rate(0.02, 0.2),
  };
  return { faults, aheadMs: on(0.15) ? Math.round((random.next() - 0.5) * 240_000) : 0 };
}

export function drawHabits(random: Random, aheadMs: number): Habits {
  const on = coinOf(random);
  const lagMsMax = pick(random, [5_000, 20_000, 50_000, on(0.4) ? 300_000 : 50_000]);
  const feeRate = pick(random, [0, 0.025, 0.05, 0.1]);
  const slow = 10 ** random.next();
  const times = { initiated: 2_000, pending: 3_000, active: 6_000, hold: 15_000, protection: 30_000 };
  return {
    aheadMs,
    lagMsMax,
    feeRate,
    times: {
      initiated: times.initiated * slow,
      pending: times.pending * slow,
      active: times.active * slow,
      hold: times.hold * slow,
      protection: times.protection * slow,
    },
    spanMs: pick(random, [60, 300, 900]) * SECOND,
  };
}

/** Where much goes wrong at once: answers are lost, orders fail and money comes back in part. */
export function crowdedFaults(random: Random, faults: Faults): Faults {
  const on = coinOf(random);
  const fails = on(0.7) ? 0.5 * random.next() : faults.fails;
  const refundPartial = on() ? 0.5 * random.next() : faults.refundPartial;
  return { ...faults, fails, refundPartial, unknown: 0.3 + 0.4 * random.next() };
}
