import type { EpochMs } from '../../../../src/domain/clock.ts';
import { type Micros, add, micros, sum } from '../../../../src/domain/money.ts';
import { type Random, chance, pick, seededRandom, wholeBetween } from '../../../../src/domain/random.ts';
import type { Look, OrderSeen, TransactionSeen } from '../../../../src/engine/evidence.ts';
import { NOON } from '../../../support/values.ts';
import { startBalance } from '../book.ts';
import { minute } from '../looks.ts';
import type { Attempt } from './attempts.ts';
import { type Booked, type Ordered, statusAt } from './exchange.ts';
import type { World } from './world.ts';

/** What the service shows, and what goes wrong when it is asked. Times are milliseconds since noon, by the service's clock. */
export class Service {
  readonly #world: World;
  readonly #random: Random;
  readonly #doubles: Random;
  #isBad = false;

  constructor(world: World) {
    this.#world = world;
    this.#random = seededRandom(world.seed, 'looks');
    this.#doubles = seededRandom(world.seed, 'doubles');
  }

  /** Whether what was learnt from looks is forgotten before this one. To be asked before each. */
  forgets(at: number): boolean {
    // Before the first purchase and at last everything is as it should be.
    this.#isBad = at > 0 && at < this.#world.habits.spanMs + 2 * minute;
    return this.#hit(this.#world.faults.forgets);
  }

  /** `asked`: attempts whose listing is asked about. `skipped`: those that were never made. */
  look(at: number, asked: readonly Attempt[], skipped: ReadonlySet<Attempt>): Look {
    const { faults, habits, orders, bookings } = this.#world;
    const beganAt = NOON + at + habits.aheadMs;
    const made = orders.filter(({ attempt }) => !skipped.has(attempt));
    const booked = bookings.filter(({ of }) => !skipped.has(of.attempt));
    const { rows, total } = this.#orderRows(made, NOON + at);
    const transactions = booked.filter(({ booking, shownAt }) => Math.max(shownAt, booking.at) <= NOON + at);
    const balance = this.#balance(booked, NOON + at);
    return {
      beganAt,
      endedAt: beganAt + 100,
      orders: this.#hit(faults.readFails) ? undefined : { beganAt, total, returned: rows.length, rows, unreadable: 0 },
      transactions: this.#hit(faults.readFails)
        ? undefined
        : {
            beganAt,
            total: transactions.length,
            rows: transactions.map((one) => transactionRow(one, NOON + at)),
            unreadable: 0,
          },
      balance: this.#hit(faults.readFails) ? undefined : { amount: balance, beganAt: beganAt + 60, endedAt: beganAt + 90 },
      listings: this.#hit(faults.readFails) ? new Map() : listingsAt(asked, at),
      healthyMarkets: new Set(['c5game', 'ecosteam']),
      healthUnreadable: false,
    };
  }

  #hit(probability: number): boolean {
    return this.#isBad && chance(this.#random, probability);
  }

  #orderRows(made: readonly Ordered[], at: EpochMs): { readonly rows: readonly OrderSeen[]; readonly total: number } {
    const random = this.#random;
    const { statesOdd, rowsMissing, rowsDoubled } = this.#world.faults;
    let rows = made.filter(({ shownAt }) => shownAt <= at).map((one) => orderRow(one, at));
    const total = rows.length;
    if (this.#hit(statesOdd)) {
      const odd = (row: OrderSeen): OrderSeen => ({ ...row, statusCode: chance(random, 0.5) ? 'INITIATED' : 'ARCHIVED' });
      rows = rows.map((row, index) => (index === 0 || chance(random, 0.3) ? odd(row) : row));
    }
    if (this.#hit(rowsMissing)) {
      rows = chance(random, 0.5)
        ? rows.slice(0, Math.max(0, rows.length - wholeBetween(random, 1, 3)))
        : rows.filter(() => !chance(random, 0.35));
    }
    if (this.#isBad && rows.length > 0 && chance(this.#doubles, rowsDoubled)) rows = [...rows, pick(this.#doubles, rows)];
    return { rows, total };
  }

  #balance(booked: readonly Booked[], now: EpochMs): Micros {
    const at = this.#hit(this.#world.faults.balanceLags) ? now - 1_000 - Math.round(40_000 * this.#random.next()) : now;
    return add(startBalance, sum(booked.filter(({ booking }) => booking.at <= at).map(({ booking }) => booking.amount)));
  }
}

const dated = (at: EpochMs, wholeSeconds: boolean): EpochMs => (wholeSeconds ? Math.floor(at / 1_000) * 1_000 : at);

function orderRow(one: Ordered, at: EpochMs): OrderSeen {
  const { attempt, order, namesListing, basePrice, wholeSeconds } = one;
  const { listing } = attempt;
  return {
    orderId: order.id,
    itemId: namesListing ? listing.id : listing.itemId,
    itemName: listing.name,
    amount: basePrice ? listing.priceMicros : listing.cost,
    currency: 'USD',
    statusCode: statusAt(one, at),
    statusLabel: undefined,
    timestampMs: dated(order.createdAt, wholeSeconds),
    settlementAt: undefined,
    cancelReason: undefined,
  };
}

function transactionRow({ booking, of, namesListing, wholeSeconds }: Booked, at: EpochMs): TransactionSeen {
  const { listing } = of.attempt;
  const amount = micros(Math.abs(booking.amount));
  return {
    transactionId: booking.id,
    itemId: namesListing ? listing.id : listing.itemId,
    itemName: listing.name,
    float: listing.wear,
    price: booking.kind === 'refund' ? micros(Math.min(amount, listing.priceMicros)) : listing.priceMicros,
    amount,
    type: booking.kind,
    status: booking.kind === 'refund' ? 'completed' : debitStatus(statusAt(of, at)),
    timestampMs: dated(booking.at, wholeSeconds),
  };
}

function debitStatus(code: string): string {
  if (code === 'FAILED' || code === 'REVERTED') return 'failed';
  return code === 'COMPLETED' ? 'completed' : 'pending';
}

function listingsAt(asked: readonly Attempt[], at: number): Look['listings'] {
  return new Map(
    asked.map((one) => {
      const isSold = one.executed && one.at + one.orderAfterMs <= at;
      return [one.listing.key, isSold || (one.goneAnyhow && at > one.at) ? 'gone' : 'standing'];
    }),
  );
}
