import { ZERO, sum } from '../../domain/money.ts';
import { attribute } from './attribution.ts';
import { followBalance } from './balance.ts';
import type { OurBooks, Shown, TheirBooks } from './books.ts';
import { comparePurchases } from './purchases.ts';
import type { AuditReport, Difference } from './report.ts';
import { compareStrangers } from './strangers.ts';

/** Differences that a report lists; the others are counted. */
const LISTED_MAX = 1_000;

/** Sentences of one kind that a report holds. */
const SENTENCES_MAX = 100;

/**
 * Holds our rows against everything that the service still shows. Pure; it changes nothing and settles nothing. Where a list of the
 * service is not whole, what it does not show proves nothing, and the report says so.
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
    notes: [...gap('list of orders', orders), ...gap('list of transactions', transactions), ...purchases.notes, ...balance.notes],
  };
}

function rowsOf<T>(list: Shown<T>): readonly T[] {
  return list.ok ? list.rows : [];
}

function gap(name: string, list: Shown<unknown>): string[] {
  if (!list.ok) return [`The ${name} could not be read (${list.why}): it was not compared.`];
  if (list.whole) return [];
  return [`The service did not show its whole ${name} (${list.rows.length} rows came): what is missing in it proves nothing.`];
}

function largestFirst(a: Difference, b: Difference): number {
  return Math.abs(b.difference) - Math.abs(a.difference) || (a.purchaseId ?? 0) - (b.purchaseId ?? 0);
}
