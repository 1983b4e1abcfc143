import type { EpochMs } from '../../../../src/domain/clock.ts';
import { CENT, type Micros, ZERO, micros, subtract } from '../../../../src/domain/money.ts';
import { type Random, chance, pick } from '../../../../src/domain/random.ts';
import type { BooksView } from '../../../../src/sandbox/audit.ts';
import { type OrderCode, type OrderEnd, type OrderStep, planOrder } from '../../../../src/sandbox/orders.ts';
import { NOON } from '../../../support/values.ts';
import type { SoldOrder } from '../../../simulation/audit/truth.ts';
import type { Attempt } from './attempts.ts';
import { type Faults, type Habits, coinOf } from './faults.ts';

/** An order as it really is, by the service's clock, and how the service shows it. */
export interface Ordered {
  readonly attempt: Attempt;
  readonly order: SoldOrder;
  /** From its start. */
  readonly way: readonly OrderStep[];
  readonly shownAt: EpochMs;
  readonly namesListing: boolean;
  readonly wholeSeconds: boolean;
  readonly basePrice: boolean;
}

/** A movement of money as it really is, and how the service shows it. */
export interface Booked {
  readonly booking: Pick<BooksView['bookings'][number], 'id' | 'kind' | 'amount' | 'at' | 'orderId'>;
  readonly of: Ordered;
  readonly shownAt: EpochMs;
  readonly namesListing: boolean;
  readonly wholeSeconds: boolean;
}

export function statusAt({ way }: Ordered, at: EpochMs): OrderCode {
  return way.findLast((step) => step.at <= at)?.code ?? 'INITIATED';
}

/** All orders that come of the attempts, and all money that moves for them. */
export function drawExchange(
  random: Random,
  attempts: readonly Attempt[],
  faults: Faults,
  habits: Habits,
): { readonly orders: Ordered[]; readonly bookings: Booked[] } {
  const orders: Ordered[] = [];
  const bookings: Booked[] = [];
  const late = (probability: number): number => (chance(random, probability) ? lagOf(random, habits) : 0);
  for (const attempt of attempts.filter(({ executed }) => executed)) {
    const of = drawOrder(random, attempt, faults, habits, late);
    orders.push(of);
    for (const { kind, amount, at } of movements(random, of, faults, habits)) {
      bookings.push({
        booking: { id: `t${bookings.length}y${tail(random)}`, kind, amount, at, orderId: of.order.id },
        of,
        shownAt: at + late(faults.bookingsLate),
        namesListing: chance(random, faults.listingIds),
        wholeSeconds: chance(random, faults.wholeSeconds),
      });
    }
  }
  return { orders, bookings };
}

/** Ids do not tell which came first. */
function tail(random: Random): string {
  return Math.floor(random.next() * 1e9).toString(16);
}

/** Short ones as likely as long ones: from a second on. */
function lagOf(random: Random, { lagMsMax }: Habits): number {
  return Math.round(1_000 * (lagMsMax / 1_000) ** random.next());
}

function drawOrder(
  random: Random,
  attempt: Attempt,
  faults: Faults,
  { times }: Habits,
  late: (probability: number) => number,
): Ordered {
  const { id: listingId, market, name, priceMicros: price } = attempt.listing;
  const id = `o${attempt.index}x${tail(random)}`;
  const createdAt = NOON + attempt.at + attempt.orderAfterMs;
  const whole: OrderStep[] = [{ code: 'INITIATED', at: createdAt }, ...planOrder(random, createdAt, times, 'completes')];
  const end = chance(random, faults.fails) ? 'fails' : chance(random, faults.reverts) ? 'reverts' : 'completes';
  const way = endedBy(random, end, whole, times);
  const code = way.at(-1)?.code ?? 'INITIATED';
  return {
    attempt,
    order: { id, market, listingId, name, price, createdAt, code, origin: 'ours' },
    way,
    shownAt: createdAt + late(faults.ordersLate),
    namesListing: chance(random, faults.listingIds),
    wholeSeconds: chance(random, faults.wholeSeconds),
    basePrice: chance(random, faults.basePrices),
  };
}

function endedBy(random: Random, end: OrderEnd, whole: readonly OrderStep[], times: Habits['times']): readonly OrderStep[] {
  if (end === 'completes') return whole;
  if (end === 'fails') {
    const kept = pick(random, [1, 2, 3]);
    return [...whole.slice(0, kept), { code: 'FAILED', at: whole[kept]!.at }];
  }
  const kept = coinOf(random)() ? 4 : 5;
  const wait = kept === 4 ? times.hold * 0.4 * random.next() : times.protection * (0.2 + random.next());
  return [...whole.slice(0, kept), { code: 'REVERTED', at: whole[kept - 1]!.at + Math.max(1, Math.round(wait)) }];
}

interface Movement {
  readonly kind: 'purchase' | 'refund';
  readonly amount: Micros;
  readonly at: EpochMs;
}

/** The debit, and what comes back. Drawn one by one, as they are booked. */
function* movements(random: Random, { attempt, order, way }: Ordered, faults: Faults, habits: Habits): Generator<Movement> {
  const { cost } = attempt.listing;
  yield { kind: 'purchase', amount: subtract(ZERO, cost), at: order.createdAt };
  if (order.code === 'COMPLETED') return;
  const afterMs = chance(random, faults.refundLate) ? lagOf(random, habits) + 1_000 : 1_000;
  const share = chance(random, faults.refundPartial) ? 0.1 + 0.8 * random.next() : 1;
  const amount = share === 1 ? cost : micros(Math.round((cost * share) / CENT) * CENT);
  if (amount === 0) return;
  const at = (way.at(-1)?.at ?? order.createdAt) + afterMs;
  yield { kind: 'refund', amount, at };
  if (chance(random, faults.refundTwice)) yield { kind: 'refund', amount, at: at + 1_000 };
}
