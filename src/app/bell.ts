import type { Alert } from '../domain/alert.ts';
import type { Log } from '../engine/ports.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { JournalGuard } from './journal-guard.ts';

/** Rings for what a person should know: shown at once, kept in the ledger. */
export class Bell {
  readonly #log: Log;
  readonly #ledger: Pick<Ledger, 'recordAlert'>;
  readonly #journal: JournalGuard;
  readonly #rung = new Set<string>();

  constructor(log: Log, ledger: Pick<Ledger, 'recordAlert'>, journal: JournalGuard) {
    this.#log = log;
    this.#ledger = ledger;
    this.#journal = journal;
  }

  ring(alert: Alert): void {
    this.show(alert);
    this.#journal.attempt(() => this.#ledger.recordAlert(alert));
  }

  /** Shows an alert that is kept already. */
  show({ kind, message, next, purchaseId }: Alert): void {
    this.#log.warn('alert', { kind, message, next, purchaseId });
  }

  /** Rings unless it has rung for this cause since it was last over. */
  once(cause: string, alert: Alert): void {
    if (this.#rung.has(cause)) return;
    this.#rung.add(cause);
    this.ring(alert);
  }

  /** The cause is over: it may ring for it again. */
  again(cause: string): void {
    this.#rung.delete(cause);
  }
}
