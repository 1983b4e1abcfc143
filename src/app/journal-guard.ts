import { JournalFailure } from '../engine/journal.ts';
import type { Log } from '../engine/ports.ts';
import type { Posted } from './engine-loop.ts';

/**
 * Stands between the daemon and a journal that may fail: a write that fails closes buying and says so once. From then on nothing is
 * written until the journal has proved that it takes intents again: each try may wait for a lock, and meanwhile nothing is watched.
 * The process stays up.
 */
export class JournalGuard {
  readonly #post: (event: Posted) => void;
  readonly #log: Log;
  readonly #probe: () => void;
  #failing: string | undefined;

  /** `probe` writes as an intent would, and throws JournalFailure while that is refused. */
  constructor(post: (event: Posted) => void, log: Log, probe: () => void) {
    this.#post = post;
    this.#log = log;
    this.#probe = probe;
  }

  /** What went wrong with the last write; undefined while all is well. */
  get failing(): string | undefined {
    return this.#failing;
  }

  /**
   * Does a write; undefined when the journal refused it, or refuses everything at present. Anything but a refusal of the journal is a
   * defect and is thrown.
   */
  attempt<T>(write: () => T): T | undefined {
    if (this.#failing !== undefined) return undefined;
    try {
      return write();
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

  /** Looks whether a journal that refused a write takes intents again: that some small write works proves little on a full disk. */
  mend(): void {
    if (this.#failing === undefined) return;
    try {
      this.#probe();
    } catch (error) {
      if (!(error instanceof JournalFailure)) throw error;
      return this.failed(error.message);
    }
    this.#failing = undefined;
    this.#log.info('journal-recovered');
    this.#post({ type: 'unblocked', name: 'journal' });
  }
}
