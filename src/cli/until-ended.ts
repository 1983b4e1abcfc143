import type { Ended } from '../app/daemon.ts';
import type { Failing } from '../app/once.ts';
import { afterLong } from '../domain/clock.ts';
import { printable } from '../domain/text.ts';
import type { SharedOptions } from './command.ts';
import { exits } from './exit.ts';
import type { Io, Voice } from './io.ts';
import { onOrphaned } from './orphan.ts';
import type { StopSignals } from './stop-signals.ts';

export interface RunOptions extends SharedOptions {
  readonly dryRun?: boolean;
  readonly strategies?: string;
  readonly once?: boolean;
  /** Milliseconds. */
  readonly for?: number;
}

/** What runs until it is stopped. */
export interface Running {
  readonly ended: Promise<Ended>;
  readonly stop: (why: string) => void;
  /** Live purchases whose outcome is not written yet. */
  readonly inFlight: () => number;
}

/** Waits until the daemon has ended. One signal stops it in order; a second one waits for nothing any more. */
export async function untilEnded(
  io: Io,
  running: Running,
  { first, second }: StopSignals,
  forMs: number | undefined,
): Promise<Ended> {
  const { clock, err } = io;
  const off = onOrphaned(io, () =>
    running.stop('the npm that started Magpie has ended: run `magpie run` or node itself to go on without it'),
  );
  const cancel =
    forMs === undefined ? undefined : afterLong(clock, forMs, () => running.stop('the time given by --for has passed'));
  void first.then((name) => running.stop(name === 'SIGINT' ? 'Ctrl-C' : name));
  const impatience = second.then((): Ended => {
    const left =
      running.inFlight() > 0
        ? 'What was in flight is of unknown outcome now; the next start settles it by evidence.'
        : 'Nothing was in flight.';
    err.line(err.palette.bad(`Ended at once. ${left}`));
    return { exitCode: exits.failed };
  });
  try {
    return await Promise.race([running.ended, impatience]);
  } finally {
    off();
    cancel?.();
  }
}

export function showFailing({ line, palette }: Voice, { message, next }: Failing): void {
  line(palette.bad(printable(message, 500)));
  line(`→ ${next}`);
}
