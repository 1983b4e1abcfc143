import type { EpochMs } from '../domain/clock.ts';
import type { Known } from '../engine/evidence.ts';

/** A debit that has not shown by then is not waited for: some services may book in a form that no purchase is recognised in. */
const DEBIT_WAIT_MS = 3_600_000;

/** What the service's dates may be off by. */
const MARGIN_MS = 600_000;

/**
 * Since when transactions may still become evidence, though newer ones have been used: from the oldest purchase on whose fate is
 * open, or whose debit has not shown. Undefined when nothing waits.
 */
export function awaitedSince({ purchases, booked }: Pick<Known, 'purchases' | 'booked'>, now: EpochMs): EpochMs | undefined {
  const waiting = purchases.filter(({ id, state, held, createdAt }) => {
    if (state === 'intended' || state === 'unknown') return true;
    return state === 'rejected' ? held : !booked.has(id) && now - createdAt < DEBIT_WAIT_MS;
  });
  if (waiting.length === 0) return undefined;
  return Math.min(...waiting.map(({ createdAt }) => createdAt)) - MARGIN_MS;
}
