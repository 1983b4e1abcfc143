import { type Command, InvalidArgumentError } from 'commander';
import type { EpochMs } from '../domain/clock.ts';
import { nearest } from '../domain/nearest.ts';
import { type Purchase, type PurchaseState, isPurchaseState, purchaseJson, purchaseStates } from '../domain/purchase.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import { asking } from './folder.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { localSettingsFor, placesOf } from './settings.ts';
import { purchaseFacts, purchaseFactsJson } from './purchase-facts.ts';
import { purchaseTable, purchaseTotals } from './purchase-table.ts';
import { showPurchase } from './purchase-text.ts';
import { purchaseId } from './resolve.ts';
import { momentOf } from './time.ts';

interface PurchasesOptions extends SharedOptions {
  readonly state?: PurchaseState;
  readonly since?: string;
  readonly limit?: number;
  readonly json?: boolean;
}

/** Rows of the table unless asked otherwise; the newest must not scroll away. */
const SHOWN = 100;

export const addPurchases: AddCommand = (program, { io, run }) => {
  program
    .command('purchases')
    .summary('list the purchases, newest first, or tell everything about one')
    .description(
      'Lists the purchases, newest first, of every state or of one. With a number it tells what happened to that purchase, what is awaited, and what you may do.',
    )
    .argument('[ID]', 'the number of one purchase', purchaseId)
    .option('--state <STATE>', `only those that are ${Object.keys(purchaseStates).join(', ')}`, stateOf)
    .option('--since <TIME>', 'only those made since then: ISO 8601 (UTC unless it says otherwise), or a duration such as 24h')
    .option('--limit <N>', `at most so many (default: ${SHOWN}; all of them with --json)`, wholeNumber)
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      examples('magpie purchases --state unknown', 'magpie purchases --since 24h --json', 'magpie purchases 12'),
    )
    .action((id: number | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<PurchasesOptions>();
      return run(() => (id === undefined ? purchases(io, options) : onePurchase(io, id, options)));
    });
};

function stateOf(text: string): PurchaseState {
  if (isPurchaseState(text)) return text;
  const states = Object.keys(purchaseStates);
  const near = nearest(text, states);
  throw new InvalidArgumentError(`It is none of ${states.join(', ')}.${near === undefined ? '' : ` Did you mean ${near}?`}`);
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('A whole number from 1 is needed.');
  return Number(text);
}

function purchases(io: Io, options: PurchasesOptions): ExitCode {
  const since = sinceOf(options.since, io.clock.now());
  const settings = localSettingsFor(io, options);
  const { state, limit, json = false } = options;
  const most = limit ?? (json ? undefined : SHOWN);
  const rows = asking(
    settings.data,
    (reader) => reader?.purchases({ state, since, limit: most === undefined ? undefined : most + 1 }) ?? [],
  );
  const shown = most === undefined ? rows : rows.slice(0, most);
  if (json) printJson(io, shown.map(purchaseJson));
  else show(io, shown, rows.length > shown.length, options, placesOf(io, settings));
  return exits.done;
}

function onePurchase(io: Io, id: number, options: PurchasesOptions): ExitCode {
  const settings = localSettingsFor(io, options);
  const facts = asking(settings.data, (reader) => reader && purchaseFacts(reader, id, io.clock.now()));
  if (facts === undefined)
    throw new CommandFailure(exits.failed, `There is no purchase ${id} in ${settings.data}. \`magpie purchases\` lists them.`);
  if (options.json === true) printJson(io, purchaseFactsJson(facts));
  else showPurchase(io, facts);
  return exits.done;
}

function sinceOf(text: string | undefined, now: EpochMs): EpochMs | undefined {
  if (text === undefined) return undefined;
  const at = momentOf(text, now);
  if (at !== undefined) return at;
  throw new CommandFailure(
    exits.wrong,
    `--since "${text}" is no time: write 2026-11-28, 2026-11-28T10:00Z, or a duration such as 90m, 24h, 7d.`,
  );
}

function show({ out }: Io, rows: readonly Purchase[], more: boolean, { state, since }: PurchasesOptions, places: string): void {
  if (rows.length === 0) {
    const which = [state === undefined ? '' : ` that is ${state}`, since === undefined ? '' : ` since ${since}`].join('');
    out.line(`No purchase${which}.`);
    out.line(out.palette.dim(places));
    const all = state === undefined && since === undefined;
    out.line(all ? '→ `magpie status` says whether it buys, and if not why' : '→ `magpie purchases` shows all of them');
    return;
  }
  out.write(purchaseTable(out, rows));
  out.line();
  out.line(purchaseTotals(rows));
  if (more) out.line('There are older ones: `--limit N` shows more, `--since 24h` narrows it down, `--json` gives all.');
}
