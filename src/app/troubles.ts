import type { Alert } from '../domain/alert.ts';
import type { Clock, EpochMs } from '../domain/clock.ts';
import type { Halt } from '../engine/journal.ts';
import type { Slowed } from '../gateway/backoff.ts';
import type { TapeTrouble } from '../replay/trouble.ts';
import { type Bell, haltAlert } from './bell.ts';

/** A shorter wait that the service asks for is nobody's trouble. */
const LONG_WAIT_MS = 60_000;

/** Rings once for each trouble that others have noticed, with what to do about it. */
export class Troubles {
  readonly #bell: Pick<Bell, 'ring' | 'once' | 'again' | 'keep'>;
  readonly #clock: Clock;
  /** Nothing can be recorded just now. */
  recordingPaused = false;

  constructor(bell: Pick<Bell, 'ring' | 'once' | 'again' | 'keep'>, clock: Clock) {
    this.#bell = bell;
    this.#clock = clock;
  }

  /** The journal refuses writes, and why; undefined: it takes them again. */
  journal(failing: string | undefined): void {
    if (failing === undefined) return this.#bell.keep();
    const next = failing.includes('it is damaged')
      ? 'stop Magpie, then `magpie restore FILE` with the newest backup, and start again; `magpie status` says it step by step; nothing is bought meanwhile'
      : 'free disk space or repair the data folder; nothing is bought meanwhile';
    this.#bell.ring(this.#alert('disk', `The journal cannot be written: ${failing}`, next));
  }

  /** The recording stopped, or goes on. */
  recording(trouble: TapeTrouble): void {
    this.recordingPaused = trouble.kind !== 'resumed';
    if (trouble.kind === 'resumed') return this.#bell.again('recording');
    this.#bell.once('recording', this.#alert('disk', `Recording pauses: ${trouble.message}`, trouble.next));
  }

  /** Less space is free than there should be, in words; undefined: there is enough again. */
  space(little: string | undefined): void {
    if (little === undefined) return this.#bell.again('space');
    const next = 'free disk space; when it is full nothing can be bought. Until then no backup is made';
    this.#bell.once('space', this.#alert('disk', `The disk is nearly full: ${little}`, next));
  }

  /** A scheduled backup could not be made, and why; undefined: one was. */
  backup(failed: string | undefined): void {
    if (failed === undefined) return this.#bell.again('backup');
    const next = 'see to it; Magpie tries again each hour, and `magpie backup FILE` makes one elsewhere';
    this.#bell.once('backup', this.#alert('disk', `No backup could be made: ${failed}`, next));
  }

  /** The nightly check of the ledger could not be made, and why; undefined: it was. */
  check(failed: string | undefined): void {
    if (failed === undefined) return this.#bell.again('check');
    const next = 'check the disk; Magpie tries again each hour';
    this.#bell.once('check', this.#alert('disk', `The ledger could not be checked for damage: ${failed}`, next));
  }

  /** The machine's clock cannot be trusted, by what it was held against; undefined: it can. */
  clock(wrong: string | undefined): void {
    if (wrong === undefined) return this.#bell.again('clock');
    const next = 'set the clock of this machine right, have NTP keep it, and start Magpie again: a run reads it once';
    this.#bell.once('clock', this.#alert('clock', `Nothing is bought while the clock cannot be trusted: ${wrong}`, next));
  }

  /** The service asked us to slow down. */
  slowed(until: EpochMs, { cause, message }: Pick<Slowed, 'cause' | 'message'>): void {
    if (cause !== 'ban' && until - this.#clock.now() < LONG_WAIT_MS) return;
    const what = cause === 'ban' ? 'The service shuts its door on this key' : 'The service asks us to slow down';
    const next =
      cause === 'ban'
        ? 'look whether the key is still good, and whether anything else uses it; Magpie tries again by itself'
        : 'lower rate.reads and rate.buys, or find out what else uses this key; Magpie goes on by itself';
    const words = `${what} until ${new Date(until).toISOString()}: ${message}`;
    this.#bell.once('slowed-down', this.#alert('slowed-down', words, next));
  }

  /** A halt stands in the ledger that was not known; a person's own is no news to them. */
  halted({ reason, by }: Halt): void {
    if (by !== 'person') this.#bell.ring(haltAlert(reason, this.#clock.now()));
  }

  #alert(kind: Alert['kind'], message: string, next: string): Alert {
    return { kind, at: this.#clock.now(), message, next, purchaseId: undefined };
  }
}
