import type { FileFault } from '../settings/file-fault.ts';

/** Exit codes, as scripts and supervisors read them. */
export const exits = {
  done: 0,
  /** It failed while running: the service refused, something stays unknown, buying is halted. */
  failed: 1,
  /** The command line, the configuration or a strategy is wrong, or the data folder is another account's or of a newer Magpie. Nothing was sent. */
  wrong: 2,
  /** Another live process holds the data folder. */
  held: 3,
} as const;

export type ExitCode = (typeof exits)[keyof typeof exits];

/** What each exit code says, as help and reference have it. */
export const exitTexts: Readonly<Record<ExitCode, string>> = {
  [exits.done]: 'done',
  [exits.failed]: 'it failed while running: the service refused, something stays unknown, buying is halted',
  [exits.wrong]:
    "command line, configuration or strategy is wrong, or the data folder is another account's or of a newer Magpie; nothing was sent",
  [exits.held]: 'another process holds the data folder or the key',
};

/** Ends a command with words and a code. The words are for a person and say what to do next; they may have several lines. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly code: ExitCode;
  /** Of the files that it is about; they have been shown already. */
  readonly faults: readonly FileFault[];

  constructor(code: ExitCode, message: string, faults: readonly FileFault[] = []) {
    super(message);
    this.code = code;
    this.faults = faults;
  }
}
