import type { Command } from 'commander';
import { join, resolve } from 'node:path';
import { bytesText, printable } from '../domain/text.ts';
import { backUpLedger } from '../ledger/backup.ts';
import { backupName, backupsFolder } from '../ledger/backup-names.ts';
import { withSteps } from '../ledger/failure.ts';
import { lostLog } from '../ledger/forgotten.ts';
import { shownPath } from '../settings/text-file.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import { nothingYet } from './folder.ts';
import { quoted } from './hints.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { localSettingsFor, placesOf } from './settings.ts';

interface BackupOptions extends SharedOptions {
  readonly json?: boolean;
}

export const addBackup: AddCommand = (program, { io, run }) => {
  program
    .command('backup')
    .summary('copy the ledger, whole, also while Magpie runs')
    .description(
      'Makes a whole, consistent copy of the ledger, also beside a daemon, which goes on buying. It is synced and checked before it gets its name, only you can read it, and nothing is ever overwritten.',
    )
    .argument('[FILE]', 'where to (default: a name with the time, in the folder `backups` of the data folder)')
    .option('--json', 'print one JSON document')
    .addHelpText('after', examples('magpie backup --config live.yaml', 'magpie backup /mnt/usb/magpie.db --config live.yaml'))
    .action((file: string | undefined, _: unknown, command: Command) =>
      run(() => backup(io, file, command.optsWithGlobals<BackupOptions>())),
    );
};

async function backup(io: Io, file: string | undefined, options: BackupOptions): Promise<ExitCode> {
  const settings = localSettingsFor(io, options);
  const { data } = settings;
  const target = file === undefined ? join(backupsFolder(data), backupName(io.clock.now())) : resolve(io.cwd, file);
  const lost = lostLog(data);
  const made = lost === undefined ? await backUpLedger(data, target) : { ok: false as const, fault: lost };
  if (!made.ok) {
    if (made.fault.kind === 'missing') throw nothingYet(data);
    throw new CommandFailure(
      ['taken', 'newer'].includes(made.fault.kind) ? exits.wrong : exits.failed,
      `No backup: ${withSteps(made.fault)}`,
    );
  }
  const { path, bytes } = made.value;
  const shown = shownPath(path, io.cwd);
  const restore = `magpie restore ${quoted(shown, 'FILE')}`;
  if (options.json === true) {
    printJson(io, { ok: true, file: path, bytes, restore: io.hinted(`→ ${restore}`).slice(2) });
    return exits.done;
  }
  io.out.line(
    `${io.out.palette.good('Backed up')} the ledger to ${printable(shown, 500)} (${bytesText(bytes)}), synced and checked`,
  );
  io.out.line(placesOf(io, settings));
  io.out.line('It holds no keys and no recordings. To put it back, stop Magpie, then');
  io.out.line(`→ ${restore}`);
  return exits.done;
}
