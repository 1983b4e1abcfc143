import { printable } from '../domain/text.ts';

/** What a spreadsheet takes for the beginning of a formula, the wide forms of East Asian keyboards among it. */
const FORMULA = /^[=+\-@\t\r\n\0＝＋－＠]/;

/** Longer texts than this no purchase has. */
const CELL_MAX = 4_000;

/** A cell of CSV (RFC 4180) that holds a text from outside: no spreadsheet runs it, no terminal obeys it. */
export function textCell(text: string): string {
  const harmless = printable(FORMULA.test(text) ? `'${text}` : text, CELL_MAX);
  return /[",\r\n;]|^ | $/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** A line of CSV: cells that are made already, ended as the RFC has it. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}
