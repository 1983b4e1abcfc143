import { type Command, InvalidArgumentError } from 'commander';
import type { EndpointName } from '../api/endpoints.ts';
import { printable } from '../domain/text.ts';
import type { HandReply } from '../gateway/hand.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { type ExitCode, exits } from './exit.ts';
import type { Io } from './io.ts';
import { asked, withService } from './service.ts';
import { type Sheet, type SheetOptions, columnsOf, fieldRows, rowsIn, showSheet } from './sheet.ts';

type Answer = Extract<HandReply, { readonly ok: true }>;

interface PageOptions extends SharedOptions, SheetOptions {
  readonly page?: number;
  readonly limit?: number;
  readonly type?: string;
}

/** `magpie ledger`: every movement of the balance. */
export const addLedger: AddCommand = (program, { io, run }) => {
  paged(program.command('ledger'))
    .summary('show every movement of the balance, as the service has it')
    .description(
      "Shows the service's own ledger of the account, newest first as it comes: deposits, withdrawals, purchases, refunds, transfers. The fields of an entry are the service's.",
    )
    .option('--type <KINDS>', 'credit, debit or neutral; several with commas')
    .addHelpText('after', examples('magpie ledger --config live.yaml', 'magpie ledger --type debit --limit 100 --csv'))
    .action((_: unknown, command: Command) => run(() => ledger(io, command.optsWithGlobals<PageOptions>())));
};

/** `magpie transactions`: purchases and refunds. */
export const addTransactions: AddCommand = (program, { io, run }) => {
  paged(program.command('transactions'))
    .summary('show purchases and refunds, as the service has booked them')
    .description("Shows the service's own purchases and refunds of the account, whoever made them.")
    .addHelpText('after', examples('magpie transactions --config live.yaml', 'magpie transactions --page 2 --json'))
    .action((_: unknown, command: Command) => run(() => transactions(io, command.optsWithGlobals<PageOptions>())));
};

/** `magpie wallet`: balance, deposits and withdrawals. */
export const addWallet: AddCommand = (program, { io, run }) => {
  sheeted(program.command('wallet'))
    .summary('show the wallet: balance, deposits, withdrawals')
    .description("Shows the account's wallet as the service answers; its fields are the service's.")
    .addHelpText('after', examples('magpie wallet --config live.yaml'))
    .action((_: unknown, command: Command) => run(() => wallet(io, command.optsWithGlobals<PageOptions>())));
};

/** `magpie fees`: the rates of the account. */
export const addFees: AddCommand = (program, { io, run }) => {
  sheeted(program.command('fees'))
    .summary('show the fee rates of the account')
    .description('Shows the fee rates of the account and what they come from, as the service answers.')
    .addHelpText('after', examples('magpie fees --config live.yaml'))
    .action((_: unknown, command: Command) => run(() => fees(io, command.optsWithGlobals<PageOptions>())));
};

function sheeted(command: Command): Command {
  return command
    .option('--json', "print one JSON document: the service's answer and its requestId")
    .option('--csv', 'comma-separated values, safe in spreadsheets');
}

function paged(command: Command): Command {
  return sheeted(command)
    .option('--page <N>', 'which page (default: the first)', wholeNumber)
    .option('--limit <N>', "rows of a page (default: the service's)", wholeNumber);
}

/** 1 and more. */
export function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A whole number from 1 is needed.');
}

function ledger(io: Io, options: PageOptions): Promise<ExitCode> {
  const { page, limit, type } = options;
  return shown(io, options, 'ledger', { page, limit, type }, ({ items, total }) => {
    const rows = rowsIn(items);
    return { columns: columnsOf(rows), rows, none: 'No movements.', after: [countOf(rows.length, total)] };
  });
}

function transactions(io: Io, options: PageOptions): Promise<ExitCode> {
  const { page, limit } = options;
  return shown(io, options, 'transactions', { page, limit }, (data) => {
    const rows = rowsIn(data['transactions']);
    return {
      columns: transactionColumns,
      rows,
      none: 'No purchases and no refunds.',
      after: [countOf(rows.length, data['total'])],
    };
  });
}

const transactionColumns: Sheet['columns'] = [
  { field: 'timestamp', title: 'time (UTC)', as: 'time' },
  { field: 'type' },
  { field: 'status' },
  { field: 'itemName', title: 'item', grows: true },
  { field: 'float' },
  { field: 'price', as: 'dollars' },
  { field: 'fee', as: 'dollars' },
  { field: 'amount', as: 'dollars' },
  { field: 'id' },
  { field: 'itemId' },
];

function wallet(io: Io, options: PageOptions): Promise<ExitCode> {
  return shown(io, options, 'wallet', {}, (data) => fieldSheet(data, 'The wallet says nothing.'));
}

function fees(io: Io, options: PageOptions): Promise<ExitCode> {
  return shown(io, options, 'fees', {}, (data) => fieldSheet(data['fees'], 'There are no fees.'));
}

function fieldSheet(value: unknown, none: string): Sheet {
  const rows = fieldRows(value).filter(({ field }) => field !== 'message');
  return { columns: [{ field: 'field' }, { field: 'value', grows: true }], rows, none };
}

function countOf(count: number, total: unknown): string {
  return typeof total === 'number' ? `${count} of ${total}` : `${count} shown`;
}

/** Another question, and what of its answer is shown. */
export interface Wider {
  readonly query: Readonly<Record<string, unknown>>;
  narrow(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}

/**
 * Asks one page and shows it; where what it says is not enough, that of a `wider` question. An answer that is not as documented is shown
 * all the same, and ends with code 1.
 */
export function shown(
  io: Io,
  options: SharedOptions & SheetOptions,
  name: EndpointName,
  query: Readonly<Record<string, unknown>>,
  sheetOf: (data: Readonly<Record<string, unknown>>) => Sheet,
  widerOf: (data: Readonly<Record<string, unknown>>) => Wider | undefined = () => undefined,
): Promise<ExitCode> {
  return withService(io, options, async ({ hand }) => {
    const first = await asked(hand, name, { query: without(query) });
    const wider = widerOf(objectOf(first));
    const answer = wider === undefined ? first : await asked(hand, name, { query: without(wider.query) });
    const data = wider === undefined ? objectOf(answer) : wider.narrow(objectOf(answer));
    showSheet(io, options, sheetOf(data), { ...data, requestId: answer.requestId ?? null });
    if (answer.odd === undefined) return exits.done;
    io.err.line(io.err.palette.bad(`The answer is not as the document says: ${printable(answer.odd)}`));
    return exits.failed;
  });
}

function without(query: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

function objectOf({ data }: Answer): Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as Record<string, unknown>) : { data };
}
