import { type Command, InvalidArgumentError } from 'commander';
import type { Daemon, Ended } from '../app/daemon.ts';
import type { Failing } from '../app/once.ts';
import { printable } from '../domain/text.ts';
import { durationMeant, durationMs } from '../settings/units.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { startHere } from './daemon.ts';
import { type ExitCode, exits } from './exit.ts';
import type { Io, Voice } from './io.ts';
import { onOrphaned } from './orphan.ts';
import { showRun } from './run-summary.ts';
import { placesOf, settingsFor, strategiesFor } from './settings.ts';
import { type StopSignals, stopSignals } from './stop-signals.ts';

interface RunOptions extends SharedOptions {
  readonly dryRun?: boolean;
  readonly strategies?: string;
  readonly once?: boolean;
  /** Milliseconds. */
  readonly for?: number;
}

export const addRun: AddCommand = (program, { io, run }) => {
  program
    .command('run')
    .summary('watch, decide, buy and record until it is stopped')
    .description('Watches the live listings and buys what the strategies want, within the limits, until Ctrl-C or SIGTERM.')
    .option('--dry-run', 'write down what would be bought, and build nothing that could buy')
    .option('--strategies <DIR>', "a folder in place of the configuration's")
    .option('--once', 'one poll, its decisions and its buys; settle what can be settled, then end')
    .option('--for <DURATION>', 'end after that long: 30s, 15m, 8h', duration)
    .addHelpText('after', examples('magpie run', 'magpie run --config live.yaml --dry-run --once'))
    .action((_: unknown, command: Command) => run(() => runDaemon(io, command.optsWithGlobals<RunOptions>())));
};

function duration(text: string): number {
  const ms = durationMs(text);
  if (ms !== undefined && ms > 0) return ms;
  const meant = durationMeant(text);
  throw new InvalidArgumentError(
    `A duration above 0 is needed, such as 30s, 15m or 8h.${meant === undefined || !durationMs(meant) ? '' : ` Did you mean ${meant}?`}`,
  );
}

async function runDaemon(io: Io, options: RunOptions): Promise<ExitCode> {
  const { dryRun, strategies: folder, once = false } = options;
  const { settings, notices } = settingsFor(io, options, { dryRun, strategies: folder }, true);
  const strategies = strategiesFor(io, settings, true);
  // With JSON lines on the one stream, words for a person go to the other.
  const human = settings.log.format === 'human';
  (human ? io.out : io.err).line(placesOf(io, settings));
  const startedAt = io.clock.now();
  const signals = stopSignals(io);
  try {
    const write = (line: string): void => io.out.writeUnawaited(human ? io.hinted(line) : line);
    const daemon = await startHere(io, { settings, strategies, notices, once, write, dryRunAsked: dryRun });
    const ended = await untilEnded(io, daemon, signals, options.for);
    await io.out.flushed();
    const { facts } = daemon.core;
    // Where it ended for another reason before it had polled, nothing was looked at that could be told of.
    if (once && human && ended.exitCode !== exits.wrong && facts.polls > 0) showRun(io, settings, startedAt, facts);
    for (const failing of ended.failings ?? []) showFailing(io.err, failing);
    return ended.exitCode;
  } finally {
    signals.off();
  }
}

function showFailing({ line, palette }: Voice, { message, next }: Failing): void {
  line(palette.bad(printable(message, 500)));
  line(`→ ${next}`);
}

/** Waits until the daemon has ended. One signal stops it in order; a second one waits for nothing any more. */
async function untilEnded(io: Io, daemon: Daemon, { first, second }: StopSignals, forMs: number | undefined): Promise<Ended> {
  const { clock, err } = io;
  const off = onOrphaned(io, () =>
    daemon.stop('the npm that started Magpie has ended: run `magpie run` or node itself to go on without it'),
  );
  const cancel = forMs === undefined ? undefined : clock.after(forMs, () => daemon.stop('the time given by --for has passed'));
  void first.then((name) => daemon.stop(name === 'SIGINT' ? 'Ctrl-C' : name));
  const impatience = second.then((): Ended => {
    err.line(
      err.palette.bad('Ended at once. What was in flight is of unknown outcome now; the next start settles it by evidence.'),
    );
    return { exitCode: exits.failed };
  });
  try {
    return await Promise.race([daemon.ended, impatience]);
  } finally {
    off();
    cancel?.();
  }
}
