import { type Command, InvalidArgumentError } from 'commander';
import { resolve } from 'node:path';
import { counted, printable } from '../domain/text.ts';
import { shownPath } from '../settings/text-file.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { type Shape, csvShape, jsonShape } from './export-rows.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import { asking, nothingYet } from './folder.ts';
import type { Io } from './io.ts';
import { tellLeftOut } from './left-out.ts';
import { toNewFile } from './new-file.ts';
import type { LocalSettings } from '../settings/what-counts.ts';
import { placesOf, wholeLocalSettingsFor } from './settings.ts';
import { momentGiven } from './time.ts';

interface ExportOptions extends SharedOptions {
  readonly csv?: boolean;
  readonly json?: boolean;
  readonly since?: string;
  readonly until?: string;
  readonly output?: string;
}

export const addExport: AddCommand = (program, { io, run }) => {
  program
    .command('export')
    .summary('write the purchases for a spreadsheet or a program')
    .description(
      'Writes one row a purchase, oldest first; with several accounts and no --account, those of all, one account after the other: every amount in dollars, what was paid and refunded and when, what became of it. CSV for spreadsheets (RFC 4180, UTF-8, nothing in it runs as a formula), or one JSON array.',
    )
    .argument('<WHAT>', '`purchases`', what)
    .option('--csv', 'comma-separated values; so it is unless --json is given')
    .option('--json', 'one JSON array')
    .option('--since <TIME>', 'only those made since then: ISO 8601 (UTC unless it says otherwise), or a duration such as 30d')
    .option('--until <TIME>', 'only those made before then')
    .option('-o, --output <FILE>', 'a new file, which only you can read; never over one that is there')
    .addHelpText(
      'after',
      examples(
        'magpie export purchases -o purchases.csv',
        'magpie export purchases --since 2026-11-01 --until 2026-12-01 --json',
      ),
    )
    .action((_: string, __: unknown, command: Command) => run(() => exported(io, command.optsWithGlobals<ExportOptions>())));
};

function what(text: string): string {
  if (text === 'purchases') return text;
  throw new InvalidArgumentError('Only purchases can be exported.');
}

function exported(io: Io, options: ExportOptions): ExitCode {
  const { csv = false, json = false, output } = options;
  if (csv && json) throw new CommandFailure(exits.wrong, 'Either --csv or --json, not both.');
  const now = io.clock.now();
  const since = momentGiven('--since', options.since, now) ?? 0;
  const until = momentGiven('--until', options.until, now) ?? Number.MAX_SAFE_INTEGER;
  const { settings, each } = wholeLocalSettingsFor(io, options);
  const shape = json ? jsonShape : csvShape(each.length > 0);
  const sources = each.length === 0 ? [{ data: settings.data, account: undefined }] : each;
  const rowsTo = (write: (text: string) => void): number => writeRows(settings.data, sources, { since, until }, shape, write);
  if (output === undefined) {
    rowsTo(io.out.write);
    tellLeftOut(io, settings);
    return exits.done;
  }
  const path = resolve(io.cwd, output);
  const count = toNewFile(path, (write) => rowsTo((text) => write(io.masked(text))));
  io.err.line(`${counted(count, 'purchase')} written to ${printable(shownPath(path, io.cwd), 500)}`);
  io.err.line(placesOf(io, settings));
  tellLeftOut(io, settings);
  return exits.done;
}

type Source = Pick<LocalSettings, 'data' | 'account'>;

interface Between {
  readonly since: number;
  readonly until: number;
}

/**
 * A batch at a time, so that a million purchases are never in memory; of several accounts one after the other. One that has no ledger yet
 * has no purchases, and one whose ledger cannot be read is a failure: what lacks an account is no export. Gives how many there were.
 */
function writeRows(
  data: string,
  sources: readonly Source[],
  { since, until }: Between,
  shape: Shape,
  write: (text: string) => void,
): number {
  let [count, begun] = [0, false];
  const begin = (): void => {
    if (!begun) write(shape.head);
    begun = true;
  };
  for (const source of sources)
    asking(source.data, (reader) => {
      if (reader === undefined) return;
      begin();
      const rowOf = shape.rowsOf(source.account);
      for (const rows of reader.purchasesBetween(since, until)) {
        write((count === 0 ? '' : shape.between) + rows.map(rowOf).join(shape.between));
        count += rows.length;
      }
    });
  if (!begun) throw nothingYet(data);
  write(shape.end);
  return count;
}
