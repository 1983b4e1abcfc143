import { JournalFailure } from '../../src/engine/journal.ts';
import type { Mortality } from './mortality.ts';
import { type Crash, IN_FLIGHT } from './plan.ts';
import type { SimTime } from './sim-time.ts';

/** Thrown where a process is killed: nothing after it happens. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/** One run of a process, from a start to its end. */
export interface Mortal {
  readonly mortality: Mortality;
  readonly time: SimTime;
  readonly isAlive: () => boolean;
  readonly dies: (crash: Crash) => void;
}

/** How long after a buy left a death in flight may come. */
const IN_FLIGHT_MS = 400;

/** An effect on the disk: the process may die just here, or the disk refuse it. */
export function atPoint(name: string, { mortality, isAlive, dies }: Mortal): void {
  if (!isAlive()) throw new Killed(name);
  const fatal = mortality.passes(name);
  if (fatal !== undefined) {
    dies(fatal);
    throw new Killed(name);
  }
  if (mortality.writeFails(name)) throw new JournalFailure(`simulated: the disk refused ${name}`);
}

/** A buy leaves: the process may die before its answer is there, or has been written. */
export function mayDieInFlight({ mortality, time, isAlive, dies }: Mortal): void {
  const fatal = mortality.passes(IN_FLIGHT);
  if (fatal === undefined) return;
  time.after(IN_FLIGHT_MS * mortality.random.next(), () => {
    if (isAlive()) dies(fatal);
  });
}
