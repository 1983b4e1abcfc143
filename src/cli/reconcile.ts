import type { Command } from 'commander';
import type { RequestReply } from '../app/by-hand.ts';
import { type Purchase, type PurchaseState, purchaseJson } from '../domain/purchase.ts';
import { printable } from '../domain/text.ts';
import type { Reader } from '../ledger/ledger.ts';
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
    .description(
      'Looks once at the orders, the transactions and the balance of the account, and settles what they settle. Exits 1 while a purchase stays unknown.',
    )
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
  const before = asking(data, (reader) => {
    if (reader === undefined) throw nothingYet(data);
    return openOnes(reader);
  });
  const reply = await request(io, loaded, 'reconcile', {});
  const { settled, unknown } = asking(data, (reader) => ({
    settled: [...before]
      .map(([id, state]) => ({ state, now: reader?.purchase(id) }))
      .filter(({ state, now }) => now !== undefined && now.state !== state),
    unknown: reader?.purchases({ state: 'unknown' }) ?? [],
  }));
  const rows = settled.flatMap(({ now }) => (now === undefined ? [] : [now]));
  if (json)
    printJson(io, {
      ok: reply.ok,
      message: reply.ok ? reply.message : reply.error,
      settled: rows.map(purchaseJson),
      unknown: unknown.map(purchaseJson),
    });
  else show(io, reply, rows, unknown);
  return reply.ok && unknown.length === 0 ? exits.done : exits.failed;
}

const openStates = ['intended', 'unknown', 'bought'] as const;

/** What a look can settle: the open purchases, with the state that each is in. */
function openOnes(reader: Reader): ReadonlyMap<number, PurchaseState> {
  return new Map(openStates.flatMap((state) => reader.purchases({ state })).map(({ id, state }) => [id, state]));
}

function show({ out, err }: Io, reply: RequestReply, settled: readonly Purchase[], unknown: readonly Purchase[]): void {
  if (!reply.ok) err.line(err.palette.bad(`The account could not be looked at: ${printable(reply.error, 500)}`));
  if (settled.length === 0) out.line('No open purchase has moved.');
  for (const purchase of settled) out.line(purchaseLine(purchase));
  const [first] = unknown;
  if (first === undefined) return;
  out.line(out.palette.warn(`${unknown.length} ${unknown.length === 1 ? 'purchase stays' : 'purchases stay'} unknown.`));
  out.line(`→ look again later, or \`magpie resolve ${first.id} --as bought|not-bought --reason TEXT\``);
}
