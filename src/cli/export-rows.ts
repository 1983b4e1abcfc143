import type { EpochMs } from '../domain/clock.ts';
import { type Micros, dollarsFromMicros, formatDollars, microsFromDollars } from '../domain/money.ts';
import { shadowResult } from '../domain/shadow.ts';
import { printableJson } from '../domain/text.ts';
import type { ExportRow } from '../ledger/export-rows.ts';
import { csvLine, textCell } from './csv.ts';

/** A value of an exported purchase. An amount is dollars as exact decimal text. */
type Value = { readonly text: string } | { readonly amount: string } | { readonly number: number } | undefined;

type Column = readonly [name: string, value: (row: ExportRow) => Value];

const text = (value: string | undefined): Value => (value === undefined ? undefined : { text: value });
const number = (value: number | undefined): Value => (value === undefined ? undefined : { number: value });
const time = (at: EpochMs | undefined): Value => (at === undefined ? undefined : { text: new Date(at).toISOString() });
const amount = (micros: Micros | undefined): Value => (micros === undefined ? undefined : { amount: decimal(micros) });

/** One row a purchase: what it is, what it cost and what came back, what became of it. */
const columns: readonly Column[] = [
  ['id', ({ purchase }) => number(purchase.id)],
  ['state', ({ purchase }) => text(purchase.state)],
  ['mode', ({ purchase }) => text(purchase.lane === 'live' ? 'live' : 'dry-run')],
  ['strategy', ({ purchase }) => text(purchase.strategy)],
  ['market', ({ purchase }) => text(purchase.market)],
  ['listingId', ({ purchase }) => text(purchase.listingId)],
  ['itemId', ({ purchase }) => text(purchase.itemId)],
  ['marketHashName', ({ purchase }) => text(purchase.marketHashName)],
  ['wear', ({ purchase }) => number(purchase.wear)],
  ['paintSeed', ({ purchase }) => number(purchase.paintSeed)],
  ['price', ({ purchase }) => asReceived(purchase.price)],
  ['priceWithFee', ({ purchase }) => asReceived(purchase.priceWithFee)],
  ['steamPrice', ({ purchase }) => amount(purchase.steam)],
  ['expectedCost', ({ purchase }) => amount(purchase.cost)],
  ['paid', ({ purchase }) => amount(purchase.paid)],
  ['paidAt', ({ paidAt }) => time(paidAt)],
  ['refunded', ({ purchase }) => amount(purchase.refunded)],
  ['refundedAt', ({ refundedAt }) => time(refundedAt)],
  ['serviceOrderId', ({ purchase }) => text(purchase.serviceOrderId)],
  ['upstreamOrderId', ({ purchase }) => text(purchase.upstreamOrderId)],
  ['orderStatus', ({ purchase }) => text(purchase.orderStatus)],
  ['reason', ({ purchase }) => text(purchase.reason)],
  ['createdAt', ({ purchase }) => time(purchase.createdAt)],
  ['answeredAt', ({ purchase }) => time(purchase.answeredAt)],
  ['completedAt', ({ purchase }) => time(purchase.completedAt)],
  ['updatedAt', ({ purchase }) => time(purchase.updatedAt)],
  ['shadow', ({ shadow }) => text(shadow && shadowResult(shadow))],
  ['shadowReason', ({ shadow }) => text(shadow?.reason)],
];

/** Without the sign of dollars: what a spreadsheet takes for a number. */
function decimal(micros: Micros): string {
  return formatDollars(micros).replace('$', '');
}

/** Digits that exact money does not hold stay as they came. */
function asReceived(dollars: number): Value {
  const exact = microsFromDollars(dollars, 'up');
  return { amount: exact !== undefined && dollarsFromMicros(exact) === dollars ? decimal(exact) : String(dollars) };
}

/** Whose a row is where it is one of several accounts'; it stands behind the others, whose places stay as they are. */
const accountColumn = (account: string): Column => ['account', () => text(account)];

/** How rows are written: what stands before them all, each of them, between two, and at the end. */
export interface Shape {
  readonly head: string;
  readonly between: string;
  readonly end: string;
  /** Writes rows of an account; it is named in each where they are of several. */
  rowsOf(account: string | undefined): (row: ExportRow) => string;
}

/** Comma-separated values; with a column for the account where they are of several. */
export function csvShape(isOfSeveral: boolean): Shape {
  return {
    head: csvLine(columnsOf(isOfSeveral ? '' : undefined).map(([name]) => name)),
    between: '',
    end: '',
    rowsOf(account) {
      const own = columnsOf(account);
      return (row) => csvLine(own.map(([, valueOf]) => csvCell(valueOf(row))));
    },
  };
}

/** An array of objects. Amounts are numbers, each the exact decimal. */
export const jsonShape: Shape = {
  head: '[\n',
  between: ',\n',
  end: '\n]\n',
  rowsOf(account) {
    const own = columnsOf(account);
    return (row) => `{${own.map(([name, valueOf]) => `"${name}":${jsonValue(valueOf(row))}`).join(',')}}`;
  },
};

function columnsOf(account: string | undefined): readonly Column[] {
  return account === undefined ? columns : [...columns, accountColumn(account)];
}

function csvCell(value: Value): string {
  if (value === undefined) return '';
  if ('amount' in value) return value.amount;
  return 'number' in value ? String(value.number) : textCell(value.text);
}

function jsonValue(value: Value): string {
  if (value === undefined) return 'null';
  if ('amount' in value) return value.amount;
  return 'number' in value ? JSON.stringify(value.number) : printableJson(JSON.stringify(value.text));
}
