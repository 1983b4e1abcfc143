import type { EpochMs } from '../../domain/clock.ts';

const SECOND = 1_000;

/**
 * How far apart two dates of the service are, milliseconds; infinite where one is missing. One list may tell whole seconds, cut off,
 * and another the milliseconds as well: then whole seconds are all that can be compared.
 */
export function apart(one: EpochMs | undefined, other: EpochMs | undefined): number {
  if (one === undefined || other === undefined) return Infinity;
  return isCut(one) || isCut(other)
    ? Math.abs(Math.floor(one / SECOND) - Math.floor(other / SECOND)) * SECOND
    : Math.abs(one - other);
}

/** Whether a date tells whole seconds only. */
export function isCut(date: EpochMs | undefined): boolean {
  return date !== undefined && date % SECOND === 0;
}
