import { type Command, InvalidArgumentError } from 'commander';
import type { Clock } from '../domain/clock.ts';
import { printable } from '../domain/text.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { JournalFailure } from '../engine/journal.ts';
import { faultOfFailure, withSteps } from '../ledger/failure.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import { changing } from './folder.ts';
import type { Io } from './io.ts';
import { accountFolder } from '../settings/load.ts';
import { fileOf, localFor, placesOf } from './settings.ts';

interface HaltOptions extends SharedOptions {
  readonly reason: string;
}

export const addHalt: AddCommand = (program, { io, run }) => {
  program
    .command('halt')
    .summary('stop buying until `resume`')
    .description(
      'Stops buying, whether or not Magpie runs, until `magpie resume`; it goes on watching and recording. With several accounts and no --account, all of them.',
    )
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
  const { out, err } = io;
  const names = loaded.ok ? loaded.settings.accountNames : loaded.accountNames;
  const data = loaded.ok ? loaded.settings.data : loaded.data;
  if (data === undefined) throw nobodyHalted(options, names);
  const halted = (running: boolean): ExitCode => {
    const isAll = options.account === undefined && names.length > 0;
    out.line(isAll ? '→ `magpie resume --account NAME` lets one of them buy again' : '→ `magpie resume` allows buying again');
    if (!loaded.ok) err.line(err.palette.bad('Halted in spite of the faults above; mend them before the next start.'));
    if (!loaded.ok) return exits.wrong;
    return running || options.config !== undefined ? exits.done : exits.failed;
  };
  if (options.account === undefined && names.length > 0) return haltAll(io, options, names, data, halted);
  const running = orNothingHalted(() => haltOne(io, options, data));
  out.line(`${out.palette.bad('Halted:')} ${printable(options.reason, 1_000)}`);
  out.line(placesOf(io, { file: fileOf(io, options), data }));
  out.line(
    running
      ? 'The daemon buys nothing from now on; what is in flight is finished and recorded.'
      : 'No daemon is at work with that folder; the next one starts halted.',
  );
  const code = halted(running);
  if (!running && options.config === undefined) {
    err.line(
      err.palette.bad(
        'No --config was given: if another configuration is running, it still buys.\n→ magpie halt --config FILE --reason TEXT',
      ),
    );
  }
  return code;
}

/** A name that is mistyped in a hurry says how to stop everybody, which needs none. */
function nobodyHalted({ account }: HaltOptions, names: readonly string[]): CommandFailure {
  const next =
    account === undefined || names.includes(account)
      ? 'The configuration does not tell the data folder: NOTHING WAS HALTED. → magpie halt --data DIR --reason TEXT'
      : names.length === 0
        ? 'NOTHING WAS HALTED. → leave --account out'
        : `NOTHING WAS HALTED. → leave --account out, and every account is halted; or name one of ${names.join(', ')}`;
  return new CommandFailure(exits.wrong, next);
}

/** Halts the account of a folder; `reason` has no secret in it. Whether a daemon runs there. */
function haltFolder(clock: Clock, reason: string, data: string): boolean {
  return changing(data, clock.wall(), (ledger, held) => {
    ledger.halt(reason, 'person', clock.now());
    return held;
  });
}

function haltOne(io: Io, options: HaltOptions, data: string): boolean {
  return haltFolder(io.clock, io.masked(options.reason), data);
}

/** What became of the halt of one of several accounts: whether it runs, or why it could not be halted. */
type HaltedOne = { readonly name: string } & ({ readonly held: boolean } | { readonly code: ExitCode; readonly message: string });

/** Halts every account of a data folder that can be; one that cannot keeps no other from it. `reason` has no secret in it. */
export function* haltEach(clock: Clock, reason: string, data: string, names: readonly string[]): Generator<HaltedOne> {
  for (const name of names) {
    try {
      yield { name, held: haltFolder(clock, reason, accountFolder(data, name)) };
    } catch (error) {
      if (!(error instanceof CommandFailure || error instanceof JournalFailure)) throw error;
      yield { name, code: error instanceof CommandFailure ? error.code : exits.failed, message: error.message };
    }
  }
}

/** Every account is halted that can be: one that cannot is told, and keeps no other from it. */
function haltAll(
  io: Io,
  options: HaltOptions,
  names: readonly string[],
  data: string,
  halted: (running: boolean) => ExitCode,
): ExitCode {
  const { out, err } = io;
  let failed: ExitCode = exits.done;
  let running = false;
  out.line(`${out.palette.bad('Halting all accounts:')} ${printable(options.reason, 1_000)}`);
  for (const each of haltEach(io.clock, io.masked(options.reason), data, names)) {
    const { name } = each;
    if ('held' in each) {
      running ||= each.held;
      out.line(`  ${name}: halted${each.held ? '' : '; it is not running, and starts halted'}`);
    } else {
      failed = each.code;
      err.line(err.palette.bad(`  ${name}: NOT HALTED: ${printable(each.message, 1_000)}`));
    }
  }
  out.line(placesOf(io, { file: fileOf(io, options), data }));
  const code = halted(running);
  return failed === exits.done ? code : failed;
}
