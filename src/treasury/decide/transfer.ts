import type { EpochMs } from '../../domain/clock.ts';
import type { Micros } from '../../domain/money.ts';

/**
 * open: written down, and nobody can say yet whether it moved money; its money is held in full, whatever its age.
 * made: the service said so, or a person did. refused: the service said no to the only request that ever left.
 * not-made: a person's verdict.
 */
export type TransferState = 'open' | 'made' | 'refused' | 'not-made';

/** One transfer as the journal has it. */
export interface TransferRow {
  readonly id: number;
  /** The name of the child. */
  readonly child: string;
  /** Whole cents, in micro-dollars. */
  readonly amount: Micros;
  readonly state: TransferState;
  readonly createdAt: EpochMs;
  /** undefined while it is open. */
  readonly settledAt: EpochMs | undefined;
}

/** Whether its money moved, or may have. */
export function holds({ state }: TransferRow): boolean {
  return state === 'open' || state === 'made';
}

/**
 * Whether it counts in a window that ends now. An open one does, however old it is: it may move at any moment. A made one counts from
 * when that was known, which is never before it moved.
 */
export function isIn(row: TransferRow, windowMs: number, now: EpochMs): boolean {
  return row.state === 'open' || (row.state === 'made' && (row.settledAt ?? now) > now - windowMs);
}
