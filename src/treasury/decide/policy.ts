import type { Micros } from '../../domain/money.ts';

/** What one child is kept at. All amounts are whole or fractional dollars in micro-dollars. */
export interface ChildPolicy {
  readonly name: string;
  /** A balance below this is filled up. */
  readonly floor: Micros;
  /** As far as this, and never beyond. */
  readonly target: Micros;
  /** Moved to this child in any 24 hours, at most. */
  readonly perDay: Micros;
}

export interface TreasuryPolicy {
  readonly children: readonly ChildPolicy[];
  /** Balance of the top-level account that is never gone under. */
  readonly reserve: Micros;
  /** Of one transfer, at most. */
  readonly perTransfer: Micros;
  /** Of all children together, in any hour and in any 24 hours, at most. */
  readonly hour: Micros;
  readonly day: Micros;
  /** Nobody else moves the top-level balance down: what no transfer explains is a contradiction. */
  readonly dedicated: boolean;
}
