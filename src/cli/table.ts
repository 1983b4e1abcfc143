import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Where a line has too little room, the widest of these columns give way. */
  readonly grows?: boolean;
  /** Shown only where a line has at least so many columns, and where any row has something to show there. */
  readonly from?: number;
}

export interface TableLook {
  /** Columns of a line. */
  readonly width: number;
  /** What does not fit goes on in the next line; otherwise it is cut. */
  readonly wrap?: boolean;
  /** Spaces before each line. */
  readonly indent?: number;
}

const GAP = 2;
/** No column is cut below this. */
const COLUMN_MIN = 10;

const noLines = {
  ...{
    top: '',
    'top-mid': '',
    'top-left': '',
    'top-right': '',
    bottom: '',
    'bottom-mid': '',
    'bottom-left': '',
    'bottom-right': '',
  },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: ' '.repeat(GAP) },
};

const bare = { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true };

type Widths = (number | null)[];

/** Rows under their titles (where any column has one), without lines; ends with a line break. Cells may hold colours. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { width, wrap = false, indent = 0 }: TableLook,
): string {
  const shown = columns
    .map((column, index) => ({ ...column, index }))
    .filter(({ from, index }) => from === undefined || (width >= from && rows.some((row) => (row[index] ?? '') !== '')));
  const titles = shown.some(({ title }) => title !== '') ? [shown.map(({ title }) => title)] : [];
  const cells = [...titles, ...rows.map((row) => shown.map(({ index }) => row[index] ?? ''))];
  const made = new Table({
    chars: noLines,
    style: bare,
    colAligns: shown.map(({ align = 'left' }) => align),
    ...(width === Infinity ? {} : { colWidths: fitted(shown, cells, width - indent) }),
    wordWrap: wrap,
  });
  made.push(...cells);
  return made
    .toString()
    .split('\n')
    .map((line) => `${' '.repeat(indent)}${line.trimEnd()}\n`)
    .join('');
}

/** The widths of the growing columns, as wide as they can be together; null leaves a column as wide as its cells. */
function fitted(columns: readonly Column[], cells: readonly (readonly string[])[], width: number): Widths {
  const natural = columns.map((_, column) => widest(cells.map((row) => row[column] ?? '')));
  const fixed = natural.filter((_, index) => columns[index]?.grows !== true);
  const growing = natural.filter((_, index) => columns[index]?.grows === true);
  const room = width - GAP * (natural.length - 1) - sumOf(fixed);
  if (sumOf(growing) <= room) return natural.map(() => null);
  let most = Math.max(...growing);
  while (most > COLUMN_MIN && sumOf(growing.map((own) => Math.min(own, most))) > room) most--;
  return natural.map((own, index) => (columns[index]?.grows === true ? Math.min(own, most) : null));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Columns that cells take on a screen. Letters of the Latin script take one each; anything else is measured by the table. */
function widest(cells: readonly string[]): number {
  const bareCells = cells.map((cell) => stripVTControlCharacters(cell));
  const plain = bareCells.every((cell) => /^[\u0020-\u024f]*$/.test(cell));
  return plain ? Math.max(0, ...bareCells.map((cell) => cell.length)) : widestOnScreen(cells);
}

function widestOnScreen(cells: readonly string[]): number {
  const made = new Table({ chars: noLines, style: bare });
  made.push([' ', 'x'], ...cells.map((cell) => [cell, 'x']));
  return made.width - GAP - 1;
}
