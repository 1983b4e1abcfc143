import { micros, type Micros } from '../domain/money.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { OrderEnd } from './orders.ts';

/** What the market core asks about the fate of an order. Always the same answer for the same order. */
export interface Twists {
  orderEnd(orderId: string): OrderEnd;
  /** What is debited for an order that should cost `cost`. */
  debit(orderId: string, cost: Micros): Micros;
  /** When which parts of what was paid come back, milliseconds after the order failed. */
  refunds(orderId: string, paid: Micros): readonly RefundPart[];
  buysTwice(orderId: string): boolean;
  /** Milliseconds after which another client buys a look-alike; undefined: none does. */
  foreignBuyAfter(orderId: string): number | undefined;
}

export interface RefundPart {
  readonly afterMs: number;
  readonly amount: Micros;
}

/** Refunds come a moment after the failure even when nothing is wrong. */
const REFUND_MS = 1000;

export function twistsOf(plan: FaultPlan): Twists {
  return {
    orderEnd: (id) =>
      plan.strikesFor('orderFails', id) ? 'fails' : plan.strikesFor('orderReverts', id) ? 'reverts' : 'completes',
    debit: (id, cost) => (plan.strikesFor('feeDrift', id) ? drifted(cost, second(plan, 'feeDrift', id)) : cost),
    refunds: (id, paid) => refundParts(plan, id, paid),
    buysTwice: (id) => plan.strikesFor('buyTwice', id),
    foreignBuyAfter: (id) =>
      plan.strikesFor('foreignBuyer', id) ? Math.round(3000 * second(plan, 'foreignBuyer', id)) : undefined,
  };
}

/** The draw after the one that decided whether the fault strikes. */
function second(plan: FaultPlan, name: 'feeDrift' | 'foreignBuyer' | 'refundPartial', id: string): number {
  const random = plan.randomFor(name, id);
  random.next();
  return random.next();
}

function drifted(cost: Micros, draw: number): Micros {
  return micros(Math.round(cost * (1.005 + 0.025 * draw)));
}

function refundParts(plan: FaultPlan, id: string, paid: Micros): RefundPart[] {
  if (plan.strikesFor('refundNever', id)) return [];
  const late = plan.strikesFor('refundLate', id);
  const afterMs = late ? plan.lasts('lag', plan.randomFor('refundLate', id)) + REFUND_MS : REFUND_MS;
  const share = plan.strikesFor('refundPartial', id) ? 0.1 + 0.8 * second(plan, 'refundPartial', id) : 1;
  const part = { afterMs, amount: micros(Math.round((paid * share) / 10_000) * 10_000) };
  const whole = share === 1 ? { afterMs, amount: paid } : part;
  return plan.strikesFor('refundTwice', id) ? [whole, { ...whole, afterMs: afterMs + REFUND_MS }] : [whole];
}
