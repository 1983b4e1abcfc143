import type { Listing } from '../../src/domain/listing.ts';
import type { ListingChange } from '../../src/engine/snapshot.ts';

/** Listings that an answer shows for the first time, in its order. */
export function appeared(listings: readonly Listing[], seenAt: number, chunk = 0): ListingChange[] {
  return listings.map((listing, position) => ({ kind: 'appeared', listing, seenAt, position, chunk, raw: {} }));
}
