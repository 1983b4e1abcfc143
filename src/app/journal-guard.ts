import { JournalFailure } from '../engine/journal.ts';
import type { Log } from '../engine/ports.ts';
import type { Posted } from './engine-loop.ts';

/**
 * Stands between the daemon and a journal that may fail: a write that fails closes buying and says so, and the first that
 * succeeds opens it again. The process stays up.
 */
export class JournalGuard {
  readonly #post: (event: Posted) => void;
  readonly #log: Log;
  #failing: string | undefined;

  constructor(post: (event: Posted) => void, log: Log) {
    this.#post = post;
    this.#log = log;
  }

  /** What went wrong with the last write; undefined while all is well. */
  get failing(): string | undefined {
    return this.#failing;
  }

  /** Does a write; undefined when the journal refused it. Anything but a refusal of the journal is a defect and is thrown. */
  attempt<T>(write: () => T): T | undefined {
    try {
      const result = write();
      this.recovered();
      return result;
    } catch (error) {
      if (!(error instanceof JournalFailure)) throw error;
      this.failed(error.message);
      return undefined;
    }
  }

  failed(message: string): void {
    if (this.#failing === message) return;
    this.#failing = message;
    this.#log.error('journal-failed', {
      message,
      next: 'free disk space or repair the data folder; nothing is bought meanwhile',
    });
    this.#post({ type: 'blocked', name: 'journal', refusal: { reason: 'journal-failed', detail: message } });
  }

  recovered(): void {
    if (this.#failing === undefined) return;
    this.#failing = undefined;
    this.#log.info('journal-recovered');
    this.#post({ type: 'unblocked', name: 'journal' });
  }
}
