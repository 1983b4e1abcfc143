import { type Command, InvalidArgumentError } from 'commander';
import type { Clock } from '../domain/clock.ts';
import { printable } from '../domain/text.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { JournalFailure } from '../engine/journal.ts';
import { faultOfFailure, withSteps } from '../ledger/failure.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import { StandsStill, changing } from './folder.ts';
import type { Io } from './io.ts';
import { type FoundAccounts, accountsBelow, hasLedger } from '../app/accounts/account-folders.ts';
import { isFolderHeld } from '../ledger/lock.ts';
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
    if (error instanceof StandsStill) throw new CommandFailure(error.code, `NOTHING WAS HALTED: ${standingStill(error)}`);
    const [code, words] =
      error instanceof CommandFailure ? [error.code, error.message] : [exits.failed, withSteps(faultOfFailure(error))];
    throw new CommandFailure(code, `NOTHING WAS HALTED: to stop buying, stop the daemon itself.\n${words}`);
  }
}

/** Where the next start is refused a halt could only be kept in a new ledger, which would know nothing of what was spent. */
function standingStill({ message }: StandsStill): string {
  return `nothing can be bought, since no daemon has this ledger and the next start is refused it; halt again once it can start.\n${message}`;
}

/** A halt must work when it is needed most: a faulty configuration, or a key that this shell does not have, is no obstacle. */
function halt(io: Io, options: HaltOptions): ExitCode {
  const loaded = localFor(io, options);
  const names = loaded.ok ? loaded.settings.accountNames : loaded.accountNames;
  const top = loaded.ok ? loaded.settings.recordingFolder : loaded.top;
  if (top === undefined) throw nobodyHalted(options, names);
  const halted = (isAll: boolean, running: boolean): ExitCode => {
    const { out, err } = io;
    out.line(isAll ? '→ `magpie resume --account NAME` lets one of them buy again' : '→ `magpie resume` allows buying again');
    if (!loaded.ok) err.line(err.palette.bad('Halted in spite of the faults above; mend them before the next start.'));
    if (!loaded.ok) return exits.wrong;
    return running || options.config !== undefined ? exits.done : exits.failed;
  };
  const found = accountsBelow(top);
  if (options.account !== undefined) return haltNamed(io, options, options.account, { top, names, found }, halted);
  const targets = targetsOf({ top, names, found }, loaded.ok);
  const [only, ...others] = targets;
  if (only?.name === undefined && others.length === 0 && found.unread === undefined) return haltTop(io, options, top, halted);
  return haltAll(io, options, targets, { top, found }, halted);
}

type Finish = (isAll: boolean, running: boolean) => ExitCode;

interface Known {
  readonly top: string;
  /** What the file says. */
  readonly names: readonly string[];
  /** What the disk says: what runs may have begun with other names than the file has now. */
  readonly found: FoundAccounts;
}

/** What a halt of everything reaches. */
interface Target {
  /** undefined: the ledger of the data folder itself, of an account that is alone. */
  readonly name: string | undefined;
  readonly data: string;
  /** The configuration names it as things are. */
  readonly isNamed: boolean;
}

/**
 * Whatever may be buying: what the file names, and what the disk shows besides. Where accounts have folders and the data folder has no
 * ledger of its own, whoever holds it serves them: one that was made there now would be looked at by nobody.
 */
function targetsOf({ top, names, found }: Known, isSound: boolean): readonly Target[] {
  const more = found.names.filter((name) => !names.includes(name));
  const target = (name: string, isNamed: boolean): Target => ({ name, data: accountFolder(top, name), isNamed });
  const accounts = [...names.map((name) => target(name, true)), ...more.map((name) => target(name, false))];
  const isAlone = names.length === 0 && isSound;
  const withTop = accounts.length === 0 || hasLedger(top) || (isAlone && !isFolderHeld(top));
  return withTop ? [...accounts, { name: undefined, data: top, isNamed: isAlone || accounts.length === 0 }] : accounts;
}

/** One account, also where the file does not name it any more and it is at work all the same. */
function haltNamed(io: Io, options: HaltOptions, account: string, known: Known, halted: Finish): ExitCode {
  const { top, names, found } = known;
  if (!names.includes(account) && !found.names.includes(account)) {
    throw nobodyHalted(options, [...new Set([...names, ...found.names])]);
  }
  return haltTop(io, options, accountFolder(top, account), halted);
}

function haltTop(io: Io, options: HaltOptions, data: string, halted: Finish): ExitCode {
  const { out, err } = io;
  const running = orNothingHalted(() => haltFolder(io.clock, io.masked(options.reason), data));
  out.line(`${out.palette.bad('Halted:')} ${printable(options.reason, 1_000)}`);
  out.line(placesOf(io, { file: fileOf(io, options), data }));
  out.line(
    running
      ? 'The daemon buys nothing from now on; what is in flight is finished and recorded.'
      : 'No daemon is at work with that folder; the next one starts halted.',
  );
  const code = halted(false, running);
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

/** What became of the halt of one of several accounts: whether it runs, or why it could not be halted. */
type Became = { readonly held: boolean } | { readonly code: ExitCode; readonly message: string };

function wordsOf(error: Error): string {
  return error instanceof StandsStill ? standingStill(error) : error.message;
}

/** Halts every account of a data folder that can be; one that cannot keeps no other from it. `reason` has no secret in it. */
export function* haltEach(
  clock: Clock,
  reason: string,
  data: string,
  names: readonly string[],
): Generator<{ readonly name: string } & Became> {
  for (const name of names) yield { name, ...becameOf(clock, reason, accountFolder(data, name)) };
}

function becameOf(clock: Clock, reason: string, data: string): Became {
  try {
    return { held: haltFolder(clock, reason, data) };
  } catch (error) {
    if (!(error instanceof CommandFailure || error instanceof JournalFailure)) throw error;
    return { code: error instanceof CommandFailure ? error.code : exits.failed, message: wordsOf(error) };
  }
}

/** Everything is halted that can be: what cannot is told, and keeps nothing else from it. */
function haltAll(
  io: Io,
  options: HaltOptions,
  targets: readonly Target[],
  { top, found }: Pick<Known, 'top' | 'found'>,
  halted: Finish,
): ExitCode {
  const { out, err } = io;
  let failed: ExitCode = exits.done;
  let running = false;
  out.line(`${out.palette.bad('Halting all accounts:')} ${printable(options.reason, 1_000)}`);
  for (const target of targets) {
    const became = becameOf(io.clock, io.masked(options.reason), target.data);
    const name = target.name ?? 'the data folder itself';
    if ('held' in became) {
      running ||= became.held;
      out.line(`  ${name}: halted${stateWords(target, became.held)}`);
    } else {
      failed = became.code;
      err.line(err.palette.bad(`  ${name}: NOT HALTED: ${printable(became.message, 1_000)}`));
    }
  }
  if (found.unread !== undefined) {
    failed = exits.failed;
    const words = `  any other account: NOT HALTED: which there are cannot be read: ${printable(found.unread, 1_000)}`;
    err.line(err.palette.bad(words));
  }
  out.line(placesOf(io, { file: fileOf(io, options), data: top }));
  const code = halted(true, running);
  return failed === exits.done ? code : failed;
}

/** Whoever holds the data folder may serve accounts in it and never look at the ledger beside them: it is not said to run. */
function stateWords({ name, isNamed }: Target, held: boolean): string {
  const stands = isNamed ? '' : ', and the configuration does not name it';
  if (!held) return isNamed ? '; it is not running, and starts halted' : `; it is not running${stands}`;
  return name === undefined || isNamed ? '' : '; it is at work, though the configuration does not name it';
}
