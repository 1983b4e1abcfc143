import { printableJson } from '../domain/text.ts';
import type { Io } from './io.ts';

/** The one document that a command prints with `--json`: exact for a program, harmless on a terminal. */
export function printJson(io: Io, value: unknown): void {
  io.out.line(printableJson(JSON.stringify(value, undefined, 2)));
}
