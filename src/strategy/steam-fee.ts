import { CENT, type Micros, micros } from '../domain/money.ts';

/** What a buyer on Steam's market pays, in cents, for the seller to receive `sellerCents` (at least 1). */
export function steamBuyerCents(sellerCents: number): number {
  // 5 % to Steam and 10 % to the game, each rounded down on what the seller receives, each at least a cent.
  return sellerCents + Math.max(1, Math.floor(sellerCents / 20)) + Math.max(1, Math.floor(sellerCents / 10));
}

/**
 * What the seller receives, in cents, from a sale at which the buyer pays `buyerCents`. A price that no sale can reach (22 or
 * 33 cents) counts as the next lower one; below 3 cents there is no sale and nothing is received.
 */
export function steamSellerCents(buyerCents: number): number {
  let seller = Math.floor((buyerCents * 20) / 23) + 2;
  while (seller > 0 && steamBuyerCents(seller) > buyerCents) seller--;
  return Math.max(0, seller);
}

/** What a sale at this reference price leaves to the seller; a fraction of a cent in the reference does not count. */
export function netOfSteam(steam: Micros): Micros {
  return micros(steamSellerCents(Math.floor(steam / CENT)) * CENT);
}
