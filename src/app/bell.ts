import type { Alert } from '../domain/alert.ts';
import type { EpochMs } from '../domain/clock.ts';
import type { Log } from '../engine/ports.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { JournalGuard } from './journal-guard.ts';

/** Alerts that wait for a journal which takes no writes; more are shown, but not kept. */
const UNKEPT_MAX = 100;

/** Rings for what a person should know: shown at once, kept in the ledger. */
export class Bell {
  readonly #log: Log;
  readonly #ledger: Pick<Ledger, 'recordAlert'>;
  readonly #journal: Pick<JournalGuard, 'attempt'>;
  readonly #rung = new Set<string>();
  /** Oldest first. */
  readonly #unkept: Alert[] = [];

  constructor(log: Log, ledger: Pick<Ledger, 'recordAlert'>, journal: Pick<JournalGuard, 'attempt'>) {
    this.#log = log;
    this.#ledger = ledger;
    this.#journal = journal;
  }

  ring(alert: Alert): void {
    this.show(alert);
    if (this.#unkept.length < UNKEPT_MAX) this.#unkept.push(alert);
    this.keep();
  }

  /** Keeps what the journal would not take before. */
  keep(): void {
    for (let next = this.#unkept[0]; next !== undefined; next = this.#unkept[0]) {
      const alert = next;
      const kept = this.#journal.attempt(() => {
        this.#ledger.recordAlert(alert);
        return true;
      });
      if (kept === undefined) return;
      this.#unkept.shift();
    }
  }

  /** Those that the journal would not take so far, oldest first. */
  unkept(): readonly Alert[] {
    return this.#unkept;
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

/** Buying has halted itself, for whatever reason. */
export function haltAlert(reason: string, at: EpochMs): Alert {
  const message = `Buying has halted itself: ${reason}`;
  return { kind: 'halt', at, message, next: 'look into it, then run `magpie resume`', purchaseId: undefined };
}
