import type { EpochMs } from '../domain/clock.ts';
import type { StrategyLimits } from '../domain/limits.ts';
import type { Listing } from '../domain/listing.ts';
import type { Lane } from '../domain/purchase.ts';

/** The wish to buy one listing for one strategy, before anyone has approved of it. */
export interface Intent {
  readonly lane: Lane;
  readonly strategy: string;
  readonly strategyHash: string;
  readonly limits: StrategyLimits;
  readonly listing: Listing;
  /** When the listing was received whole. */
  readonly seenAt: EpochMs;
}

declare const approvedBrand: unique symbol;

/** A value that risk has admitted. Nothing outside this folder can make one. */
export type Approved<T> = T & { readonly [approvedBrand]: true };

const approved = new WeakSet<object>();

/** For `admit` alone: the only place where approval is given. */
export function approve(intent: Intent): Approved<Intent> {
  const frozen = Object.freeze({ ...intent });
  approved.add(frozen);
  return frozen as Approved<Intent>;
}

/** Whether this very object was admitted: asserted again where it is about to become money. */
export function isApproved(intent: Intent): intent is Approved<Intent> {
  return approved.has(intent);
}
