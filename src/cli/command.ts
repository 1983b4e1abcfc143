import type { Command } from 'commander';
import type { ExitCode } from './exit.ts';
import type { Io } from './io.ts';

/** What every command takes. */
export interface SharedOptions {
  /** As given, relative to the working folder; undefined for the configuration that comes with Magpie. */
  readonly config?: string;
  readonly data?: string;
  /** A file of variables in place of `.env` beside the configuration. */
  readonly envFile?: string;
  /** One of the accounts of a configuration that has several. */
  readonly account?: string;
}

export interface Context {
  readonly io: Io;
  /** Does the work of a command; what it returns is the exit code of the program. */
  run(work: () => ExitCode | Promise<ExitCode>): Promise<void>;
}

/** Adds one command to the program. */
export type AddCommand = (program: Command, context: Context) => void;

/** Lines that `--help` of a command ends with. */
export function examples(...lines: readonly string[]): string {
  return ['', lines.length === 1 ? 'Example:' : 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n');
}
