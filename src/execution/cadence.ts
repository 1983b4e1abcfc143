import type { EpochMs } from '../domain/clock.ts';
import type { Purchase } from '../domain/purchase.ts';
import { isOpen } from '../domain/purchase.ts';

/** The second look that confirms a refusal may begin this long after the first. */
const CONFIRM_MS = 2_000;

/** Looks after an unknown outcome, by its age; later each minute, and after half an hour each five minutes. */
const UNKNOWN_AT_MS = [0, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000] as const;
const UNKNOWN_MS = 60_000;
const UNKNOWN_OLD_AFTER_MS = 1_800_000;
const UNKNOWN_OLD_MS = 300_000;

/** A refusal that two looks have not confirmed (a list that is cut, a total that moves) is looked at less and less often. */
const UNCONFIRMED_MS_MAX = 30_000;

/** Nothing is open: the account is looked at all the same, since others may buy with it. */
const IDLE_MS = 60_000;

/**
 * How long after the start of the last look the next one is due, by what is uncertain. `intervalMs` is the pace while purchases
 * are open.
 */
export function nextLookMs(purchases: readonly Purchase[], now: EpochMs, intervalMs: number): number {
  let due = purchases.some(({ state }) => isOpen(state)) ? intervalMs : Math.max(intervalMs, IDLE_MS);
  for (const { state, held, answeredAt } of purchases) {
    const age = Math.max(0, now - (answeredAt ?? now));
    if (state === 'rejected' && held) due = Math.min(due, Math.max(CONFIRM_MS, Math.min(age / 2, UNCONFIRMED_MS_MAX)));
    if (state === 'unknown') due = Math.min(due, unknownMs(age));
  }
  return due;
}

function unknownMs(age: number): number {
  if (age >= UNKNOWN_OLD_AFTER_MS) return UNKNOWN_OLD_MS;
  const next = UNKNOWN_AT_MS.find((at) => at > age);
  return next === undefined ? UNKNOWN_MS : Math.max(next - age, CONFIRM_MS);
}
