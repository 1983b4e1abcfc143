import type { Command } from 'commander';
import { printable } from '../domain/text.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { type ExitCode, exits } from './exit.ts';
import { asking, nothingYet } from './folder.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { purchaseLine } from './purchase-table.ts';
import { request } from './request.ts';
import { placesOf, settingsFor } from './settings.ts';

interface ReconcileOptions extends SharedOptions {
  readonly json?: boolean;
}

export const addReconcile: AddCommand = (program, { io, run }) => {
  program
    .command('reconcile')
    .summary('settle open and unknown purchases against the service, once')
    .description('Looks once at the orders, the transactions and the balance of the account, and settles what they settle. Exits 1 while a purchase stays unknown.')
    .option('--json', 'print one JSON document')
    .addHelpText('after', examples('magpie reconcile --config live.yaml'))
    .action((_: unknown, command: Command) => run(() => reconcile(io, command.optsWithGlobals<ReconcileOptions>())));
};

async function reconcile(io: Io, options: ReconcileOptions): Promise<ExitCode> {
  const loaded = settingsFor(io, options);
  const { data } = loaded.settings;
  const { out, err } = io;
  const json = options.json === true;
  (json ? err : out).line(placesOf(io, loaded.settings));
  const evidenceBefore = asking(data, (reader) => {
    if (reader === undefined) throw nothingYet(data);
    return reader.evidenceSeq();
  });
  const reply = await request(io, loaded, 'reconcile', {});
  const { changed, unknown } = asking(data, (reader) => ({
    changed: reader?.purchasesTouchedAfter(evidenceBefore) ?? [],
    unknown: reader?.purchases({ state: 'unknown' }) ?? [],
  }));
  if (json) printJson(io, { ok: reply.ok, message: reply.ok ? reply.message : reply.error, changed: changed.map(({ id }) => id), unknown: unknown.map(({ id }) => id) });
  else {
    if (!reply.ok) err.line(err.palette.bad(`The account could not be looked at: ${printable(reply.error, 500)}`));
    out.line(changed.length === 0 ? 'Nothing has changed.' : `${changed.length} purchases have new evidence:`);
    for (const purchase of changed) out.line(`  ${purchaseLine(purchase)}`);
    if (unknown.length > 0) {
      out.line(out.palette.warn(`${unknown.length} ${unknown.length === 1 ? 'stays' : 'stay'} unknown. → look again later, or \`magpie resolve ${unknown[0]?.id ?? ''} --as bought|not-bought --reason TEXT\``));
    }
  }
  return reply.ok && unknown.length === 0 ? exits.done : exits.failed;
}
