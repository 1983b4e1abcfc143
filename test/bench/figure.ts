import { type Goal, verdict } from './statistics.ts';

/** One line of the table: what was measured of ours beside what it is held against, and what was wanted. */
export interface Figure {
  /** Stays the same for ever: the history goes by it. */
  readonly id: string;
  readonly what: string;
  readonly floor: string;
  readonly ours: string;
  /** What is held against the goal. */
  readonly value: number;
  /** Undefined: no goal was set; it is shown to be known. */
  readonly goal: Goal | undefined;
  /** What a reader must know of it besides; undefined: nothing. */
  readonly note: string | undefined;
  /** The value is milliseconds; otherwise a ratio. */
  readonly unit: 'ratio' | 'ms';
}

type Given = Omit<Figure, 'goal' | 'unit' | 'note'> & Partial<Pick<Figure, 'unit' | 'note'>>;

export function figure({ unit = 'ratio', note, ...rest }: Given, atMost?: number): Figure {
  return { ...rest, unit, note, goal: atMost === undefined ? undefined : verdict(rest.value, atMost) };
}

/** `55.1 ms`, `0.58 ms`, `54 µs`. */
export function time(ms: number): string {
  const size = Math.abs(ms);
  if (size < 0.1) return `${(ms * 1_000).toFixed(size < 0.01 ? 1 : 0)} µs`;
  return `${ms.toFixed(size < 10 ? 2 : 1)} ms`;
}
