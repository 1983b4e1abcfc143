import type { Clock, EpochMs } from '../domain/clock.ts';
import { JournalFailure } from '../engine/journal.ts';
import type { Log } from '../engine/ports.ts';
import type { Posted } from './engine-loop.ts';

/** A journal is well again when trials have succeeded over this long; each relapse doubles it. */
const QUIET_MS = 5_000;
const QUIET_MS_MAX = 5 * 60_000;

/** After as long as this without trouble, the next is no relapse. */
const WELL_MS = 10 * 60_000;

export interface GuardOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly post: (event: Posted) => void;
  readonly log: Log;
  /** Writes as an intent would; throws JournalFailure while that is refused. */
  readonly probe: () => void;
  /**
   * Told when the journal begins to refuse writes, and why; with undefined when it takes them again. A relapse soon after that is the
   * same trouble and is not told again.
   */
  readonly onTurn: (failing: string | undefined) => void;
  /** Writes what must be on disk before buying opens again; where that fails, it stays closed. */
  readonly beforeOpening?: (() => void) | undefined;
}

/**
 * Stands between the daemon and a journal that may fail: a write that fails closes buying and says so once. From then on nothing is
 * written until the journal has proved more than once that it takes intents again: each try may wait for a lock, and meanwhile nothing
 * is watched. The process stays up.
 */
export class JournalGuard {
  readonly #post: (event: Posted) => void;
  readonly #log: Log;
  readonly #probe: () => void;
  readonly #onTurn: (failing: string | undefined) => void;
  readonly #beforeOpening: (() => void) | undefined;
  readonly #clock: Pick<Clock, 'now'>;
  #failing: string | undefined;
  #quietMs = QUIET_MS;
  /** Since when every trial has succeeded. */
  #quietSince: EpochMs | undefined;
  #wellSince: EpochMs | undefined;

  constructor({ clock, post, log, probe, onTurn, beforeOpening }: GuardOptions) {
    this.#clock = clock;
    this.#post = post;
    this.#onTurn = onTurn;
    this.#beforeOpening = beforeOpening;
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
    this.#quietSince = undefined;
    if (this.#failing === message) return;
    const wasWell = this.#failing === undefined;
    this.#failing = message;
    if (wasWell) this.#begins(message);
    this.#post({ type: 'blocked', name: 'journal', refusal: { reason: 'journal-failed', detail: message } });
  }

  /**
   * Looks whether a journal that refused a write takes intents again. That some write works proves little on a full disk, where room
   * comes and goes: buying opens when trials have succeeded for a while.
   */
  mend(): void {
    if (this.#failing === undefined) return;
    try {
      this.#probe();
    } catch (error) {
      if (!(error instanceof JournalFailure)) throw error;
      return this.failed(error.message);
    }
    const now = this.#clock.now();
    this.#quietSince ??= now;
    if (now - this.#quietSince < this.#quietMs) return;
    this.#failing = undefined;
    this.#quietSince = undefined;
    this.#wellSince = now;
    this.#beforeOpening?.();
    if (this.failing !== undefined) return;
    this.#log.info('journal-recovered');
    this.#post({ type: 'unblocked', name: 'journal' });
    this.#onTurn(undefined);
  }

  #begins(message: string): void {
    const isRelapse = this.#wellSince !== undefined && this.#clock.now() - this.#wellSince < WELL_MS;
    this.#quietMs = isRelapse ? Math.min(this.#quietMs * 2, QUIET_MS_MAX) : QUIET_MS;
    if (!isRelapse) this.#onTurn(message);
  }
}
