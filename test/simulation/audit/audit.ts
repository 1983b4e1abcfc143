import type { BooksView } from '../../../src/sandbox/audit.ts';
import type { Plan } from '../plan.ts';
import { type Violation, violation } from '../violation.ts';
import type { Lived } from '../lived.ts';
import { forgotten, undetected } from './beyond.ts';
import { overlooked } from './restored.ts';
import { type Trust, capViolations } from './caps.ts';
import { finalViolations } from './final.ts';
import { haltViolations } from './halts.ts';
import { type PurchaseRow, readRows } from './rows.ts';
import { secretViolations } from './secrets.ts';
import { timelineOf } from './timeline.ts';
import { type Truth, soldTwice, truthOf } from './truth.ts';
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
      ...wireViolations(door.posts, truth, plan, { purchases: rows.purchases, restored: lived.restored }),
      ...overlooked(rows, truth, lived),
      ...soldTwice(truth),
      ...capViolations(rows, truth, (row) => lived.rules.of(row), trustIn(plan)),
      ...reserveViolations(books, truth, rows.purchases, plan),
      ...haltViolations({ rows, truth, posts: door.posts, log: lived.log, plan, refusalsInRow: greatest(lived) }),
      ...(plan.kind === 'safety' ? [] : undetected(rows, truth, plan)),
      ...secretViolations(lived),
    ],
  };
}

function greatest({ rules }: Lived): number {
  return Math.max(...rules.ever.map(({ limits }) => limits.refusalsInRow));
}

/** A cache on the way may give an old list for so long. */
const CACHED_MS = 60_000;

export function trustIn({ kind, faults, faultTimes, clockSteps }: Plan): Trust {
  const isOn = (name: keyof Plan['faults']): boolean => (faults[name] ?? 0) > 0;
  const hides = isOn('buyRefusedYetBought') && (isOn('ordersLate') || isOn('ordersNever'));
  // The moment of a look is by the clock of the process.
  const hiddenMs = clockSteps.length > 0 || isOn('ordersNever') ? Infinity : faultTimes.lag[1] + CACHED_MS;
  const isSafe = kind === 'safety';
  return {
    hiddenMs: hides ? hiddenMs : 0,
    asAgreed: isSafe,
    singly: isSafe || (faults.buyTwice === undefined && faults.foreignBuyer === undefined),
  };
}

/** A balance counts for a minute, and may lack what was debited for as long as it lags: what nobody here agreed to is known then. */
const UNKNOWN_DEBIT_MS = 10 * 60_000;

/** What is never to be spent is never spent; beyond our assumptions by what was known, since debits that nobody here agreed to may not have been. */
export function reserveViolations(
  books: Pick<BooksView, 'bookings' | 'orders'>,
  truth: Truth,
  purchases: readonly PurchaseRow[],
  { bot, kind }: Pick<Plan, 'bot' | 'kind'>,
): Violation[] {
  const reserve = bot.limits.reserve * 1_000_000;
  const agreed = new Map(purchases.map(({ id, cost }) => [truth.sold.get(id)?.order.id ?? null, cost]));
  const debits = books.bookings.filter((booking) => booking.kind === 'purchase');
  return debits.flatMap(({ at, orderId, balanceAfter }) => {
    if (kind === 'beyond' && !agreed.has(orderId)) return [];
    const recent = kind === 'beyond' ? debits.filter((one) => one.at <= at && at - one.at <= UNKNOWN_DEBIT_MS) : [];
    const unknown = recent.reduce((sum, one) => sum + Math.max(0, Math.abs(one.amount) - (agreed.get(one.orderId) ?? 0)), 0);
    if (balanceAfter + unknown >= reserve) return [];
    const order = books.orders.find(({ id }) => id === orderId);
    const listing = order && `${order.market}:${order.listingId}`;
    const detail = `the balance fell to ${balanceAfter} of ${reserve} that are never to be spent`;
    return [violation('reserve', detail, { at, listing })];
  });
}
