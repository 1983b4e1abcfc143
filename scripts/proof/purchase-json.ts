import { printable } from '../../src/domain/text.ts';
import { type Micros, ZERO, microsFromDollars } from '../../src/domain/money.ts';

/** What `magpie purchases --json` prints of one purchase, as far as an auditor reads it. */
export interface PurchaseJson {
  readonly id: number;
  readonly state: string;
  readonly mode: string;
  readonly strategy: string;
  readonly market: string;
  readonly listingId: string;
  readonly itemId: string;
  readonly marketHashName: string;
  readonly wear: number | null;
  readonly price: number;
  readonly priceWithFee: number;
  readonly serviceOrderId: string | null;
  readonly orderStatus: string | null;
  readonly paid: number | null;
  readonly refunded: number | null;
  readonly reason: string | null;
  readonly createdAt: string;
}

/** Dollars of an answer as exact micro-dollars, rounded up as debits are. */
export function exact(dollars: number | null): Micros {
  return microsFromDollars(dollars ?? 0, 'up') ?? ZERO;
}

export function keyOf({ market, listingId }: { readonly market: string; readonly listingId: string }): string {
  return `${market}:${listingId}`;
}

/** One line that tells a purchase apart. */
export function purchaseWords({ id, state, market, listingId, marketHashName, priceWithFee }: PurchaseJson): string {
  return `purchase ${id} (${state}, ${market} ${listingId}, ${printable(marketHashName, 100)}, $${priceWithFee})`;
}
