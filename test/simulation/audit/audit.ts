import type { BooksView } from '../../../src/sandbox/audit.ts';
import type { Plan } from '../plan.ts';
import { type Violation, violation } from '../violation.ts';
import type { Lived } from '../lived.ts';
import { forgotten, undetected } from './beyond.ts';
import { overlooked } from './restored.ts';
import { type Trust, capViolations } from './caps.ts';
import { finalViolations } from './final.ts';
import { readRows } from './rows.ts';
import { timelineOf } from './timeline.ts';
import { soldTwice, truthOf } from './truth.ts';
import { wireViolations } from './wire.ts';

export interface Audit {
  readonly violations: readonly Violation[];
  /** Orders of the exchange that something is still to come of. */
  readonly pending: number;
  readonly states: Readonly<Record<string, number>>;
  timeline(about: Pick<Violation, 'listing' | 'purchaseId'>): readonly string[];
}

/** The end of a life, or how far it is from it. */
export function auditEnd(lived: Lived): Audit {
  if (!lived.storage.exists) return { violations: [], pending: 1, states: {}, timeline: () => [] };
  const books = lived.books();
  const rows = lived.storage.read(readRows);
  const truth = truthOf(books, rows.purchases);
  const states: Record<string, number> = {};
  for (const { state } of rows.purchases) states[state] = (states[state] ?? 0) + 1;
  return {
    violations: lived.plan.kind === 'safety' ? finalViolations(rows, truth, lived.plan) : forgotten(rows, truth),
    pending: [...truth.ours.values()].flat().filter(({ final }) => !final).length,
    states,
    timeline: (about) => timelineOf(lived, rows, books, about),
  };
}

/** Every instant of a life that is over. */
export function auditHistory(lived: Lived): { readonly violations: readonly Violation[] } {
  const { plan, door } = lived;
  const books = lived.books();
  const rows = lived.storage.read(readRows);
  const truth = truthOf(books, rows.purchases);
  return {
    violations: [
      ...wireViolations(door.posts, truth, plan, lived.restored),
      ...overlooked(rows, truth, lived),
      ...soldTwice(truth),
      ...capViolations(rows, truth, (row) => lived.rules.of(row), trustIn(plan)),
      ...(plan.kind === 'safety' ? reserveViolations(books, plan.bot.limits.reserve) : undetected(rows, truth, door.posts, plan)),
    ],
  };
}

function trustIn({ kind, faults }: Plan): Trust {
  if (kind === 'beyond') return 'own knowledge';
  return faults.buyRefusedYetBought && (faults.ordersLate || faults.ordersNever) ? 'no refusals' : 'everything';
}

/** What is never to be spent is never spent. */
function reserveViolations(books: BooksView, reserve: number): Violation[] {
  return books.bookings
    .filter(({ kind, balanceAfter }) => kind === 'purchase' && balanceAfter < reserve * 1_000_000)
    .map(({ at, balanceAfter, orderId }) => {
      const order = books.orders.find(({ id }) => id === orderId);
      const listing = order && `${order.market}:${order.listingId}`;
      return violation('reserve', `the balance fell to ${balanceAfter} of ${reserve * 1_000_000} that are never to be spent`, {
        at,
        listing,
      });
    });
}
