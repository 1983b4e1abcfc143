import type { OrderSeen } from '../../engine/evidence.ts';
import { isDebitAsExpected } from './agree.ts';
import type { Scene } from './scene.ts';

/**
 * Whether the fee was what we reckoned with when an order was made: what we bought before it and what we bought after it was debited
 * just as expected, and nothing otherwise. Then an order costs what its purchase was to cost, to the cent.
 */
export function wasFeeSteady({ purchases, learnt }: Scene, { timestampMs }: OrderSeen): boolean {
  if (learnt.datesAgree !== true || timestampMs === undefined) return false;
  const debited = [...purchases.values()].filter(({ paid }) => paid !== undefined);
  return (
    debited.every(isDebitAsExpected) &&
    debited.some(({ answeredAt }) => answeredAt !== undefined && answeredAt <= timestampMs) &&
    debited.some(({ createdAt }) => createdAt >= timestampMs)
  );
}
