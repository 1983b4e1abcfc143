import { JournalFailure } from '../engine/journal.ts';
import type { Log } from '../engine/ports.ts';
import type { Posted } from './engine-loop.ts';

export interface GuardOptions {
  readonly post: (event: Posted) => void;
  readonly log: Log;
  /** Writes as an intent would; throws JournalFailure while that is refused. */
  readonly probe: () => void;
  /** Told when the journal begins to refuse writes, and why; with undefined when it takes them again. */
  readonly onTurn: (failing: string | undefined) => void;
}

/**
 * Stands between the daemon and a journal that may fail: a write that fails closes buying and says so once. From then on nothing is
 * written until the journal has proved that it takes intents again: each try may wait for a lock, and meanwhile nothing is watched.
 * The process stays up.
 */
export class JournalGuard {
  readonly #post: (event: Posted) => void;
  readonly #log: Log;
  readonly #probe: () => void;
  readonly #onTurn: (failing: string | undefined) => void;
  #failing: string | undefined;

  constructor({ post, log, probe, onTurn }: GuardOptions) {
    this.#post = post;
    this.#onTurn = onTurn;
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
    const isNews = this.#failing === undefined;
    this.#failing = message;
    if (isNews) this.#onTurn(message);
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
    this.#onTurn(undefined);
  }
}
