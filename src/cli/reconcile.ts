import type { Command } from 'commander';
import type { RequestReply } from '../app/by-hand.ts';
import { type Purchase, purchaseJson } from '../domain/purchase.ts';
import { counted, printable } from '../domain/text.ts';
import type { Reader } from '../ledger/ledger.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { type ExitCode, exits } from './exit.ts';
import { asking, nothingYet } from './folder.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { purchaseLine } from './purchase-table.ts';
import { request } from './request.ts';
import { placesOf, requestSettingsFor } from './settings.ts';

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
  const loaded = requestSettingsFor(io, options);
  const { data } = loaded.settings;
  const { out, err } = io;
  const json = options.json === true;
  (json ? err : out).line(placesOf(io, loaded.settings));
  const before = asking(data, (reader) => {
    if (reader === undefined) throw nothingYet(data);
    return looksOf(reader);
  });
  const reply = await request(io, loaded, 'reconcile', {});
  const { rows, unknown } = asking(data, (reader) => ({
    rows: [...(reader?.everyPurchase() ?? [])].filter((purchase) => before.get(purchase.id) !== lookOf(purchase)),
    unknown: reader?.purchases({ state: 'unknown' }) ?? [],
  }));
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

/** How every purchase looks: not only open ones move, a refusal may turn out bought and a completed order be reverted. */
function looksOf(reader: Reader): ReadonlyMap<number, string> {
  return new Map([...reader.everyPurchase()].map((purchase) => [purchase.id, lookOf(purchase)]));
}

/** What a person sees of a purchase and its money. */
function lookOf({ state, held, serviceOrderId, orderStatus, paid, refunded, settlementAt }: Purchase): string {
  return JSON.stringify([state, held, serviceOrderId, orderStatus, paid, refunded, settlementAt]);
}

function show({ out, err }: Io, reply: RequestReply, settled: readonly Purchase[], unknown: readonly Purchase[]): void {
  if (!reply.ok) err.line(err.palette.bad(`The account could not be looked at: ${printable(reply.error, 500)}`));
  if (settled.length === 0 && reply.ok) out.line('No purchase has moved.');
  for (const purchase of settled) out.line(movedLine(purchase));
  const [first] = unknown;
  if (first === undefined) return;
  out.line(out.palette.warn(`${counted(unknown.length, 'purchase stays', 'purchases stay')} unknown.`));
  out.line(`→ look again later, or \`magpie resolve ${first.id} --as bought|not-bought --reason TEXT\``);
}

function movedLine(purchase: Purchase): string {
  const { orderStatus, held } = purchase;
  const status = orderStatus === undefined ? '' : `, its order ${printable(orderStatus, 60)}`;
  return `${purchaseLine(purchase)}${status}${held ? ', its money still reserved' : ''}`;
}
