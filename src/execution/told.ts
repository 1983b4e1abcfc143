import type { Alert } from '../domain/alert.ts';
import type { BuyOutcome } from '../domain/outcome.ts';
import type { Purchase } from '../domain/purchase.ts';
import type { AdoptedOrder } from '../engine/state.ts';
import type { Refusal } from '../risk/caps.ts';
import type { Approved, Intent } from '../risk/intent.ts';

/** What execution tells while it works. Each of these is news for the engine; none of them may throw. */
export interface Told {
  /** Rows of the ledger that are new or have changed. */
  purchases(purchases: readonly Purchase[]): void;
  /** A buy request came to something, or a late answer says more; the row has been told already. */
  outcome(purchase: Purchase, outcome: BuyOutcome): void;
  /** The ledger said no to what the engine had approved: nothing was sent. */
  notCommitted(intent: Approved<Intent>, refusal: Refusal): void;
  /** An order that nobody here made was found: it counts in the account's caps from now on. Told again when its state has changed. */
  adopted(order: AdoptedOrder): void;
  /** An order that had been adopted has turned out to be a purchase's own: that one counts, and it does so no more. */
  explained(orderId: string): void;
  /** A halt was written. */
  halted(): void;
  /** An alert that is kept already. */
  alert(alert: Alert): void;
  /** The journal refused a write, or takes them again (undefined). */
  journal(failure: string | undefined): void;
}

/** Called at each boundary between effects; by default nothing. A simulation kills the process there. */
export type CrashPoint = (name: string) => void;
