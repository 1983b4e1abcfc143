import * as fc from 'fast-check';
import { type Listing, listingKey } from '../../../src/domain/listing.ts';
import { subtract, sum } from '../../../src/domain/money.ts';
import type { Look, OrderSeen, TransactionSeen } from '../../../src/engine/evidence.ts';
import { NOON, listing } from '../../support/values.ts';
import { startBalance } from './book.ts';

/** What really became of one request of ours, and what we were told. */
export interface Attempt {
  readonly item: number;
  readonly price: number;
  /** Seconds after noon. */
  readonly at: number;
  readonly told: 'bought' | 'refused' | 'nothing';
  readonly bought: boolean;
  /** Without being bought by us: it was sold to somebody else. */
  readonly gone: boolean;
  /** Seconds until lists show it. */
  readonly lag: number;
}

/** An order that somebody else makes with our key. */
export interface Foreign {
  readonly item: number;
  readonly price: number;
  readonly at: number;
  readonly lag: number;
}

/** How the service prints things. */
export interface Habits {
  readonly ids: 'own' | 'other';
  readonly itemIds: 'item' | 'listing' | 'either' | 'neither';
  readonly amounts: 'fee' | 'base';
  /** The list shows so many of the newest orders. */
  readonly window: number;
}

export interface World {
  readonly attempts: readonly Attempt[];
  readonly foreign: readonly Foreign[];
  readonly old: number;
  readonly habits: Habits;
  /** Turns lists around, to show that their order does not matter. */
  readonly salt: number;
}

// Sixteen hex digits may all happen to be decimal ones.
const items = ['aaaaaaaaaaaaaaa0', '1111111111111110', 'ffffffffffffffff'];
const prices = [10, 20];

const place = {
  item: fc.integer({ min: 0, max: 1 }),
  price: fc.integer({ min: 0, max: 1 }),
  at: fc.integer({ min: 90, max: 400 }),
};
const lag = fc.constantFrom(0, 0, 1, 5, 20, 50);

const attempt: fc.Arbitrary<Attempt> = fc
  .record({
    ...place,
    told: fc.constantFrom('bought', 'refused', 'nothing', 'nothing'),
    bought: fc.boolean(),
    gone: fc.boolean(),
    lag,
  })
  .map((one) => ({ ...one, bought: one.told === 'bought' || one.bought }));

/**
 * Worlds in which a few requests of ours and a few look-alikes of somebody else happen at about the same time. The first attempt is
 * an ordinary purchase of another item, from which the service's habits can be learnt.
 */
export const worlds: fc.Arbitrary<World> = fc
  .record({
    attempts: fc.array(attempt, { minLength: 1, maxLength: 4 }),
    foreign: fc.array(fc.record({ ...place, lag }), { maxLength: 3 }),
    old: fc.integer({ min: 0, max: 12 }),
    habits: fc.record({
      ids: fc.constantFrom('own' as const, 'other' as const),
      itemIds: fc.constantFrom('item' as const, 'item' as const, 'listing' as const, 'either' as const, 'neither' as const),
      amounts: fc.constantFrom('fee' as const, 'base' as const),
      window: fc.constantFrom(10, 1_000),
    }),
    salt: fc.nat(),
  })
  .map((world) => ({
    ...world,
    attempts: [{ item: 2, price: 0, at: 5, told: 'bought', bought: true, gone: false, lag: 0 }, ...world.attempts],
  }));

/** An order as it really is. */
interface Made {
  readonly listing: Listing;
  readonly orderId: string;
  readonly at: number;
  readonly shownAt: number;
}

export function listingOf(index: number, one: Attempt | Foreign, whose: 'ours' | 'foreign'): Listing {
  const id = String(800_000_000 + index + (whose === 'ours' ? 0 : 500));
  const float = (whose === 'ours' ? 0.1 : 0.5) + index / 100;
  return listing({ id, itemId: items[one.item] ?? '', name: `Item ${one.item}`, price: prices[one.price] ?? 10, wear: float });
}

export const moment = (seconds: number): number => NOON + seconds * 1_000;

export function serviceOrderId(index: number): string {
  return `S-${index}`;
}

function madeBy(world: World): Made[] {
  const ours = world.attempts.flatMap((one, index) => {
    if (!one.bought) return [];
    const orderId = world.habits.ids === 'own' ? serviceOrderId(index) : `X-${index}`;
    return [{ listing: listingOf(index, one, 'ours'), orderId, at: one.at, shownAt: one.at + one.lag }];
  });
  const others = world.foreign.map((one, index) => ({
    listing: listingOf(index, one, 'foreign'),
    orderId: `F-${index}`,
    at: one.at,
    shownAt: one.at + one.lag,
  }));
  return [...ours, ...others];
}

const oldOnes = (world: World): Made[] =>
  Array.from({ length: world.old }, (_, index) => {
    const like = { item: index % 2, price: 0, at: 0, lag: 0 };
    return { listing: listingOf(index + 50, like, 'foreign'), orderId: `B-${index}`, at: -9e5 + index, shownAt: 0 };
  });

function row(habits: Habits, made: Made): OrderSeen {
  const { itemId: item, id } = made.listing;
  const itemId = { item, listing: id, either: Number(id) % 2 === 0 ? item : id, neither: undefined }[habits.itemIds];
  return {
    orderId: made.orderId,
    itemId,
    itemName: made.listing.name,
    amount: habits.amounts === 'fee' ? made.listing.cost : made.listing.priceMicros,
    currency: 'USD',
    statusCode: 'PENDING',
    statusLabel: undefined,
    timestampMs: moment(made.at),
    settlementAt: undefined,
    cancelReason: undefined,
  };
}

function booking(habits: Habits, made: Made): TransactionSeen {
  return {
    transactionId: `T-${made.orderId}`,
    itemId: habits.itemIds === 'listing' ? made.listing.id : made.listing.itemId,
    itemName: made.listing.name,
    float: Math.fround(made.listing.wear ?? 0),
    price: made.listing.priceMicros,
    amount: made.listing.cost,
    type: 'purchase',
    status: 'completed',
    timestampMs: moment(made.at),
  };
}

/** What a look at so many seconds after noon shows. The total and the balance are honest; rows may be late. */
export function lookAt(world: World, seconds: number, salt = world.salt): Look {
  const beganAt = moment(seconds);
  const made = madeBy(world).filter(({ at }) => at <= seconds);
  const shown = made.filter(({ shownAt }) => shownAt <= seconds);
  const all = [...oldOnes(world), ...shown].map((one) => row(world.habits, one));
  const bookings = [...oldOnes(world), ...shown].map((one) => booking(world.habits, one));
  const rows = shuffled(all.slice(-world.habits.window), salt + seconds);
  const listings = new Map(
    world.attempts.map((one, index) => {
      const { market, id } = listingOf(index, one, 'ours');
      const sold = (one.bought && one.at <= seconds) || one.gone;
      return [listingKey(market, id), sold ? ('gone' as const) : ('standing' as const)];
    }),
  );
  const spent = sum(made.map(({ listing: { cost } }) => cost));
  return {
    beganAt,
    endedAt: beganAt + 100,
    orders: { beganAt, total: world.old + made.length, returned: rows.length, rows, unreadable: 0 },
    transactions: { beganAt, total: bookings.length, rows: shuffled(bookings, salt), unreadable: 0 },
    balance: { amount: subtract(startBalance, spent), beganAt, endedAt: beganAt + 50 },
    listings,
    healthyMarkets: new Set(['c5game']),
    healthUnreadable: false,
  };
}

function shuffled<T>(values: readonly T[], salt: number): T[] {
  const keyed = values.map((value, index) => ({
    value,
    key: Math.imul(index + 1, 2_654_435_761) ^ Math.imul(salt + 1, 40_503 + index),
  }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}
