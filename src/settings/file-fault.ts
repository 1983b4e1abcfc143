import { printable } from '../domain/text.ts';

/** Enough to mend at a time; a file with more of one kind is another kind of file. */
export const FAULTS_MAX = 100;

/** Where a value stands inside a document: keys and list indexes from the root. */
export type Path = readonly (string | number)[];

/** Something wrong (or, as a warning, odd) in a file a user wrote: where, what was found, what is allowed, and the likely fix. */
export interface FileFault {
  /** As it should be shown: relative to the working folder where that is shorter. */
  readonly file: string;
  /** From 1. A fault of the whole file stands at 1:1. */
  readonly line: number;
  readonly column: number;
  /** `limits.spend.day`; empty for the whole file. */
  readonly path: string;
  readonly message: string;
  /** What to write instead; undefined when nothing is near. */
  readonly suggestion: string | undefined;
}

/** Where something stands. */
export type Place = Pick<FileFault, 'file' | 'line' | 'column' | 'path'>;

/** Options of a command line that hold one word: within it there is no place. */
const WORD = /^--(?:account|strategies)$/;

/** What was given by such an option. */
export function placeOfOption(file: '--account' | '--strategies'): Place {
  return { file, line: 1, column: 1, path: '' };
}

/** `limits.never[2]`; a key that is no plain word is shown in quotes. */
export function pathText(path: Path): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (/^[\w-]+$/.test(part)) text += text === '' ? part : `.${part}`;
    else text += `["${printable(part, 60)}"]`;
  }
  return text;
}

/** Whether a complaint about a path only follows from a fault already reported at one of the spoiled paths, above or below it. */
export function follows(path: Path, spoiled: readonly Path[]): boolean {
  return spoiled.some((other) => begins(path, other) || begins(other, path));
}

function begins(path: Path, start: Path): boolean {
  return start.every((part, index) => path[index] === part);
}

/** A fault for a terminal, on one line: `config/live.yaml:12:5: limits.maxPrise: no such key; … (maxPrice?)`. */
export function formatFault(fault: FileFault): string {
  const { file, line, column, path, message, suggestion } = fault;
  const about = path === '' ? '' : `${path}: `;
  const hint = suggestion === undefined ? '' : ` → ${suggestion}`;
  const at = WORD.test(file) ? file : `${printable(file, 500)}:${line}:${column}`;
  return `${at}: ${about}${message}${hint}`;
}

/** A fault as `magpie check --json` prints it: every field is there, absent ones are null. */
export function faultJson(fault: FileFault): Record<string, unknown> {
  return { ...fault, suggestion: fault.suggestion ?? null };
}

/** Two faults in the order a reader meets them: by file, then place. */
export function inReadingOrder(a: FileFault, b: FileFault): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
