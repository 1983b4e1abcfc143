import { CENT, type Micros } from '../../domain/money.ts';
import { type Purchase, committedAmount } from '../../domain/purchase.ts';
import { foldCase } from '../../domain/text.ts';

/*
 * When a row of the service is about a purchase. Written anew and not shared with the rules of evidence: an audit that leaned on them
 * could not find them wrong.
 */

interface About {
  readonly itemId: string | undefined;
  readonly itemName: string | undefined;
}

/** The service may print in whole cents what we know to more decimals. */
export function sameToTheCent(a: Micros, b: Micros): boolean {
  return Math.abs(a - b) < CENT;
}

/** The row names the very listing. */
export function namesListing({ itemId }: About, { listingId }: Purchase): boolean {
  return itemId === listingId;
}

/** The row is about the same kind of item: its 16-hex id, or where the id is of another form, its name. */
export function isSameItem(row: About, purchase: Purchase): boolean {
  if (namesListing(row, purchase)) return true;
  if (row.itemId !== undefined && /^[0-9a-f]{16}$/i.test(row.itemId))
    return row.itemId.toLowerCase() === purchase.itemId.toLowerCase();
  return row.itemName !== undefined && foldCase(row.itemName) === foldCase(purchase.marketHashName);
}

/** Wear, as 32-bit floats. */
export function floatOf(row: { readonly float: number | undefined }, { wear }: Purchase): 'same' | 'other' | 'unsaid' {
  if (row.float === undefined || wear === undefined) return 'unsaid';
  return Math.fround(row.float) === Math.fround(wear) ? 'same' : 'other';
}

/** What was paid for a purchase, or what it was to cost. */
export function isItsDebit(amount: Micros, purchase: Purchase): boolean {
  return sameToTheCent(amount, committedAmount(purchase)) || sameToTheCent(amount, purchase.cost);
}

/** What a purchase costs, what was paid for it, or its price without the fee. */
export function isItsAmount(amount: Micros, purchase: Purchase): boolean {
  return isItsDebit(amount, purchase) || sameToTheCent(amount, purchase.priceMicros);
}

/** Accepted by the service, whatever became of it afterwards. */
export function wasBought({ state }: Pick<Purchase, 'state'>): boolean {
  return state === 'bought' || state === 'completed' || state === 'refunded';
}
