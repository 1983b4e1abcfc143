import { type Command, InvalidArgumentError, Option } from 'commander';
import { printable } from '../domain/text.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { durationGiven } from './duration.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import { words } from './halt.ts';
import type { Io } from './io.ts';
import { placesOf, wholeLocalSettingsFor } from './settings.ts';
import type { SheetOptions } from './sheet.ts';
import { utc } from './time.ts';
import { lockFolder, onJournal } from './treasury-desk.ts';
import type { TreasuryRunOptions } from './treasury-run.ts';
import { treasuryStatus, treasuryTransfers } from './treasury-status.ts';
import { transferText } from './treasury-text.ts';

interface HaltOptions extends SharedOptions {
  readonly reason: string;
}

interface SettleOptions extends HaltOptions {
  readonly as: 'made' | 'not-made';
}

/** `magpie treasury`: keeps the balances of children. */
export const addTreasury: AddCommand = (program, { io, run }) => {
  const treasury = program
    .command('treasury')
    .summary('keep the balances of children between a floor and a target (top-level key)');
  treasury
    .command('run')
    .summary('keep balances, until it is stopped')
    .description(
      'Reads the balance of each child with its own key, fills those below their floor with transfers from the top-level account, and settles what is open. Each transfer is on disk before it is sent, and is sent with the same key until it is settled. A process of its own beside the daemon; it buys nothing.',
    )
    .option('--once', 'one round, then end: 1 where something is open, halted or could not be read')
    .option('--for <DURATION>', 'end after that long: 30s, 15m, 8h', durationGiven)
    .option('--dry-run', 'move nothing, whatever the configuration says')
    .addHelpText(
      'after',
      examples('magpie treasury run --config treasury.yaml', 'magpie treasury run --once --dry-run --config treasury.yaml'),
    )
    .action((_: unknown, command: Command) =>
      run(async () => (await import('./treasury-run.ts')).runTreasury(io, command.optsWithGlobals<TreasuryRunOptions>())),
    );
  treasury
    .command('status')
    .summary('show balances of the last round, caps and open transfers')
    .description(
      'Shows what the journal knows: balances of the last round, what was moved in an hour and a day, open transfers, a halt. Nothing is asked of the service.',
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', examples('magpie treasury status --config treasury.yaml'))
    .action((_: unknown, command: Command) =>
      run(() => treasuryStatus(io, command.optsWithGlobals<SharedOptions & SheetOptions>())),
    );
  treasury
    .command('transfers')
    .summary('show every transfer, newest first')
    .description("Shows the journal's transfers, newest first, with their keys and what became of them.")
    .option('--json', 'print one JSON document')
    .option('--csv', 'comma-separated values, safe in spreadsheets')
    .addHelpText('after', examples('magpie treasury transfers --csv --config treasury.yaml'))
    .action((_: unknown, command: Command) =>
      run(() => treasuryTransfers(io, command.optsWithGlobals<SharedOptions & SheetOptions>())),
    );
  addStops(treasury, io, run);
};

function addStops(treasury: Command, io: Io, run: Parameters<AddCommand>[1]['run']): void {
  treasury
    .command('halt')
    .summary('send no transfer until `treasury resume`')
    .description(
      'Sends no transfer until `magpie treasury resume`, whether or not the treasury runs; one that is on its way is finished and recorded. Buying goes on.',
    )
    .requiredOption('--reason <TEXT>', 'why; shown until it is resumed', words)
    .addHelpText('after', examples('magpie treasury halt --reason "balances look odd" --config treasury.yaml'))
    .action((_: unknown, command: Command) => run(() => halt(io, command.optsWithGlobals<HaltOptions>())));
  treasury
    .command('resume')
    .summary('allow transfers again')
    .description(
      'Allows transfers again after a halt, whoever or whatever halted it. What is open is asked again with its own key.',
    )
    .addHelpText('after', examples('magpie treasury resume --config treasury.yaml'))
    .action((_: unknown, command: Command) => run(() => resume(io, command.optsWithGlobals<SharedOptions>())));
  treasury
    .command('settle')
    .summary('say what became of an open transfer')
    .description(
      'Keeps your verdict on a transfer that no answer has settled, with the reason. Only what the site shows tells: a transfer that is called not made and was made is paid twice.',
    )
    .argument('<TRANSFER_ID>', 'as `magpie treasury status` shows it', transferId)
    .addOption(new Option('--as <VERDICT>', 'what became of it').choices(['made', 'not-made']).makeOptionMandatory())
    .requiredOption('--reason <TEXT>', 'how you know', words)
    .addHelpText(
      'after',
      examples('magpie treasury settle 12 --as not-made --reason "not in the ledger on the site" --config treasury.yaml'),
    )
    .action((id: number, _: unknown, command: Command) => run(() => settle(io, id, command.optsWithGlobals<SettleOptions>())));
}

function transferId(text: string): number {
  if (!/^#?[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It is a number, as `magpie treasury status` shows it.');
  return Number(text.replace('#', ''));
}

function halt(io: Io, options: HaltOptions): ExitCode {
  const { settings } = wholeLocalSettingsFor(io, options);
  onJournal(settings.data, (journal) => journal.halt(io.masked(options.reason), 'person', io.clock.now()));
  io.out.line(`${io.out.palette.bad('The treasury is halted:')} ${printable(options.reason, 1_000)}`);
  io.out.line(placesOf(io, settings));
  io.out.line('→ `magpie treasury resume` allows transfers again');
  return exits.done;
}

function resume(io: Io, options: SharedOptions): ExitCode {
  const { settings } = wholeLocalSettingsFor(io, options);
  const halts = onJournal(settings.data, (journal) => {
    const standing = journal.halts();
    if (standing.length > 0) journal.resume(io.clock.now());
    return standing;
  });
  const { out } = io;
  out.line(
    halts.length > 0
      ? `${out.palette.good('Resumed.')} It had been halted for:`
      : 'The treasury was not halted; nothing has changed.',
  );
  for (const { reason, by, at } of halts)
    out.line(`  ${printable(reason, 1_000)} (${by === 'person' ? 'by a person' : 'by itself'}, ${utc(at)})`);
  io.out.line(placesOf(io, settings));
  return exits.done;
}

function settle(io: Io, id: number, options: SettleOptions): ExitCode {
  const { settings } = wholeLocalSettingsFor(io, options);
  return onJournal(settings.data, (journal) => {
    const said = io.masked(options.reason);
    const settled = (): boolean => journal.settle(id, { state: options.as, by: 'person', said }, io.clock.now());
    const leftMs = onItsWayMs(journal.halted()?.at, settings.rate.timeoutMs, io.clock.now());
    const isDone = options.as === 'made' || leftMs === 0 ? settled() : alone(settings.data, leftMs, settled);
    const transfer = journal.transfer(id);
    if (transfer === undefined || !isDone)
      throw new CommandFailure(
        exits.failed,
        `Transfer ${id} is not open${transfer === undefined ? '' : `, but ${transfer.state}`}: nothing was changed. → \`magpie treasury status\` shows those that are`,
      );
    io.out.line(`Transfer ${id}, ${transferText(transfer)}: ${options.as}`);
    io.out.line(placesOf(io, settings));
    return exits.done;
  });
}

/** A treasury notices a halt before it sends, and its clock is read apart from ours, milliseconds. */
const NOTICED_MS = 5_000;

/** How long what a treasury sent before it was halted may still be on its way, milliseconds; undefined: it is not halted. */
function onItsWayMs(haltedAt: number | undefined, timeoutMs: number, now: number): number | undefined {
  if (haltedAt === undefined) return undefined;
  const span = timeoutMs + NOTICED_MS;
  // A halt of a time to come says nothing of how long it stands.
  return Math.min(span, Math.max(0, haltedAt + span - now));
}

/** A treasury at work may send the same transfer again between a look at the site and the verdict, or have it on its way. */
function alone<T>(data: string, leftMs: number | undefined, work: () => T): T {
  const held = lockFolder(data);
  if (!held.ok) {
    const next =
      leftMs === undefined
        ? 'the treasury is at work and may be asking this very transfer again. → `magpie treasury halt`, then look at the site once more, then settle'
        : `the treasury was halted only just now, and may still have this very transfer on its way. → wait ${Math.ceil(leftMs / 1_000)} s, look at the site once more, then settle`;
    throw new CommandFailure(
      held.held ? exits.held : exits.failed,
      held.held ? `Nothing was changed: ${next}` : held.fault.message,
    );
  }
  try {
    return work();
  } finally {
    held.lock.release();
  }
}
