import type { Listing } from '../../../src/domain/listing.ts';
import type { Strategy } from '../../../src/strategy/strategy.ts';

/** Every strategy's own closures, those on numbers first, one strategy after the other: the number that match. */
export function matchingFloor(strategies: readonly Strategy[], listing: Listing): number {
  const wanting: Strategy[] = [];
  for (const strategy of strategies) if (strategy.matches(listing)) wanting.push(strategy);
  return wanting.length;
}
