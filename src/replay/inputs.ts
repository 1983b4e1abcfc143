import type { EpochMs } from '../domain/clock.ts';
import type { BuyOutcome, Timings } from '../domain/outcome.ts';
import type { Lane } from '../domain/purchase.ts';
import type { BalanceReading, HealthMissing, HealthReading } from '../domain/readings.ts';

/** One purchase of ours as it went: what a model of fills and latencies is measured by. */
export interface Attempt {
  readonly purchaseId: number;
  readonly lane: Lane;
  readonly strategy: string;
  readonly market: string;
  readonly listingId: string;
  readonly pollSeq: number | undefined;
  readonly timings: Timings;
  readonly outcome: BuyOutcome | undefined;
}

/** Which strategies were in force from here on. Their texts are kept in the ledger, by hash. */
export type StrategySet = readonly {
  readonly name: string;
  readonly hash: string;
  readonly lane: Lane;
  readonly priority: number;
}[];

/** The inputs of the decisions that are no polls, by kind. */
export interface TapeInputs {
  readonly health: HealthReading | HealthMissing;
  readonly balance: BalanceReading;
  readonly strategies: StrategySet;
  readonly attempt: Attempt;
  /** What a look at orders, transactions or a listing's detail found. */
  readonly evidence: unknown;
  /** Every other event that the engine was told: permits, rows that changed, halts, what keeps buying closed, purchases by hand. */
  readonly event: unknown;
  /** What was posted to `webhooks`: a reason to look, which decides nothing. */
  readonly webhook: {
    readonly id: string | undefined;
    readonly type: string | undefined;
    readonly again: boolean;
    readonly body: string;
  };
  /** One page of a watched item's listings, as the engine was told of it: no poll of the live listings. */
  readonly looked: unknown;
  /** One listing that such a page has shown anew, as the service sent it. */
  readonly sight: unknown;
  /** How looks at watched items have changed what the poll of that number says of the market. */
  readonly merged: unknown;
  /** Limits and health policy in force from here on. */
  readonly settings: unknown;
}

/** A row of the recording that is no poll. */
export interface InputRow {
  readonly kind: string;
  readonly at: EpochMs;
  /** JSON. */
  readonly value: string;
}

/** Rows that wait for the next poll to be written with; beyond this the oldest are lost, and counted. */
const WAITING_MAX = 10_000;

/** A value that is longer is kept as its beginning only: no input is that long but a hostile one. */
const VALUE_MAX = 65_536;

/** Inputs that wait to be written. */
export class InputBuffer {
  readonly #scrub: (text: string) => string;
  #rows: InputRow[] = [];
  #lost = 0;

  constructor(scrub: (text: string) => string) {
    this.#scrub = scrub;
  }

  get rows(): readonly InputRow[] {
    return this.#rows;
  }

  /** How many were dropped since the last that were written. */
  get lost(): number {
    return this.#lost;
  }

  add<K extends keyof TapeInputs>(kind: K, at: EpochMs, value: TapeInputs[K]): void {
    this.#rows.push({ kind, at, value: jsonOf(value, this.#scrub) });
    if (this.#rows.length <= WAITING_MAX) return;
    // A tenth at a time, since taking one off the front of a long array moves all the others.
    const spare = WAITING_MAX / 10;
    this.#rows = this.#rows.slice(spare);
    this.#lost += spare;
  }

  written(): void {
    this.#rows = [];
    this.#lost = 0;
  }
}

/** JSON with every secret masked, before anything is cut off. */
function jsonOf(value: unknown, scrub: (text: string) => string): string {
  try {
    const text = scrub(JSON.stringify(value) ?? 'null');
    return text.length <= VALUE_MAX ? text : JSON.stringify({ cut: text.slice(0, VALUE_MAX / 2) });
  } catch (error) {
    return JSON.stringify({ unwritable: scrub(error instanceof Error ? error.message : String(error)) });
  }
}
