/** One small change of a file: `find` must stand in it exactly once. */
export interface Edit {
  /** From the top of the project. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** A fault that is planted in the program, to see whether the simulation bites. */
export interface Mutant {
  readonly name: string;
  /** What it breaks, in half a sentence. */
  readonly breaks: string;
  /** One edit, or one for each of the guards that must fall together. */
  readonly edits: readonly Edit[];
  /** No life is expected to show it, and why that is no hole. */
  readonly survives?: Survival;
}

export interface Survival {
  readonly because: string;
  /** A quick test file that fails with it, from the top of the project: what no life can show is shown there. */
  readonly caughtBy: string;
}
