import type { EpochMs } from '../../domain/clock.ts';

/** A clock that is off by more cannot tell what moved in an hour or a day, nor for how long the service has known a key. */
const CLOCK_OFF_MS = 5 * 60_000;

export interface ClocksSeen {
  /** By this run, which has read the machine's clock once. */
  readonly now: EpochMs;
  /** The machine's clock as it stands. */
  readonly wall: EpochMs;
  /** The newest moment in the journal; undefined: nothing stands in it. */
  readonly newestAt: EpochMs | undefined;
  /** The service's clock; undefined: it did not tell. */
  readonly serviceDate: EpochMs | undefined;
}

/** Why this machine's clock cannot be right; undefined: nothing speaks against it. */
export function clockFault({ now, wall, newestAt, serviceDate }: ClocksSeen): string | undefined {
  // What moved meanwhile would stand in the journal as of long ago for the next run.
  if (Math.abs(wall - now) > CLOCK_OFF_MS)
    return `this run tells the time as ${iso(now)}, and this machine's clock as ${iso(wall)}: it has slept, or its clock was set`;
  const says = `this machine's clock says ${iso(now)}`;
  if (newestAt !== undefined && newestAt > now + CLOCK_OFF_MS) return `${says}, and the newest transfer is of ${iso(newestAt)}`;
  if (serviceDate === undefined || Math.abs(now - serviceDate) <= CLOCK_OFF_MS) return undefined;
  return `${says}, and the service's ${iso(serviceDate)}`;
}

function iso(at: EpochMs): string {
  return new Date(at).toISOString();
}
