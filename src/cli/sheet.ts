import { formatDollars, microsFromDollars } from '../domain/money.ts';
import { printable } from '../domain/text.ts';
import { csvLine, textCell } from './csv.ts';
import { CommandFailure, exits } from './exit.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { table } from './table.ts';
import { withoutZone } from './time.ts';

/** How a column of a table of the service's rows is shown; CSV has the values as they came. */
export interface SheetColumn {
  readonly field: string;
  readonly title?: string;
  readonly as?: 'dollars' | 'time' | 'text';
  readonly grows?: boolean;
}

/** The service's rows, with what is told beside them. */
export interface Sheet {
  readonly columns: readonly SheetColumn[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Where there are no rows. */
  readonly none: string;
  /** Lines after the table, for a person. */
  readonly after?: readonly string[];
}

export interface SheetOptions {
  readonly json?: boolean;
  readonly csv?: boolean;
}

/** As JSON the whole document; as CSV or a table the rows alone. Throws CommandFailure where both are asked for. */
export function showSheet(io: Io, { json = false, csv = false }: SheetOptions, sheet: Sheet, document: unknown): void {
  if (json && csv) throw new CommandFailure(exits.wrong, 'Either --csv or --json, not both.');
  if (json) return printJson(io, document);
  const { columns, rows, none, after = [] } = sheet;
  if (csv) {
    io.out.write(csvLine(columns.map(({ field }) => textCell(field))));
    for (const row of rows) io.out.write(csvLine(columns.map(({ field }) => csvCell(row[field]))));
    return;
  }
  if (rows.length === 0) io.out.line(none);
  else {
    const heads = columns.map(({ field, title = field, as = 'text', grows = false }) => ({
      title,
      align: as === 'dollars' ? ('right' as const) : ('left' as const),
      grows,
    }));
    const cells = rows.map((row) => columns.map(({ field, as = 'text' }) => cellOf(row[field], as)));
    io.out.write(table(heads, cells, { width: io.out.width }));
  }
  for (const line of after) io.out.line(line);
}

/** The columns of rows whose fields nobody has documented: every field that holds a single value, in the order of its first appearance. */
export function columnsOf(rows: Sheet['rows']): SheetColumn[] {
  const fields = new Set(rows.flatMap((row) => Object.keys(row).filter((field) => isSingle(row[field]))));
  return [...fields].map((field) => ({ field, as: /time|At$|^date$/i.test(field) ? 'time' : 'text' }));
}

/** The fields of an object as rows of a name and a value; what is inside goes by its dotted name. */
export function fieldRows(value: unknown, prefix = ''): { readonly field: string; readonly value: unknown }[] {
  if (typeof value !== 'object' || value === null) return prefix === '' ? [] : [{ field: prefix, value }];
  return Object.entries(value).flatMap(([name, inner]) => fieldRows(inner, prefix === '' ? name : `${prefix}.${name}`));
}

/** Rows that are none are left out: there is nothing in them to show. */
export function rowsIn(list: unknown): Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(list)) return [];
  return list.filter((row): row is Record<string, unknown> => typeof row === 'object' && row !== null);
}

function isSingle(value: unknown): boolean {
  return value !== undefined && (typeof value !== 'object' || value === null);
}

function cellOf(value: unknown, as: NonNullable<SheetColumn['as']>): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' && as === 'dollars') {
    const exact = microsFromDollars(value, 'up');
    return exact === undefined ? String(value) : formatDollars(exact);
  }
  if (typeof value === 'number' && as === 'time' && value > 0 && value < 8e15)
    return withoutZone(value < 1e11 ? value * 1_000 : value);
  return printable(textOf(value), 200);
}

function csvCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'number' ? String(value) : textCell(textOf(value));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
