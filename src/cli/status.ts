import type { Command } from 'commander';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { type ExitCode, exits } from './exit.ts';
import { asking, holderOf } from './folder.ts';
import { standingOf } from './in-force.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { localSettingsFor } from './settings.ts';
import { statusFacts } from './status-facts.ts';
import { statusJson } from './status-json.ts';
import { showStatus } from './status-text.ts';

interface StatusOptions extends SharedOptions {
  readonly json?: boolean;
}

export const addStatus: AddCommand = (program, { io, run }) => {
  program
    .command('status')
    .summary('say whether it runs and buys, and how much of every cap is used')
    .description('Says whether it runs and buys, and if not why; health, balance, the use of every cap, purchases, alerts.')
    .option('--json', 'print one JSON document')
    .addHelpText('after', examples('magpie status --config live.yaml'))
    .action((_: unknown, command: Command) => run(() => status(io, command.optsWithGlobals<StatusOptions>())));
};

function status(io: Io, options: StatusOptions): ExitCode {
  const settings = localSettingsFor(io, options);
  const now = io.clock.now();
  const facts = asking(settings.data, (reader) => {
    const holder = holderOf(settings.data, reader);
    return statusFacts(standingOf(settings, holder, reader), reader, holder, now);
  });
  if (options.json === true) printJson(io, statusJson(facts));
  else showStatus(io, facts);
  return exits.done;
}
