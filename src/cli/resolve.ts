import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Purchase, isResolvable } from '../domain/purchase.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import { openToChange } from './folder.ts';
import { words } from './halt.ts';
import type { Io } from './io.ts';
import { purchaseLine } from './purchase-table.ts';
import { localSettingsFor, placesOf } from './settings.ts';

interface ResolveOptions extends SharedOptions {
  readonly as: 'bought' | 'not-bought';
  readonly reason: string;
}

export const addResolve: AddCommand = (program, { io, run }) => {
  program
    .command('resolve')
    .summary('say what became of a purchase in doubt')
    .description(
      'Keeps your verdict on a purchase of unknown outcome, or on a refusal whose money is still reserved, with the reason. Evidence of an order outranks it later.',
    )
    .argument('<PURCHASE_ID>', 'as `magpie purchases --state unknown` shows it', purchaseId)
    .addOption(new Option('--as <VERDICT>', 'what became of it').choices(['bought', 'not-bought']).makeOptionMandatory())
    .requiredOption('--reason <TEXT>', 'how you know', words)
    .addHelpText('after', examples('magpie resolve 12 --as not-bought --reason "not among the orders on the site"'))
    .action((id: number, _: unknown, command: Command) => run(() => resolve(io, id, command.optsWithGlobals<ResolveOptions>())));
};

/** The number of a purchase, as a person writes it. */
export function purchaseId(text: string): number {
  if (!/^#?[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It is a number, the first column of `magpie purchases`.');
  return Number(text.replace('#', ''));
}

function resolve(io: Io, id: number, options: ResolveOptions): ExitCode {
  const settings = localSettingsFor(io, options);
  const { out, clock } = io;
  const ledger = openToChange(settings.data);
  try {
    const before = ledger.purchase(id);
    if (before === undefined) {
      throw new CommandFailure(
        exits.failed,
        `There is no purchase ${id} in ${settings.data}. \`magpie purchases --state unknown\` shows those that wait.`,
      );
    }
    if (!isResolvable(before)) {
      throw new CommandFailure(
        exits.failed,
        `${purchaseLine(before)}. Only one in doubt (unknown, or a refusal whose money is still reserved) can be resolved; nothing was changed.`,
      );
    }
    const after = ledger.resolve(id, options.as, io.masked(options.reason), clock.now());
    out.line(purchaseLine(after));
    out.line(placesOf(io, settings));
    out.line(
      options.as === 'bought'
        ? 'It counts as bought. When an order of it is seen, it is followed as any other.'
        : freedWords(before),
    );
    return exits.done;
  } finally {
    ledger.close();
  }
}

/** A refusal is watched for ten minutes from its answer; later its order is taken for somebody else's, and counts as that. */
function freedWords({ wasUnknown }: Purchase): string {
  return wasUnknown
    ? 'Its money is free again, and its listing stays closed. Should an order of it be seen later, it becomes bought after all.'
    : 'Its money is free again. Should an order of it be seen later, it counts in the caps of the account.';
}
