import { mean } from '../backtest/statistics.ts';

/** What was tried on two axes, laid out: how the figure goes with both. */
export interface HeatMap {
  readonly across: string;
  readonly down: string;
  /** What stands at the top of each column, and before each row. */
  readonly columns: readonly string[];
  readonly rows: readonly string[];
  /** `[row][column]`; undefined where nothing was tried. */
  readonly cells: readonly (readonly (HeatCell | undefined)[])[];
}

export interface HeatCell {
  /** The mean of all that were tried there. */
  readonly value: number;
  readonly of: number;
}

/** What was tried: a value for each axis, as JSON has them, and what came of it. */
export interface HeatPoint {
  readonly setting: readonly unknown[];
  readonly value: number;
}

/** More places than this are joined, where they are numbers. */
const PLACES_MAX = 12;
const PLACES_JOINED = 8;

/** The map of two of the axes; what differs on the others alone is one place. */
export function heatMap(
  names: readonly string[],
  [down, across]: readonly [number, number],
  points: readonly HeatPoint[],
): HeatMap {
  const columns = placesOf(points.map(({ setting }) => setting[across]));
  const rows = placesOf(points.map(({ setting }) => setting[down]));
  const values = rows.map(() => columns.map((): number[] => []));
  for (const { setting, value } of points)
    values[rows.findIndex(({ holds }) => holds(setting[down]))]?.[columns.findIndex(({ holds }) => holds(setting[across]))]?.push(
      value,
    );
  return {
    across: names[across] ?? '',
    down: names[down] ?? '',
    columns: columns.map(({ label }) => label),
    rows: rows.map(({ label }) => label),
    cells: values.map((row) => row.map((own) => (own.length === 0 ? undefined : { value: mean(own), of: own.length }))),
  };
}

/** Every pair of axes on which more than one value was tried, by their places. */
export function axisPairs(points: readonly HeatPoint[]): readonly (readonly [number, number])[] {
  const count = points[0]?.setting.length ?? 0;
  const moving = Array.from({ length: count }, (_, axis) => axis).filter(
    (axis) => new Set(points.map(({ setting }) => JSON.stringify(setting[axis]))).size > 1,
  );
  return moving.flatMap((one, index) => moving.slice(index + 1).map((other) => [one, other] as const));
}

/** How a value of an axis is written; a dash for nothing. */
export function settingText(value: unknown): string {
  if (value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

interface Place {
  readonly label: string;
  readonly holds: (value: unknown) => boolean;
}

/** Rising, where they are numbers. */
function placesOf(all: readonly unknown[]): readonly Place[] {
  const values = [...new Map(all.map((value) => [JSON.stringify(value), value])).values()];
  if (!values.every((value) => typeof value === 'number'))
    return values.map((value) => ({ label: settingText(value), holds: (other) => settingText(other) === settingText(value) }));
  const sorted = values.toSorted((a, b) => a - b);
  if (sorted.length <= PLACES_MAX) return sorted.map((value) => ({ label: String(value), holds: (other) => other === value }));
  const [low, high] = [sorted[0] as number, sorted.at(-1) as number];
  const edge = (index: number): number => low + ((high - low) * index) / PLACES_JOINED;
  return Array.from({ length: PLACES_JOINED }, (_, index) => {
    const isLast = index === PLACES_JOINED - 1;
    return {
      label: `${shortNumber(edge(index))}–${shortNumber(edge(index + 1))}`,
      holds: (value) => typeof value === 'number' && value >= edge(index) && (isLast || value < edge(index + 1)),
    };
  });
}

function shortNumber(value: number): string {
  return String(Number(value.toPrecision(4)));
}

/** Where a value stands between the least and the most of a map, 0 to 1. */
export function heatOf({ cells }: Pick<HeatMap, 'cells'>): (value: number) => number {
  const values = cells.flat().flatMap((cell) => (cell === undefined ? [] : [cell.value]));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return (value) => (high === low ? 0 : (value - low) / (high - low));
}
