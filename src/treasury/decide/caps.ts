import type { EpochMs } from '../../domain/clock.ts';
import { type Micros, ZERO, micros, sum } from '../../domain/money.ts';
import type { ChildPolicy, TreasuryPolicy } from './policy.ts';
import { type TransferRow, isIn } from './transfer.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Which cap leaves the least, and how much that is. */
export interface Room {
  readonly left: Micros;
  readonly cap: CapName;
}

export type CapName = 'perTransfer' | 'child-day' | 'hour' | 'day';

/** What may still go to a child in one transfer, by every cap; the balance of the top-level account is another matter. */
export function roomFor(policy: TreasuryPolicy, child: ChildPolicy, rows: readonly TransferRow[], now: EpochMs): Room {
  const own = rows.filter((row) => row.child === child.name);
  const rooms: readonly Room[] = [
    { cap: 'perTransfer', left: policy.perTransfer },
    { cap: 'child-day', left: leftOf(child.perDay, own, DAY_MS, now) },
    { cap: 'hour', left: leftOf(policy.hour, rows, HOUR_MS, now) },
    { cap: 'day', left: leftOf(policy.day, rows, DAY_MS, now) },
  ];
  return rooms.reduce((least, room) => (room.left < least.left ? room : least));
}

function leftOf(cap: Micros, rows: readonly TransferRow[], windowMs: number, now: EpochMs): Micros {
  const used = sum(rows.filter((row) => isIn(row, windowMs, now)).map(({ amount }) => amount));
  return used >= cap ? ZERO : micros(cap - used);
}

/**
 * Why a transfer may not be written down; undefined: it may. Asked of the journal's own rows in the transaction that writes it, whatever
 * was decided before.
 */
export function refusalOf(
  policy: TreasuryPolicy,
  { child, amount }: Pick<TransferRow, 'child' | 'amount'>,
  rows: readonly TransferRow[],
  now: EpochMs,
): string | undefined {
  const known = policy.children.find(({ name }) => name === child);
  if (known === undefined) return 'the configuration names no such child';
  if (rows.some((row) => row.child === child && row.state === 'open')) return 'a transfer to this child is open';
  const { left, cap } = roomFor(policy, known, rows, now);
  return amount > left ? `the cap ${cap} would be exceeded` : undefined;
}
