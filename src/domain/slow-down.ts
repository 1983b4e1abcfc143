import type { EpochMs } from './clock.ts';

/** The longest that we ever wait because a service asks us to slow down or shuts its door, milliseconds. */
const SLOW_MAX_MS = 75 * 60_000;

/** Until when an earlier run was asked to go slow, as far as that can be: one further ahead was dated by a clock that was wrong. */
export function believedSlowUntil(until: EpochMs | undefined, now: EpochMs): EpochMs | undefined {
  return until === undefined ? undefined : Math.min(until, now + SLOW_MAX_MS);
}
