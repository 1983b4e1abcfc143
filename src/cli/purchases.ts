import { type Command, InvalidArgumentError } from 'commander';
import type { EpochMs } from '../domain/clock.ts';
import { nearest } from '../domain/nearest.ts';
import { type Purchase, type PurchaseState, isPurchaseState, purchaseStates } from '../domain/purchase.ts';
import type { Shadow } from '../domain/shadow.ts';
import { printable } from '../domain/text.ts';
import type { LocalSettings } from '../settings/what-counts.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import { asking } from './folder.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { tellLeftOut } from './left-out.ts';
import { listedJson } from './listed-json.ts';
import { localSettingsFor, placesOf, wholeLocalSettingsFor } from './settings.ts';
import { purchaseFacts, purchaseFactsJson } from './purchase-facts.ts';
import { type ToldOf, accountsLooked } from './status-accounts.ts';
import { purchaseTable, purchaseTotals } from './purchase-table.ts';
import { showPurchase } from './purchase-text.ts';
import { purchaseId } from './resolve.ts';
import { momentGiven } from './time.ts';

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
      'Lists the purchases, newest first, of every state or of one; with several accounts and no --account, those of all. With a number it tells what happened to that purchase, what is awaited, and what you may do.',
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

/** A purchase of a list, and whose it is where the list is of several accounts. */
interface Found {
  readonly account: string | undefined;
  readonly purchase: Purchase;
  readonly shadow: Shadow | undefined;
}

function purchases(io: Io, options: PurchasesOptions): ExitCode {
  const since = momentGiven('--since', options.since, io.clock.now());
  const { settings, each } = wholeLocalSettingsFor(io, options);
  const { limit, json = false } = options;
  const most = limit ?? (json ? undefined : SHOWN);
  const look = ({ data, account }: LocalSettings): readonly Found[] => foundIn(data, account, { ...options, since, most });
  const told = accountsLooked(each, look);
  const all = each.length === 0 ? look({ ...settings, account: undefined }) : newestOf(told);
  const shown = most === undefined ? all : all.slice(0, most);
  if (json)
    printJson(
      io,
      shown.map(({ account, purchase, shadow }) => listedJson(purchase, shadow, account)),
    );
  else show(io, { found: shown, more: all.length > shown.length }, options, placesOf(io, settings));
  tellLeftOut(io, settings);
  return unreadTold(io, told);
}

interface Asked {
  readonly state?: PurchaseState | undefined;
  readonly since: EpochMs | undefined;
  readonly most: number | undefined;
}

/** One more than are shown, so that it can be told whether there are more. */
function foundIn(folder: string, account: string | undefined, { state, since, most }: Asked): readonly Found[] {
  return asking(folder, (reader) => {
    const found = reader?.purchases({ state, since, limit: most === undefined ? undefined : most + 1 }) ?? [];
    const shadows = reader?.shadowsOf(found.map(({ id }) => id));
    return found.map((purchase) => ({ account, purchase, shadow: shadows?.get(purchase.id) }));
  });
}

function newestOf(told: readonly ToldOf<readonly Found[]>[]): readonly Found[] {
  const all = told.flatMap((each) => ('facts' in each ? each.facts : []));
  return all.toSorted((one, other) => other.purchase.createdAt - one.purchase.createdAt);
}

/** A list that an account is missing from says so, and is no whole one. */
function unreadTold({ err }: Io, told: readonly ToldOf<unknown>[]): ExitCode {
  const unread = told.flatMap((each) => ('unread' in each ? [each] : []));
  for (const { name, unread: why } of unread) err.line(err.palette.bad(`${name} is missing: ${printable(why, 1_000)}`));
  return unread.length === 0 ? exits.done : exits.failed;
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

interface Shown {
  readonly found: readonly Found[];
  /** There are older ones. */
  readonly more: boolean;
}

function show({ out }: Io, { found, more }: Shown, { state, since }: PurchasesOptions, places: string): void {
  if (found.length === 0) {
    const which = [state === undefined ? '' : ` that is ${state}`, since === undefined ? '' : ` since ${since}`].join('');
    out.line(`No purchase${which}.`);
    out.line(out.palette.dim(places));
    const all = state === undefined && since === undefined;
    out.line(all ? '→ `magpie status` says whether it buys, and if not why' : '→ `magpie purchases` shows all of them');
    return;
  }
  const by = new Map(found.map((each) => [each.purchase, each]));
  const shadowOf = (purchase: Purchase): Shadow | undefined => by.get(purchase)?.shadow;
  const isOfSeveral = found.some(({ account }) => account !== undefined);
  const accountOf = isOfSeveral ? (purchase: Purchase): string => by.get(purchase)?.account ?? '' : undefined;
  const rows = found.map(({ purchase }) => purchase);
  out.write(purchaseTable(out, rows, shadowOf, accountOf));
  out.line();
  out.line(purchaseTotals(rows, shadowOf));
  if (more) out.line('There are older ones: `--limit N` shows more, `--since 24h` narrows it down, `--json` gives all.');
}
