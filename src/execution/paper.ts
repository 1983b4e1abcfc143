import type { Clock } from '../domain/clock.ts';
import type { AccountLimits } from '../domain/limits.ts';
import type { Purchase } from '../domain/purchase.ts';
import { type Journal, JournalFailure } from '../engine/journal.ts';
import type { Approved, Intent } from '../risk/intent.ts';
import type { Told } from './told.ts';

export interface PaperOptions {
  readonly journal: Pick<Journal, 'commitIntent'>;
  readonly clock: Clock;
  /** The account's limits as they stand. */
  readonly limits: () => AccountLimits;
  readonly told: Pick<Told, 'purchases' | 'notCommitted' | 'journal'>;
}

/** Purchases on paper: written as simulated, by the same checks from the same rows. It holds nothing that could send. */
export class Paper {
  readonly #options: PaperOptions;

  constructor(options: PaperOptions) {
    this.#options = options;
  }

  /** The row that was written; undefined when the ledger said no. */
  simulate(intent: Approved<Intent>): Purchase | undefined {
    const { journal, clock, limits, told } = this.#options;
    try {
      const committed = journal.commitIntent(intent, limits(), clock.now());
      if (committed.ok) {
        told.purchases([committed.purchase]);
        return committed.purchase;
      }
      told.notCommitted(intent, committed);
    } catch (error) {
      if (!(error instanceof JournalFailure)) throw error;
      told.journal(error.message);
      told.notCommitted(intent, { reason: 'journal-failed', detail: error.message });
    }
    return undefined;
  }
}
