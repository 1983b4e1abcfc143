import type { EpochMs } from '../../domain/clock.ts';
import type { Purchase } from '../../domain/purchase.ts';
import type { OrderSeen } from '../../engine/evidence.ts';
import { amountAgrees, isBasePrice } from './agree.ts';
import { isCut } from './dates.ts';
import { BLURRED_MS } from './policy.ts';
import type { Scene } from './scene.ts';

/**
 * A row shows one purchase's cost and another's price without the fee, and it or the debit of one is dated in whole seconds: that both are of
 * one second does not tell which of the two made it, while the debit of the other may be late.
 */
export function isBlurred(
  { look, learnt }: Scene,
  { amount, timestampMs }: OrderSeen,
  debitedAt: EpochMs | undefined,
  purchases: readonly [Purchase, Purchase],
): boolean {
  if (timestampMs === undefined || (!isCut(timestampMs) && !isCut(debitedAt))) return false;
  if (learnt.datesAgree === true && look.beganAt - timestampMs >= BLURRED_MS) return false;
  const [one, other] = purchases;
  return (
    purchases.every((purchase) => amountAgrees(purchase, amount) === 'exact') &&
    isBasePrice(one, amount) !== isBasePrice(other, amount)
  );
}
