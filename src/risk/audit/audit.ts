import { ZERO, sum } from '../../domain/money.ts';
import { attribute } from './attribution.ts';
import { followBalance } from './balance.ts';
import type { OurBooks, Shown, TheirBooks } from './books.ts';
import { comparePurchases } from './purchases.ts';
import type { AuditReport, Difference, Unread } from './report.ts';
import { compareStrangers } from './strangers.ts';

/** Differences that a report lists; the others are counted. */
const LISTED_MAX = 1_000;

/** Sentences of one kind that a report holds. */
const SENTENCES_MAX = 100;

/**
 * Holds our rows against everything that the service still shows. Pure; it changes nothing and settles nothing. Where a list of the
 * service is not whole, what it does not show proves nothing, and the report says so. What could not be read is no agreement.
 */
export function audit(ours: OurBooks, theirs: TheirBooks): AuditReport {
  const { orders, transactions, movements } = theirs;
  const attributed = attribute(ours, rowsOf(orders), rowsOf(transactions));
  const purchases = comparePurchases(ours.purchases, theirs, attributed);
  const strangers = compareStrangers(ours, theirs, attributed);
  const balance = followBalance(ours, theirs, purchases, strangers);
  const all = [...purchases.differences, ...strangers.differences, ...balance.differences].sort(largestFirst);
  return {
    at: ours.readAt,
    compared: {
      purchases: ours.purchases.length,
      orders: rowsOf(orders).length,
      transactions: rowsOf(transactions).length,
      movements: rowsOf(movements).length,
    },
    differences: all.slice(0, LISTED_MAX),
    more: Math.max(0, all.length - LISTED_MAX),
    total: all.length === 0 ? ZERO : sum(all.map(({ difference }) => difference)),
    others: { ...strangers.others, adopted: strangers.others.adopted.slice(0, SENTENCES_MAX) },
    balance: balance.statement,
    awaited: purchases.awaited.slice(0, SENTENCES_MAX),
    unread: [...unreadOf(theirs), ...purchases.unread],
    uncompared: purchases.uncompared,
    notes: [...gap('list of orders', orders), ...gap('list of transactions', transactions), ...purchases.notes, ...balance.notes],
  };
}

function rowsOf<T>(list: Shown<T>): readonly T[] {
  return list.ok ? list.rows : [];
}

function unreadOf({ orders, transactions, movements, balance }: TheirBooks): Unread[] {
  const lists = { orders, transactions, ledger: movements } as const;
  return [
    ...Object.entries(lists).flatMap(([part, list]) => unreadList(part as keyof typeof lists, list)),
    ...(balance.ok ? [] : [{ part: 'balance', partly: false, why: balance.why } as const]),
  ];
}

/** A form that nobody has documented is the nature of the service: trying again does not help. */
function unreadList(part: Unread['part'], list: Shown<unknown>): Unread[] {
  if (!list.ok) return list.odd ? [] : [{ part, partly: false, why: list.why }];
  return list.unread === undefined ? [] : [{ part, partly: true, why: list.unread }];
}

/** A list that the service itself has cut: that is its nature, and no failure. */
function gap(name: string, list: Shown<unknown>): string[] {
  if (!list.ok || list.whole || list.unread !== undefined) return [];
  return [`The service did not show its whole ${name} (${list.rows.length} rows came): what is missing in it proves nothing.`];
}

function largestFirst(a: Difference, b: Difference): number {
  return Math.abs(b.difference) - Math.abs(a.difference) || (a.purchaseId ?? 0) - (b.purchaseId ?? 0);
}
