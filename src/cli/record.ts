import type { Command } from 'commander';
import { afterLong } from '../domain/clock.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { heldFailure } from './daemon.ts';
import { durationGiven } from './duration.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import type { Io } from './io.ts';
import { onOrphaned } from './orphan.ts';
import { placesOf, wholeSettingsFor } from './settings.ts';
import { stopSignals } from './stop-signals.ts';
import { versionOf } from './version.ts';

interface RecordOptions extends SharedOptions {
  /** Milliseconds. */
  readonly for?: number;
}

export const addRecord: AddCommand = (program, { io, run }) => {
  program
    .command('record')
    .summary('record the live listings without buying')
    .description(
      'Watches the live listings and the health of the markets and records them, until Ctrl-C or SIGTERM. It judges nothing and can buy nothing; a daemon records as well, so this is for when none runs.',
    )
    .option('--for <DURATION>', 'end after that long: 30s, 15m, 8h', durationGiven)
    .addHelpText('after', examples('magpie record --config live.yaml', 'magpie record --data ./market --for 8h'))
    .action((_: unknown, command: Command) => run(() => record(io, command.optsWithGlobals<RecordOptions>())));
};

async function record(io: Io, options: RecordOptions): Promise<ExitCode> {
  const { settings, notices } = wholeSettingsFor(io, options, {}, true);
  if (settings.recording === undefined)
    throw new CommandFailure(
      exits.wrong,
      'The configuration says `recording: { off: true }`, so nothing is recorded. → take that out',
    );
  const human = settings.log.format === 'human';
  (human ? io.out : io.err).line(placesOf(io, settings));
  const signals = stopSignals(io);
  try {
    const [{ startRecorder }, { systemRandom }] = await Promise.all([
      import('../app/recorder.ts'),
      import('../app/system-random.ts'),
    ]);
    const write = (line: string): void => io.out.writeUnawaited(human ? io.hinted(line) : line);
    const { env, clock, out } = io;
    const started = await startRecorder({
      ...{ settings, notices, env, clock, write, version: versionOf(), random: systemRandom, palette: out.palette },
    });
    if (!started.ok) throw heldFailure(started);
    await started.recorder.stop(await whyStopped(io, signals.first, options.for));
    await io.out.flushed();
    return exits.done;
  } finally {
    signals.off();
  }
}

/** Resolves when it is time to end, with the reason. */
async function whyStopped(io: Io, signal: Promise<string>, forMs: number | undefined): Promise<string> {
  let offs: (() => void)[] = [];
  const over = new Promise<string>((resolve) => {
    offs = [onOrphaned(io, () => resolve('the npm that started Magpie has ended'))];
    if (forMs !== undefined) offs.push(afterLong(io.clock, forMs, () => resolve('the time given by --for has passed')));
  });
  try {
    return await Promise.race([over, signal.then((name) => (name === 'SIGINT' ? 'Ctrl-C' : name))]);
  } finally {
    for (const off of offs) off();
  }
}
