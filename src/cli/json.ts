import type { Io } from './io.ts';

/** The one document that a command prints with `--json`. */
export function printJson(io: Io, value: unknown): void {
  io.out.line(JSON.stringify(value, undefined, 2));
}
