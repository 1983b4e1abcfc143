import type { BuyOutcome } from '../domain/outcome.ts';
import type { Purchase } from '../domain/purchase.ts';
import { printable } from '../domain/text.ts';

/** Why an outcome must halt buying, in words: goods or a price other than what was asked for. Undefined when it need not. */
export function tripOf(purchase: Pick<Purchase, 'id' | 'market' | 'listingId'>, outcome: BuyOutcome): string | undefined {
  if (outcome.kind !== 'bought' || outcome.mismatch === undefined) return undefined;
  return `purchase ${purchase.id} (${purchase.market} ${purchase.listingId}): what the service says was bought is not what was asked for: ${printable(outcome.mismatch)}`;
}
