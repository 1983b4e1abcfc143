import { type Command, InvalidArgumentError } from 'commander';
import { printable } from '../domain/text.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { JournalFailure } from '../engine/journal.ts';
import { faultOfFailure, withSteps } from '../ledger/failure.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import { changing } from './folder.ts';
import type { Io } from './io.ts';
import { fileOf, localFor, placesOf } from './settings.ts';

interface HaltOptions extends SharedOptions {
  readonly reason: string;
}

export const addHalt: AddCommand = (program, { io, run }) => {
  program
    .command('halt')
    .summary('stop buying until `resume`')
    .description('Stops buying, whether or not Magpie runs, until `magpie resume`; it goes on watching and recording.')
    .requiredOption('--reason <TEXT>', 'why; shown until buying is resumed', words)
    .addHelpText('after', examples('magpie halt --config live.yaml --reason "prices look odd"'))
    .action((_: unknown, command: Command) => run(() => halt(io, command.optsWithGlobals<HaltOptions>())));
};

/** What a person gives as a reason: some text, on one line. */
export function words(text: string): string {
  const trimmed = text.replace(/\s+/g, ' ').trim();
  if (trimmed === '') throw new InvalidArgumentError('It must say something.');
  if (trimmed.length > 1_000) throw new InvalidArgumentError('At most 1000 characters.');
  return trimmed;
}

function orNothingHalted<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CommandFailure || error instanceof JournalFailure)) throw error;
    const [code, words] =
      error instanceof CommandFailure ? [error.code, error.message] : [exits.failed, withSteps(faultOfFailure(error))];
    throw new CommandFailure(code, `NOTHING WAS HALTED: to stop buying, stop the daemon itself.\n${words}`);
  }
}

/** A halt must work when it is needed most: a faulty configuration, or a key that this shell does not have, is no obstacle. */
function halt(io: Io, options: HaltOptions): ExitCode {
  const loaded = localFor(io, options);
  const { out, err, clock } = io;
  const data = loaded.ok ? loaded.settings.data : loaded.data;
  if (data === undefined) {
    throw new CommandFailure(
      exits.wrong,
      'The configuration does not tell the data folder: NOTHING WAS HALTED. → magpie halt --data DIR --reason TEXT',
    );
  }
  const running = orNothingHalted(() =>
    changing(data, (ledger, held) => {
      ledger.halt(io.masked(options.reason), 'person', clock.now());
      return held;
    }),
  );
  out.line(`${out.palette.bad('Halted:')} ${printable(options.reason, 1_000)}`);
  out.line(placesOf(io, { file: fileOf(io, options), data }));
  out.line(
    running
      ? 'The daemon buys nothing from now on; what is in flight is finished and recorded.'
      : 'No daemon is at work with that folder; the next one starts halted.',
  );
  out.line('→ `magpie resume` allows buying again');
  if (!loaded.ok) err.line(err.palette.bad('Halted in spite of the faults above; mend them before the next start.'));
  if (!running && options.config === undefined) {
    err.line(
      err.palette.bad(
        'No --config was given: if another configuration is running, it still buys.\n→ magpie halt --config FILE --reason TEXT',
      ),
    );
  }
  if (!loaded.ok) return exits.wrong;
  return running || options.config !== undefined ? exits.done : exits.failed;
}
