import { CENT, MICROS_PER_DOLLAR, type Micros, micros } from '../../../../src/domain/money.ts';
import type { Listing } from '../../../../src/domain/listing.ts';
import { type Random, chance, pick, wholeBetween } from '../../../../src/domain/random.ts';
import { listing } from '../../../support/values.ts';
import { type Faults, type Habits, coinOf } from './faults.ts';

/** A buy that is going to be asked for, and what becomes of it. Times in milliseconds; `at` since noon, by the service's clock. */
export interface Attempt {
  readonly index: number;
  readonly listing: Listing;
  readonly at: number;
  readonly answerAfterMs: number;
  readonly told: 'bought' | 'refused' | 'unknown';
  readonly executed: boolean;
  /** From the request to its order, where there is one. */
  readonly orderAfterMs: number;
  /** Somebody else buys the listing unless we do. */
  readonly goneAnyhow: boolean;
  /** The refused one of the same listing that it follows; it is not made unless that refusal is confirmed. */
  readonly retryOf: Attempt | undefined;
}

interface Item {
  readonly itemId: string;
  readonly name: string;
  readonly hasWear: boolean;
}

const cents = (dollars: number): number => Math.round(dollars * 100) / 100;

/** Whole cents, as the service charges them. */
function withFee(price: number, { feeRate }: Habits): Micros {
  return micros(Math.round(price * (1 + feeRate) * 100) * CENT);
}

export function drawItems(random: Random): Item[] {
  return Array.from({ length: wholeBetween(random, 1, 3) }, (_, index) => ({
    itemId: `aaaaaaaaaaaaaaa${index}`,
    name: `Item ${index}`,
    hasWear: !chance(random, 0.4),
  }));
}

/** Few prices that are easily taken for one another: the same, a cent apart, one that is another's with its fee. */
export function drawPrices(random: Random, { feeRate }: Habits): number[] {
  const base = 1 + Math.round(random.next() * 900) / 100;
  return [base, base, base, base * (1 + feeRate), base + 0.01, base - 0.01, Math.round(base * 105) / 100, base * 3].map(cents);
}

interface Menu {
  readonly faults: Faults;
  readonly habits: Habits;
  readonly items: readonly Item[];
  readonly prices: readonly number[];
}

/** So many purchases that look alike, between two ordinary ones of other items from which the service's habits can be learnt. */
export function drawAttempts(random: Random, count: number, menu: Menu): Attempt[] {
  const alike = Array.from({ length: count }, (_, index) => drawAttempt(random, index, menu)).sort((a, b) => a.at - b.at);
  const { spanMs } = menu.habits;
  return withRetries(random, [ordinary(90, 0, menu), ...alike, ordinary(91, spanMs + 180_000, menu)], menu);
}

function drawAttempt(random: Random, index: number, { faults, habits, items, prices }: Menu): Attempt {
  const item = pick(random, items);
  const price = pick(random, prices);
  const at = Math.round(random.next() * habits.spanMs);
  const kind = random.next();
  const told = kind < faults.unknown ? 'unknown' : kind < faults.unknown + faults.refused ? 'refused' : 'bought';
  const executed = told === 'bought' || chance(random, told === 'unknown' ? faults.unknownBought : faults.refusedYetBought);
  const isLate = told === 'unknown' && executed && chance(random, faults.late);
  const orderAfterMs = isLate ? Math.round(500 * 80 ** random.next()) : 20;
  const isTimeout = told === 'unknown' && chance(random, 0.5);
  const answerAfterMs = Math.round(50 + (isTimeout ? 10_000 : 3_000 * random.next() ** 3));
  const market = pick(random, ['c5game', 'ecosteam']);
  const wear = item.hasWear ? Math.round(random.next() * 1e9) / 1e9 : undefined;
  const offer = offerOf({ id: String(800_000_000 + index), market, itemId: item.itemId, name: item.name, wear }, price, habits);
  const goneAnyhow = chance(random, 0.5);
  return { index, listing: offer, at, answerAfterMs, told, executed, orderAfterMs, goneAnyhow, retryOf: undefined };
}

function ordinary(index: number, at: number, { habits }: Menu): Attempt {
  const item = { itemId: `fffffffffffffff${index - 90}`, name: `Ordinary ${index}`, wear: 0.5 + index / 1_000 };
  return {
    index,
    listing: offerOf({ id: String(900_000_000 + index), market: 'c5game', ...item }, 33, habits),
    at,
    answerAfterMs: 300,
    told: 'bought',
    executed: true,
    orderAfterMs: 20,
    goneAnyhow: true,
    retryOf: undefined,
  };
}

type Thing = Pick<Listing, 'id' | 'market' | 'itemId' | 'name' | 'wear'>;

function offerOf({ id, market, itemId, name, wear }: Thing, price: number, habits: Habits): Listing {
  return listing({ id, market, itemId, name, wear, price, priceWithFee: withFee(price, habits) / MICROS_PER_DOLLAR });
}

/** Some of what was refused is tried again a minute later or more, at the same price or another. */
function withRetries(random: Random, attempts: readonly Attempt[], { habits }: Menu): Attempt[] {
  const retried = new Set<Attempt>();
  const all: Attempt[] = [];
  for (const one of attempts) {
    const before = all.find((other) => other.told === 'refused' && other.at + 60_000 < one.at && !retried.has(other));
    if (before === undefined || !chance(random, 0.3)) {
      all.push(one);
      continue;
    }
    retried.add(before);
    const { price } = coinOf(random)() ? before.listing : one.listing;
    const again = { ...one, listing: offerOf(before.listing, price, habits), retryOf: before };
    // What was sold is not to be had again.
    const told = one.told === 'bought' ? 'refused' : one.told;
    all.push(before.executed ? { ...again, executed: false, told } : again);
  }
  return all;
}
