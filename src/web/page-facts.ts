/** What a browser may ask about decisions; what is left out does not narrow. */
export interface DecisionsAsked {
  readonly before?: number | undefined;
  readonly verdict?: string | undefined;
  readonly strategy?: string | undefined;
  readonly reason?: string | undefined;
  readonly words?: string | undefined;
}

export interface PurchasesAsked {
  readonly before?: number | undefined;
  readonly state?: string | undefined;
  readonly strategy?: string | undefined;
  readonly words?: string | undefined;
}

/** What may be asked of the alerts of several accounts. */
export interface AlertsAskedOfAll {
  /** Behind a place of the list, as an answer before has named it. */
  readonly before?: string | undefined;
}

/** What may be asked of the purchases of several accounts. */
export interface PurchasesAskedOfAll extends AlertsAskedOfAll, Omit<PurchasesAsked, 'before'> {}

/** Up to where somebody has been told, by the numbers of rows. */
export interface Marks {
  readonly decision: number;
  readonly evidence: number;
}

/** What has happened since some marks; plain JSON but for the marks. */
export interface News {
  readonly marks: Marks;
  /** Newest first, as many as a person could look at. */
  readonly decisions: readonly unknown[];
  /** How many were made in all, those among them. */
  readonly decided: number;
  readonly purchases: readonly unknown[];
}

/** What can be told of several accounts together: a summary, and what they share. Everything it returns is plain JSON. */
export interface FactsOfAll extends Pick<PageFacts, 'reports' | 'report' | 'changed'> {
  /** A line an account, and what is true of the whole. */
  status(): unknown;
  /**
   * A page of what all of them have, newest first, each with its account; of very many as far as they were looked at, which it says.
   */
  purchases(asked: PurchasesAskedOfAll): unknown;
  alerts(asked: AlertsAskedOfAll): unknown;
  /** Halts every account that can be; throws with the names of those that cannot. Nothing resumes all of them. */
  halt(reason: string): void;
}

/** Where the page of several accounts has its facts from. */
export interface FactsOfEach {
  readonly all: FactsOfAll;
  /** Of one by its name; undefined where none is called so. */
  of(account: string): PageFacts | undefined;
}

/** Where the page has its facts from: everything it returns is plain JSON, of the same functions that the commands print. */
export interface PageFacts {
  /** As `magpie status --json`, and what the page shows beside it. */
  status(): unknown;
  purchases(asked: PurchasesAsked): unknown;
  /** As `magpie purchases ID --json`; undefined where there is none. */
  purchase(id: number): unknown;
  decisions(asked: DecisionsAsked): unknown;
  /** As `magpie why ID --json`, for each market that has it; undefined where it was never seen. */
  why(id: string, market: string | undefined): unknown;
  strategies(): unknown;
  charts(): unknown;
  alerts(): unknown;
  reports(): unknown;
  /** The bytes of a report by its name; undefined where there is none. */
  report(name: string): Uint8Array | undefined;
  /** Without marks: only where things stand now. */
  news(since: Marks | undefined): News;
  halt(reason: string): void;
  resume(reason: string): void;
  /** Something that an answer rests on has changed since this was last asked. Cheap. */
  changed(): boolean;
}
