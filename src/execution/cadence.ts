import type { EpochMs } from '../domain/clock.ts';
import type { Purchase } from '../domain/purchase.ts';
import { CONFIRM_GAP_MS } from './evidence/policy.ts';

/**
 * Looks after an unknown outcome, by its age when they begin; then each minute, as when nothing is open. The one at a minute comes
 * a second later, since a listing that stands then proves something only once the minute is over.
 */
const UNKNOWN_AT_MS = [2_000, 4_000, 8_000, 15_000, 30_000, 61_000] as const;

/** A refusal that two looks have not confirmed (a list that is cut, a total that moves) is looked at less and less often. */
const UNCONFIRMED_MS_MAX = 30_000;

/** Nothing is open: the account is looked at all the same, since others may buy with it. */
const IDLE_MS = 60_000;

/** Looks never begin closer together than this, whatever has happened: polling needs its share of the reads. */
export const LOOK_GAP_MS = 1_000;

/**
 * When the next look is due, by what is uncertain and when the last look began. What has become uncertain since then is looked at
 * at once. `intervalMs` is the pace while purchases are open.
 */
export function nextLookAt(purchases: readonly Purchase[], lastBeganAt: EpochMs, intervalMs: number): EpochMs {
  const followed = purchases.some(({ state }) => state === 'bought' || state === 'intended');
  const pace = followed ? intervalMs : Math.max(intervalMs, IDLE_MS);
  let due = lastBeganAt + pace;
  for (const purchase of purchases) {
    if (purchase.answeredAt === undefined) continue;
    const age = lastBeganAt - purchase.answeredAt;
    if (isHeld(purchase)) due = Math.min(due, age < 0 ? purchase.answeredAt : lastBeganAt + unconfirmedMs(age));
    if (purchase.state === 'unknown') due = Math.min(due, age < 0 ? purchase.answeredAt : lastBeganAt + unknownMs(age));
  }
  return Math.max(due, lastBeganAt + LOOK_GAP_MS);
}

function isHeld({ state, held }: Purchase): boolean {
  return state === 'rejected' && held;
}

function unconfirmedMs(age: number): number {
  return Math.max(CONFIRM_GAP_MS, Math.min(age / 2, UNCONFIRMED_MS_MAX));
}

function unknownMs(age: number): number {
  const next = UNKNOWN_AT_MS.find((at) => at > age);
  return next === undefined ? IDLE_MS : next - age;
}
