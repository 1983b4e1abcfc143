import type { Clock } from '../../domain/clock.ts';

/** The same clock, of which no timer throws: what one account's work fails with is told, and ends no other's. */
export function guardedClock(clock: Clock, onDefect: (error: unknown) => void): Clock {
  return {
    now: () => clock.now(),
    mono: () => clock.mono(),
    wall: () => clock.wall(),
    after: (ms, work) =>
      clock.after(ms, () => {
        try {
          work();
        } catch (error) {
          onDefect(error);
        }
      }),
  };
}
