import type { EpochMs } from '../domain/clock.ts';
import type { Booking } from './books.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { Order } from './orders.ts';

/** What of the truth an account is shown: the projection that the service's reads come from. */
export interface View {
  showsOrder(order: Order, now: EpochMs): boolean;
  showsBooking(booking: Booking, now: EpochMs): boolean;
  /** As of when the balance is shown. */
  balanceMoment(now: EpochMs): EpochMs;
}

export const wholeView: View = { showsOrder: () => true, showsBooking: () => true, balanceMoment: (now) => now };

/** A projection that lags as the faults say. */
export function laggingView(plan: FaultPlan): View {
  const hidden = (name: 'ordersLate' | 'transactionsLate', id: string, since: EpochMs, now: EpochMs): boolean =>
    plan.strikesFor(name, id) && now < since + plan.lasts('lag', plan.randomFor(name, id));
  const neverShown = ({ id }: Order): boolean => plan.rates.ordersNever > 0 && plan.strikesFor('ordersNever', id);
  return {
    showsOrder: (order, now) => !neverShown(order) && !hidden('ordersLate', order.id, order.createdAt, now),
    showsBooking: (booking, now) => !hidden('transactionsLate', booking.id, booking.at, now),
    balanceMoment: (now) => (plan.strikes('balanceLag') ? now - plan.lasts('lag', plan.random('balanceLag')) : now),
  };
}
