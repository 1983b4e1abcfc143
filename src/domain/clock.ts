/** Milliseconds since the Unix epoch. */
export type EpochMs = number;

/**
 * Time as an argument. `now` is the wall clock read once at start and advanced by the monotonic one, so that it never
 * jumps within a run: every row, window and age uses it. `wall` is the machine's own idea of the time, to notice steps.
 */
export interface Clock {
  now(): EpochMs;
  wall(): EpochMs;
  /** Milliseconds of the monotonic clock from an arbitrary start, with a fraction. */
  mono(): number;
  /** Calls `work` once after `ms` (clamped to what a timer can hold); the returned function cancels it. */
  after(ms: number, work: () => void): () => void;
}

/** The longest single wait asked of a clock, milliseconds. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** As `after`, however long: what a timer cannot hold is waited for in pieces. */
export function afterLong(clock: Pick<Clock, 'after'>, ms: number, work: () => void): () => void {
  let cancel: () => void = () => undefined;
  const wait = (left: number): void => {
    const piece = Math.min(left, LONGEST_WAIT_MS);
    cancel = clock.after(piece, () => {
      if (piece < left) wait(left - piece);
      else work();
    });
  };
  wait(ms);
  return () => cancel();
}

/** Resolves after `ms` of the given clock, or at once when the signal is aborted. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const finish = (): void => {
      cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = afterLong(clock, ms, finish);
    signal?.addEventListener('abort', finish, { once: true });
  });
}
