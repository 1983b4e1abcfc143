import type { Command } from 'commander';
import { resolve } from 'node:path';
import { counted, printable } from '../domain/text.ts';
import type { Halt } from '../engine/journal.ts';
import { type LedgerFault, withSteps } from '../ledger/failure.ts';
import { acquireFolderLock } from '../ledger/lock.ts';
import { type Restored, restoreLedger } from '../ledger/restore.ts';
import { shownPath } from '../settings/text-file.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import { asking } from './folder.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { localSettingsFor, placesOf } from './settings.ts';
import { ago, utc } from './time.ts';

interface RestoreOptions extends SharedOptions {
  readonly json?: boolean;
}

export const addRestore: AddCommand = (program, { io, run }) => {
  program
    .command('restore')
    .summary('put a backup in the place of the ledger')
    .description(
      'Puts a backup in the place of the ledger, while Magpie is stopped. What was there stays beside it under another name. Halts that stand hold on.',
    )
    .argument('<FILE>', 'a backup of this account')
    .option('--json', 'print one JSON document')
    .addHelpText('after', examples('magpie restore data/backups/magpie-2026-11-28T16-40-05Z.db --config live.yaml'))
    .action((file: string, _: unknown, command: Command) =>
      run(() => restore(io, file, command.optsWithGlobals<RestoreOptions>())),
    );
};

/** What the restored ledger holds. */
interface Holds {
  readonly purchases: number;
  readonly halts: readonly Halt[];
}

function restore(io: Io, file: string, options: RestoreOptions): ExitCode {
  const settings = localSettingsFor(io, options);
  const { data } = settings;
  const restored = underLock(data, () => restoreLedger({ file: resolve(io.cwd, file), folder: data, at: io.clock.now() }));
  const holds = asking(data, (reader): Holds => {
    const counts = Object.values(reader?.countsByState() ?? {});
    return {
      purchases: counts.reduce((total, count) => total + count, 0),
      halts: reader?.standingHalts() ?? [],
    };
  });
  if (options.json === true) printJson(io, document(restored, holds));
  else show(io, file, restored, holds, placesOf(io, settings));
  return exits.done;
}

function underLock(data: string, work: () => ReturnType<typeof restoreLedger>): Restored {
  const locked = acquireFolderLock(data);
  if (!locked.ok) {
    const next = locked.held ? '\n→ stop it, then try again' : '';
    throw new CommandFailure(locked.held ? exits.held : exits.failed, `${NOTHING}${locked.fault.message}${next}`);
  }
  try {
    const done = work();
    if (done.ok) return done.value;
    throw new CommandFailure(codeFor(done.fault), `${NOTHING}${wordsOf(done.fault)}`);
  } finally {
    locked.lock.release();
  }
}

const NOTHING = 'Nothing was restored: ';

/** A file that was named wrongly, or an account's that has its own folder, is a slip on the command line. */
function codeFor({ kind }: LedgerFault): ExitCode {
  return ['missing', 'taken', 'account', 'newer'].includes(kind) ? exits.wrong : exits.failed;
}

/** The steps for a damaged ledger are not those for a damaged backup. */
function wordsOf(fault: LedgerFault): string {
  return fault.kind === 'damaged' ? `${fault.message}\n→ take an older backup` : withSteps(fault);
}

function document({ kept, unreadable, newestRowAt }: Restored, { purchases, halts }: Holds): unknown {
  const at = (time: number | undefined): string | null => (time === undefined ? null : new Date(time).toISOString());
  return {
    ok: true,
    kept: kept ?? null,
    oldUnreadable: unreadable,
    purchases,
    newestRowAt: at(newestRowAt),
    halts: halts.map((halt) => ({ reason: halt.reason, by: halt.by, at: at(halt.at) })),
  };
}

function show(io: Io, file: string, { kept, newestRowAt: newest }: Restored, { purchases, halts }: Holds, places: string): void {
  const { out, clock, cwd } = io;
  const upTo = newest === undefined ? '' : `, up to ${utc(newest)} (${ago(newest, clock.now())})`;
  out.line(`${out.palette.good('Restored')} ${printable(file, 500)}: ${counted(purchases, 'purchase')}${upTo}`);
  out.line(places);
  if (kept !== undefined) out.line(`What was there is kept as ${printable(shownPath(kept, cwd), 500)}`);
  out.line();
  out.line(
    'What was ordered after that is no purchase of this ledger. The next start adopts those orders: they count in the caps of the',
  );
  out.line("account, in no strategy's. Nothing is bought before the first look has accounted for every order of the account.");
  for (const { reason } of halts) out.line(`${out.palette.bad('Buying stands halted:')} ${printable(reason, 1_000)}`);
  out.line('→ `magpie run` starts it');
  out.line('→ `magpie audit` then compares every row with the service');
  if (halts.length > 0) out.line('→ `magpie resume` allows buying again, once that agrees');
}
