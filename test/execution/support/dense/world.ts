import { pick, seededRandom, wholeBetween } from '../../../../src/domain/random.ts';
import { type Attempt, drawAttempts, drawItems, drawPrices } from './attempts.ts';
import { type Booked, type Ordered, drawExchange } from './exchange.ts';
import { type Faults, type Habits, coinOf, crowdedFaults, drawFaults, drawHabits } from './faults.ts';

/** From this seed on, worlds are crowded. */
const CROWDED_FROM = 20_000;
/** From this seed on, worlds are hasty. */
const HASTY_FROM = 1_000_000;
/** In so long all purchases of a hasty world are made: several within the second to which a date may be cut. Milliseconds. */
const HASTY_SPANS = [1_000, 3_000, 10_000, 30_000];

/**
 * A world of purchases of very few items at very few prices within minutes, in which much goes wrong at once: what it takes to tell
 * them apart is met far more often than in a life. All that happens is drawn beforehand; how the service shows it is drawn look by look.
 *
 * Not in these worlds: an end of the process, so that every answer that comes is recorded and no purchase is found unanswered at a
 * start; a clock that is set, so that ours is as far from the service's at the end as it was at the beginning; and orders of anybody
 * else with the same key.
 */
export interface World {
  readonly seed: number;
  readonly faults: Faults;
  readonly habits: Habits;
  /** By the time at which each is made. */
  readonly attempts: readonly Attempt[];
  readonly orders: readonly Ordered[];
  readonly bookings: readonly Booked[];
  /** Whether we hold that nobody else buys with this key, which is true. */
  readonly dedicated: boolean;
  /** From look to look. */
  readonly reconcileMs: number;
}

/** The same for the same seed. Crowded worlds have more purchases of fewer items; hasty ones have them within seconds as well. */
export function worldOf(seed: number): World {
  const random = seededRandom(seed, 'fuzz');
  const isCrowded = seed >= CROWDED_FROM;
  const { faults: drawn, aheadMs } = drawFaults(random);
  const habits = hasty(seed, drawHabits(random, aheadMs));
  const items = drawItems(random);
  const prices = drawPrices(random, habits);
  const count = isCrowded ? wholeBetween(random, 5, 12) : wholeBetween(random, 2, 8);
  const faults = isCrowded ? crowdedFaults(random, drawn) : drawn;
  const menu = { faults, habits, items: isCrowded ? items.slice(0, 2) : items, prices };
  const attempts = drawAttempts(random, count, menu);
  const { orders, bookings } = drawExchange(random, attempts, faults, habits);
  const dedicated = coinOf(random)(0.3);
  return { seed, faults, habits, attempts, orders, bookings, dedicated, reconcileMs: pick(random, [10_000, 15_000, 30_000]) };
}

function hasty(seed: number, habits: Habits): Habits {
  return seed < HASTY_FROM ? habits : { ...habits, spanMs: pick(seededRandom(seed, 'haste'), HASTY_SPANS) };
}
