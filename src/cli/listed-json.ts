import { type Purchase, purchaseJson } from '../domain/purchase.ts';
import type { Shadow } from '../domain/shadow.ts';
import { shadowJson } from './shadow-text.ts';

/** A purchase of a list for programs; in a list of several accounts with the one whose it is. */
export function listedJson(purchase: Purchase, shadow: Shadow | undefined, account?: string): Record<string, unknown> {
  const own = { ...purchaseJson(purchase), shadow: shadowJson(shadow) };
  return account === undefined ? own : { account, ...own };
}
