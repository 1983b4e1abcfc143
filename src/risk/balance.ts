import type { EpochMs } from '../domain/clock.ts';
import { CENT, type Micros, subtract, sum } from '../domain/money.ts';
import type { BalanceReading } from '../domain/readings.ts';

/** A reading older than this says nothing: invariant "older than a minute, nothing is bought". */
export const BALANCE_MAX_AGE_MS = 60_000;

/**
 * How long a balance may go on showing an accepted purchase as not debited. Until a reading that began this long after the
 * answer, or one that has fallen by the amount, the purchase keeps its hold.
 */
export const BALANCE_LAG_MS = 60_000;

/** A balance that grows by more than this factor from one reading to the next changed its unit or lost its decimal point. */
const JUMP_FACTOR = 5;

/** A jump is believed when it has been read this many times in a row: somebody has paid in. */
export const JUMP_BELIEVED_AFTER = 5;

/** Whether a reading lies too far above the one before it to be believed at once. */
export function isJump(before: BalanceReading, next: BalanceReading): boolean {
  return next.amount > before.amount * JUMP_FACTOR;
}

/**
 * The newest reading that may be spent from. One that jumps far above the one before it is passed over until it has come again and
 * again; a fall is believed at once. Readings oldest first; undefined when there are none.
 */
export function believedReading(readings: readonly BalanceReading[]): BalanceReading | undefined {
  let believed: BalanceReading | undefined;
  let jumpsInRow = 0;
  for (const reading of readings) {
    const jumps = believed !== undefined && isJump(believed, reading);
    jumpsInRow = jumps ? jumpsInRow + 1 : 0;
    if (jumps && jumpsInRow < JUMP_BELIEVED_AFTER) continue;
    believed = reading;
    jumpsInRow = 0;
  }
  return believed;
}

/** How many readings tell which of them may be believed. */
export const READINGS_TELLING = JUMP_BELIEVED_AFTER + 1;

/** Money that a balance reading does not show as gone yet. */
export interface Hold {
  readonly purchaseId: number;
  readonly amount: Micros;
  /** When its outcome was known; undefined while it is reserved (intended, unknown, an unconfirmed refusal). */
  readonly answeredAt: EpochMs | undefined;
}

/** What may be spent by the reading: its amount minus every hold. May be negative. */
export function available(reading: BalanceReading, holds: Iterable<Hold>): Micros {
  return subtract(reading.amount, sum([...holds].map((hold) => hold.amount)));
}

/**
 * Which holds a new reading shows as debited. A hold whose answer came before the reading began is shown when the balance has
 * fallen by at least all such holds together (to the cent), or when the reading began long enough after the answer. A reserved
 * hold is never shown: nobody knows whether it was debited.
 */
export function debitsShown(
  previous: BalanceReading | undefined,
  next: BalanceReading,
  holds: readonly Hold[],
): readonly number[] {
  const answered = holds.filter((hold) => hold.answeredAt !== undefined && hold.answeredAt < next.beganAt);
  if (answered.length === 0) return [];
  const debits = sum(answered.map((hold) => hold.amount));
  const fallen = previous === undefined ? undefined : subtract(previous.amount, next.amount);
  const allShown = fallen !== undefined && fallen >= debits - CENT;
  return answered
    .filter((hold) => allShown || next.beganAt - (hold.answeredAt ?? next.beganAt) >= BALANCE_LAG_MS)
    .map((hold) => hold.purchaseId);
}
