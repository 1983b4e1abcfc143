import type { EpochMs } from '../domain/clock.ts';
import type { Decision } from '../domain/decision.ts';
import type { AccountLimits } from '../domain/limits.ts';
import type { BuyOutcome } from '../domain/outcome.ts';
import type { Purchase } from '../domain/purchase.ts';
import type { BalanceReading } from '../domain/readings.ts';
import type { Refusal } from '../risk/caps.ts';
import type { Approved, Intent } from '../risk/intent.ts';
import type { Finding, Known } from './evidence.ts';
import type { WireTimes } from './ports.ts';

export interface Halt {
  readonly reason: string;
  /** `person` for the halt command, else what tripped. */
  readonly by: string;
  readonly at: EpochMs;
}

/** When the stages of one request passed, steady epoch milliseconds; undefined or left out for what is not known. */
export interface SendTimes extends WireTimes {
  /** The intent was on disk. */
  readonly committedAt?: EpochMs | undefined;
}

export type Committed = { readonly ok: true; readonly purchase: Purchase } | ({ readonly ok: false } & Refusal);

/**
 * The durable record of money. Every method that changes it is one transaction, committed and synced before it returns. A
 * write that fails throws JournalFailure and has changed nothing.
 */
export interface Journal {
  /**
   * Writes an intent after checking, from rows and inside the same transaction: no halt, the listing not taken, every cap,
   * the reserve by the newest balance reading, the unknown pause. This answer is the one that counts.
   * For the paper lane the row is written as `simulated` and only the paper lane's own rows are counted.
   */
  commitIntent(intent: Approved<Intent>, limits: AccountLimits, now: EpochMs): Committed;
  /** The outcome of a purchase's request, and with it, when it trips one, the halt. */
  recordOutcome(purchaseId: number, outcome: BuyOutcome, times: SendTimes, halt: string | undefined, now: EpochMs): Purchase;
  /** At start, before anything is sent: rows left `intended` by a crash become `unknown`. Returns those. */
  orphansToUnknown(now: EpochMs): readonly Purchase[];

  /** Purchases on whose fate something is open: on their way, of unknown outcome, bought and not final, or held. */
  uncertain(): readonly Purchase[];
  /** Those of the given transactions that have been used as evidence, or are older than the account's first look. */
  usedTransactions(transactionIds: readonly string[]): ReadonlySet<string>;
  /** What evidence is held against; `orderIds` and `transactionIds` are those of the rows just seen. */
  known(orderIds: readonly string[], transactionIds: readonly string[], now: EpochMs): Known;
  /** The part of it that tells, before anything is asked, what is waited for. */
  waitedFor(now: EpochMs): Pick<Known, 'purchases' | 'booked'>;
  /** Applies everything one look has shown. Returns the purchases that changed. */
  apply(findings: readonly Finding[], now: EpochMs): readonly Purchase[];
  /** Keeps a balance reading and marks the debits it shows. Returns the purchases that changed. */
  recordBalance(reading: BalanceReading): readonly Purchase[];
  /** A person's verdict on an unknown purchase, kept with the reason. Throws when it is not unknown. */
  resolve(purchaseId: number, as: 'bought' | 'not-bought', reason: string, now: EpochMs): Purchase;

  halt(reason: string, by: string, now: EpochMs): Halt;
  resume(now: EpochMs): void;
  halted(): Halt | undefined;

  recordDecisions(decisions: readonly Decision[]): void;
  purchase(id: number): Purchase | undefined;
}

/** The journal could not be written: nothing changed, nothing may be sent. */
export class JournalFailure extends Error {
  override readonly name = 'JournalFailure';
}
