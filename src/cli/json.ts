import { printableJson } from '../domain/text.ts';
import { type FileFault, faultJson } from '../settings/file-fault.ts';
import type { ExitCode } from './exit.ts';
import type { Io } from './io.ts';

export interface Failing {
  readonly code: ExitCode;
  readonly message: string;
  readonly faults?: readonly FileFault[];
}

/** The document of a command that failed before it had one of its own. */
export function printFailure(io: Io, { code, message, faults = [] }: Failing): void {
  printJson(io, { ok: false, exitCode: code, message: io.hinted(message), faults: faults.map(faultJson) });
}

/** The one document that a command prints with `--json`: exact for a program, harmless on a terminal. */
export function printJson(io: Io, value: unknown): void {
  io.out.write(`${printableJson(JSON.stringify(value, undefined, 2))}\n`);
}
