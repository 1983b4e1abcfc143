import Table from 'cli-table3';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** It takes what room the others leave, and is cut where that is not enough; at most one column of a table. */
  readonly grows?: boolean;
  /** Shown only where a line has at least so many columns. */
  readonly from?: number;
}

const GAP = 2;
/** The growing column is never cut below this. */
const GROWN_MIN = 12;

const noLines = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: ' '.repeat(GAP) },
};

/** Rows under their titles, without lines, at most `width` columns wide; ends with a line break. Cells may hold colours. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string {
  const shown = columns.map((column, index) => ({ ...column, index })).filter(({ from = 0 }) => width >= from);
  const cells = rows.map((row) => shown.map(({ index }) => row[index] ?? ''));
  const make = (grown: number | null): Table.Table => {
    const options = {
      chars: noLines,
      style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
      colAligns: shown.map(({ align = 'left' }) => align),
      ...(grown === null ? {} : { colWidths: shown.map(({ grows = false }) => (grows ? grown : null)) }),
    };
    const made = new Table(options);
    made.push(shown.map(({ title }) => title), ...cells.map((row) => [...row]));
    return made;
  };
  const whole = make(null);
  const grown = shown.findIndex(({ grows }) => grows === true);
  if (grown === -1 || whole.width <= width) return lines(whole);
  const others = whole.width - widest(shown[grown]?.title ?? '', cells.map((row) => row[grown] ?? ''));
  return lines(make(Math.max(GROWN_MIN, width - others)));
}

function widest(title: string, cells: readonly string[]): number {
  const made = new Table({ chars: noLines, style: { 'padding-left': 0, 'padding-right': 0, compact: true } });
  made.push([title], ...cells.map((cell) => [cell]));
  return made.width;
}

function lines(made: Table.Table): string {
  return `${made
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}\n`;
}
