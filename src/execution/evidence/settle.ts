import { type Micros, formatDollars } from '../../domain/money.ts';
import type { Purchase } from '../../domain/purchase.ts';
import type { Finding, OrderSeen } from '../../engine/evidence.ts';
import { hint } from './absence.ts';
import { isBasePrice, isDollars } from './agree.ts';
import type { Match, Matching } from './match.ts';
import { TOLERANCE } from './policy.ts';
import type { Scene } from './scene.ts';

/** What the matches make of their purchases: bought, and their rows ours. */
export function settlementFindings(scene: Scene, matching: Matching): Finding[] {
  return matching.matches.flatMap((match) => settled(scene, match));
}

function settled(scene: Scene, match: Match): Finding[] {
  const { claim, order, transaction, by } = match;
  const { purchase } = claim;
  if (claim.kind === 'unlisted')
    return order === undefined ? [] : [{ kind: 'order', order, as: 'ours', purchaseId: purchase.id }];
  const paid = transaction === undefined ? paidByOrder(purchase, order) : paidByAmount(purchase, transaction.amount);
  const note = `bought: ${by}${hint(scene, purchase)}`;
  const findings: Finding[] = [
    {
      kind: 'bought',
      purchaseId: purchase.id,
      order,
      transactionId: transaction?.transactionId,
      bookedAt: transaction?.timestampMs,
      paid,
      note,
    },
  ];
  if (order !== undefined) findings.unshift({ kind: 'order', order, as: 'ours', purchaseId: purchase.id });
  if (claim.kind === 'refused') findings.push(lateBought(scene, purchase, note));
  return [...findings, ...overcharge(scene, purchase, paid)];
}

function lateBought(scene: Scene, purchase: Purchase, note: string): Finding {
  const thought = purchase.wasUnknown ? 'was held for never bought' : 'had been refused';
  return {
    kind: 'alert',
    alert: {
      kind: 'late-bought',
      at: scene.now,
      message: `Purchase ${purchase.id} (${purchase.marketHashName}, ${formatDollars(purchase.cost)}) ${thought}, and was bought after all. ${note}`,
      next: 'Its money counts again; nothing needs to be done.',
      purchaseId: purchase.id,
    },
  };
}

/** What an order's amount says was debited. Less than expected is believed of a transaction only: an order may show another figure. */
export function paidByOrder(purchase: Purchase, order: OrderSeen | undefined): Micros | undefined {
  if (order === undefined || !isDollars(order.currency)) return undefined;
  return order.amount < purchase.cost - TOLERANCE ? undefined : paidByAmount(purchase, order.amount);
}

/** What a booking says was debited; undefined when it shows the price without the fee. */
export function paidByAmount(purchase: Purchase, amount: Micros): Micros | undefined {
  return isBasePrice(purchase, amount) ? undefined : amount;
}

/** More than a cent above what was expected is booked as it is, and halts: the request binds only the base price. */
export function overcharge({ now }: Scene, purchase: Purchase, paid: Micros | undefined): Finding[] {
  if (paid === undefined || paid <= purchase.cost + TOLERANCE) return [];
  const figures = `${formatDollars(paid)} was debited for purchase ${purchase.id} (${purchase.marketHashName}), ${formatDollars(purchase.cost)} was expected`;
  return [
    {
      kind: 'alert',
      alert: {
        kind: 'debit',
        at: now,
        message: figures,
        next: 'Compare it with the service, then `magpie resume`.',
        purchaseId: purchase.id,
      },
    },
    { kind: 'halt', reason: figures },
  ];
}
