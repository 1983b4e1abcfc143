import type { EpochMs } from '../../domain/clock.ts';
import type { Purchase } from '../../domain/purchase.ts';
import type { OrderSeen } from '../../engine/evidence.ts';
import { isBasePrice } from './agree.ts';
import { apart, isCut } from './dates.ts';

/**
 * Rows that may be the order of a purchase, those first that were made when it was debited: of equals those whose date tells it to the
 * millisecond, then those that show its cost, not its price without the fee.
 */
export function nearestFirst(
  rows: readonly OrderSeen[],
  purchase: Purchase,
  debitedAt: EpochMs | undefined,
): readonly OrderSeen[] {
  return rows
    .map((row) => ({ row, at: nearnessOf(row, purchase, debitedAt) }))
    .sort((one, other) => compare(one.at, other.at))
    .map(({ row }) => row);
}

/** Less is nearer, the first that differs decides. */
export type Nearness = readonly [apart: number, isCut: number, isBasePrice: number];

export function nearnessOf(row: OrderSeen, purchase: Purchase, debitedAt: EpochMs | undefined): Nearness {
  const cut = isCut(row.timestampMs) || isCut(debitedAt);
  return [apart(row.timestampMs, debitedAt), Number(cut), Number(isBasePrice(purchase, row.amount))];
}

export function compare(one: Nearness, other: Nearness): number {
  const index = one.findIndex((value, at) => value !== other[at]);
  return index < 0 ? 0 : (one[index] ?? 0) - (other[index] ?? 0);
}

/**
 * Of several pairs at once. Roots of the distances: one that fits exactly and one that does not are likelier than two that nearly fit, since an
 * order and its debit are booked together.
 */
export function together(all: readonly Nearness[]): Nearness {
  return all.reduce((sum, one): Nearness => [sum[0] + Math.sqrt(one[0]), sum[1] + one[1], sum[2] + one[2]], [0, 0, 0]);
}
