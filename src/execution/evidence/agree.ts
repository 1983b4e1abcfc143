import { CENT, type Micros } from '../../domain/money.ts';
import type { Purchase } from '../../domain/purchase.ts';
import { foldCase } from '../../domain/text.ts';
import type { OrderSeen, TransactionSeen } from '../../engine/evidence.ts';
import { TOLERANCE } from './policy.ts';

/**
 * How an order row fits a purchase, strongest first.
 * reference: the row bears an id that the service's answer named. listing: it names the listing itself. item: the same item, at
 * exactly the amount. near: the same item, at an amount that a changed fee could explain. other: an id of unheard-of form, with
 * the exact amount. Nothing fits by name alone.
 */
export type Fit = 'reference' | 'listing' | 'item' | 'near' | 'other';

const HEX_ITEM = /^[0-9a-f]{16}$/i;
const DIGITS = /^\d+$/;

/** `numbersAreListings`: a row of our own has shown that numeric item ids are listing ids, so another number is another listing. */
export function fitOf(purchase: Purchase, row: OrderSeen, numbersAreListings: boolean): Fit | undefined {
  if (purchase.upstreamOrderId !== undefined && row.orderId === purchase.upstreamOrderId) return 'reference';
  const item = itemAgrees(purchase, row, numbersAreListings);
  if (item === 'listing') return 'listing';
  if (item === 'other' || !isDollars(row.currency)) return undefined;
  const amount = amountAgrees(purchase, row.amount);
  if (amount === undefined) return undefined;
  if (item === 'item') return amount === 'exact' ? 'item' : 'near';
  return amount === 'exact' ? 'other' : undefined;
}

/** Why a transaction shows that exactly this purchase was debited; undefined when it does not show it. */
export function provesDebit(
  purchase: Purchase,
  row: TransactionSeen,
  numbersAreListings: boolean,
): 'listing' | 'float' | undefined {
  if (row.type !== 'purchase') return undefined;
  const item = itemAgrees(purchase, row, numbersAreListings);
  if (item === 'listing') return 'listing';
  if (item === 'other' || floatAgrees(purchase, row) !== 'same') return undefined;
  return item === 'item' || debitAgrees(purchase, row) ? 'float' : undefined;
}

/** A transaction of whatever kind names the listing, or shows the wear of its item. */
export function isNamedBy(purchase: Purchase, row: TransactionSeen, numbersAreListings: boolean): boolean {
  const item = itemAgrees(purchase, row, numbersAreListings);
  return item === 'listing' || (item !== 'other' && floatAgrees(purchase, row) === 'same');
}

/** A transaction of the same item and exactly the amount: it may be this purchase's debit. */
export function mayBeDebit(purchase: Purchase, row: TransactionSeen, numbersAreListings: boolean): boolean {
  if (row.type !== 'purchase') return false;
  const item = itemAgrees(purchase, row, numbersAreListings);
  return item === 'listing' || (item !== 'other' && debitAgrees(purchase, row));
}

/**
 * listing: names the listing. item: names the item by its 16-hex id. unheard: an id that cannot be held against either, and a
 * name that does not contradict. other: another item or listing.
 */
export function itemAgrees(
  purchase: Purchase,
  row: { readonly itemId: string | undefined; readonly itemName: string | undefined },
  numbersAreListings: boolean,
): 'listing' | 'item' | 'unheard' | 'other' {
  const id = row.itemId?.trim();
  // First: sixteen hex digits may all happen to be decimal ones.
  if (id?.toLowerCase() === purchase.itemId.toLowerCase()) return 'item';
  if (id !== undefined && DIGITS.test(id)) {
    if (id === purchase.listingId) return 'listing';
    if (numbersAreListings) return 'other';
  }
  if (id !== undefined && HEX_ITEM.test(id)) return 'other';
  if (row.itemName !== undefined && foldCase(row.itemName) !== foldCase(purchase.marketHashName)) return 'other';
  return 'unheard';
}

/** Wear as a 32-bit float, the way the service prints it. A mismatch alone disproves nothing. */
export function floatAgrees(purchase: Purchase, row: TransactionSeen): 'same' | 'differs' | 'unsaid' {
  if (row.float === undefined || purchase.wear === undefined) return 'unsaid';
  return Math.fround(row.float) === Math.fround(purchase.wear) ? 'same' : 'differs';
}

/** Whether an amount is what the purchase costs (or its base price), or what it could cost after a change of the fee. */
export function amountAgrees(purchase: Purchase, amount: Micros): 'exact' | 'near' | undefined {
  if (sameToTheCent(amount, purchase.cost) || sameToTheCent(amount, purchase.priceMicros)) return 'exact';
  const low = purchase.priceMicros - TOLERANCE;
  const high = purchase.cost + purchase.cost / 10 + TOLERANCE;
  return amount >= low && amount <= high ? 'near' : undefined;
}

function debitAgrees(purchase: Purchase, row: TransactionSeen): boolean {
  if (amountAgrees(purchase, row.amount) === 'exact') return true;
  return row.price !== undefined && amountAgrees(purchase, row.price) === 'exact';
}

/** A transaction shows both amounts, and both are this purchase's. */
export function agreesInBoth(purchase: Purchase, { amount, price }: TransactionSeen): boolean {
  return price !== undefined && sameToTheCent(price, purchase.priceMicros) && sameToTheCent(amount, purchase.cost);
}

/** Equal, or equal once an amount with more decimals is printed in whole cents. */
function sameToTheCent(shown: Micros, expected: Micros): boolean {
  if (shown === expected) return true;
  return shown % CENT === 0 && expected % CENT !== 0 && Math.abs(shown - expected) < CENT;
}

/** What was debited is what the purchase was to cost. */
export function isDebitAsExpected({ paid, cost }: Purchase): boolean {
  return paid !== undefined && sameToTheCent(paid, cost);
}

/** Whether an amount is the price without the fee, and so no debit. */
export function isBasePrice(purchase: Purchase, amount: Micros): boolean {
  return sameToTheCent(amount, purchase.priceMicros) && !sameToTheCent(amount, purchase.cost);
}

/** Amounts in another currency are no numbers to compare; a missing one is the account's own. */
export function isDollars(currency: string | undefined): boolean {
  return currency === undefined || currency.trim().toUpperCase() === 'USD';
}
