import type { Io } from './io.ts';

const LOOK_MS = 1_000;

/**
 * Calls back once the npm that started this program is gone. npm ends at a signal without handing it on to everything that it has
 * started: whoever stops it means this program, and would leave it buying. `off` stops looking.
 */
export function onOrphaned({ env, clock, parent }: Pick<Io, 'env' | 'clock' | 'parent'>, work: () => void): () => void {
  if (env['npm_lifecycle_event'] === undefined || parent === undefined) return () => undefined;
  const first = parent();
  let cancel = (): void => undefined;
  const look = (): void => {
    if (parent() === first) cancel = clock.after(LOOK_MS, look);
    else work();
  };
  cancel = clock.after(LOOK_MS, look);
  return () => cancel();
}
