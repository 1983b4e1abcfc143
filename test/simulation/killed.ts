import type { Random } from '../../src/domain/random.ts';

/** Thrown where a process is killed: nothing after it happens. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/** How long after a buy left a death in flight may come. */
const IN_FLIGHT_MS = 400;

/** When a death in flight comes, milliseconds after the buy left. */
export function inFlightMs(random: Random): number {
  return IN_FLIGHT_MS * random.next();
}
