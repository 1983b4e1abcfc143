import { SystemClock } from '../../src/app/system-clock.ts';
import type { Clock } from '../../src/domain/clock.ts';

/** The machine's clock, which a test can move on: what was a moment ago is long ago then. */
export function movableClock(): { readonly clock: Clock; move(ms: number): void } {
  const real = new SystemClock();
  let ahead = 0;
  const clock: Clock = {
    now: () => real.now() + ahead,
    wall: () => real.wall() + ahead,
    mono: () => real.mono() + ahead,
    after: (ms, work) => real.after(ms, work),
  };
  return { clock, move: (ms) => void (ahead += ms) };
}
