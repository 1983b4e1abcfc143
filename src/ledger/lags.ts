import type { Clock, EpochMs } from '../domain/clock.ts';
import { windowMs } from '../domain/limits.ts';
import { type Lags, type SlowRun, noLags, windowStart } from '../domain/lag.ts';
import type { Meta } from './meta.ts';
import type { Store } from './store.ts';

/** What the clock may fall behind before it is noted, and what is added to what is noted, so that not each commit notes more. */
const GRAIN_MS = 100;

interface Kept extends Lags {
  /** How far the newest run has fallen behind the wall so far. */
  readonly ms: number;
}

export interface LagQueries {
  /** By how much the rows of earlier runs may seem older than they are to this one, or to the newest where this is a command. */
  lags(): Lags;
}

export function createLagQueries(meta: Meta): LagQueries {
  return { lags: () => keptIn(meta) };
}

/**
 * Notes how far the steady time falls behind the wall, in the very transactions whose rows bear the steady time: the next run begins
 * with the wall, and even one that is killed in its sleep or right after must leave no row that seems older than it is. A run that has
 * written nothing is no run.
 */
export function createLags(
  store: Store,
  meta: Meta,
  clock: Pick<Clock, 'now' | 'wall'>,
  newestRowAt: EpochMs | undefined,
): LagQueries {
  const startedAt = clock.now();
  const slow = slowRuns(keptIn(meta), startedAt, newestRowAt ?? startedAt);
  let noted: number | undefined;
  const note = (ms: number): (() => void) => {
    meta.set('lags', JSON.stringify({ startedAt, slow, ms } satisfies Kept));
    return () => void (noted = ms);
  };
  store.besidesEach(() => {
    const behindMs = clock.wall() - clock.now();
    if (behindMs > Math.max(noted ?? 0, GRAIN_MS)) return note(Math.ceil(behindMs) + GRAIN_MS);
    return noted === undefined ? note(0) : undefined;
  });
  return { lags: () => ({ startedAt, slow }) };
}

function keptIn(meta: Meta): Kept {
  const text = meta.text('lags');
  return text === undefined ? { ...noLags, ms: 0 } : (JSON.parse(text) as Kept);
}

/** The runs that may still matter to a window. Where the newest has lasted as long as one, no earlier one does. */
function slowRuns({ startedAt: before, slow, ms }: Kept, startedAt: EpochMs, newestRowAt: EpochMs): readonly SlowRun[] {
  const earlier = newestRowAt - before >= windowMs.day ? [] : slow;
  const all = ms === 0 ? earlier : [...earlier, { before: Math.max(startedAt, newestRowAt + 1), ms }];
  const reach = windowStart(startedAt - windowMs.day, { startedAt, slow: all });
  return all.filter((run) => reach < run.before);
}
