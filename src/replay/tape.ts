import type Database from 'better-sqlite3';
import type { EpochMs } from '../domain/clock.ts';
import type { PollResult } from '../engine/snapshot.ts';
import { InputBuffer, type TapeInputs } from './inputs.ts';
import { Outage, changesOf } from './outage.ts';
import { compacting, isDue } from './segment/compact.ts';
import { openForWriting } from './tape-schema.ts';
import { type TrimBounds, trimStep } from './tape-trim.ts';
import { type GapRow, TapeWriter } from './tape-writer.ts';
import { type TapeTrouble, pausedBy } from './trouble.ts';

export interface TapeOptions extends TrimBounds {
  readonly path: string;
  /** Of Magpie: which program wrote this session. */
  readonly version: string;
  readonly mode: string;
  readonly startedAt: EpochMs;
  /** Masks our secrets, should the service ever send one back. */
  readonly scrub: (text: string) => string;
  /** Called when recording pauses, when the reason for it changes, and when it goes on. */
  readonly onTrouble: (trouble: TapeTrouble) => void;
}

/** Stretches trimmed before writing is tried again: enough to make room for a snapshot. */
const TRIMS_BEFORE_RETRY = 20;

/**
 * The recording while it is made: every input of the decisions, in the order in which they came. None of its methods throws.
 * When it cannot be written it pauses, says so, tries again, and records the gap; the state of the listings is right again
 * from the first poll that can be written. Time is told by what is recorded.
 */
export class Tape {
  readonly #options: TapeOptions;
  readonly #inputs: InputBuffer;
  #db: Database.Database | undefined;
  #writer: TapeWriter | undefined;
  #outage: Outage | undefined;
  #compacting: ReturnType<typeof compacting> | undefined;
  #closed = false;

  constructor(options: TapeOptions) {
    this.#options = options;
    this.#inputs = new InputBuffer(options.scrub);
  }

  /** Something that is no poll: written together with the next one. */
  input<K extends keyof TapeInputs>(kind: K, at: EpochMs, value: TapeInputs[K]): void {
    this.#inputs.add(kind, at, value);
  }

  /** One poll and all that came in since the one before, in one transaction. Polls must come in their order. */
  poll(result: PollResult): void {
    // A poll whose recording had waited for its buys may come after the end.
    if (this.#closed) return;
    const now = result.facts.endedAt;
    this.#outage?.add(result);
    if (this.#outage && !this.#outage.isRetryDue(now)) return this.#outage.lose();
    try {
      const writer = this.#open();
      if (this.#outage) this.#trim(writer, now, TRIMS_BEFORE_RETRY);
      const changes = this.#outage?.folded() ?? changesOf(result);
      writer.write({ poll: result, changes, inputs: this.#inputs.rows, gap: this.#gap(now) });
    } catch (error) {
      this.#fail(error, now, result);
      return;
    }
    this.#inputs.written();
    this.#resume(now);
    this.#gently(now, (writer, db) => this.#compact(writer, db));
    this.#gently(now, (writer) => this.#trim(writer, now, 1));
  }

  /** Ends the session; what came in after the last poll is written with it. */
  close(at: EpochMs): void {
    if (this.#closed) return;
    this.#closed = true;
    try {
      if (!this.#outage) this.#open().stop(at, this.#inputs.rows);
    } catch (error) {
      this.#fail(error, at, undefined);
    }
    this.#drop();
  }

  #open(): TapeWriter {
    if (this.#writer) return this.#writer;
    this.#db = openForWriting(this.#options.path, this.#options.maxBytes);
    this.#writer = new TapeWriter(this.#db, this.#options);
    return this.#writer;
  }

  #gap(now: EpochMs): GapRow | undefined {
    if (this.#outage)
      return {
        fromAt: this.#outage.since,
        polls: this.#outage.lostPolls,
        inputs: this.#inputs.lost,
        reason: this.#outage.reason,
      };
    return this.#inputs.lost > 0
      ? { fromAt: now, polls: 0, inputs: this.#inputs.lost, reason: 'more inputs than can wait' }
      : undefined;
  }

  /** `lost`: the poll that was not written; undefined when it was. */
  #fail(error: unknown, now: EpochMs, lost: PollResult | undefined): void {
    const trouble = pausedBy(error, now);
    const known = this.#outage?.reason === trouble.message;
    if (this.#outage) this.#outage.failedAgain(now, trouble.message);
    else {
      this.#outage = new Outage(lost?.facts.beganAt ?? now, trouble.message);
      if (lost) this.#outage.add(lost);
    }
    if (lost) this.#outage.lose();
    // A handle that failed is not trusted with the next try.
    this.#drop();
    if (!known) this.#options.onTrouble(trouble);
  }

  #resume(now: EpochMs): void {
    const outage = this.#outage;
    if (!outage) return;
    this.#outage = undefined;
    this.#options.onTrouble({ kind: 'resumed', at: now, since: outage.since, lostPolls: outage.lostPolls });
  }

  /** What keeps the recording small. That it fails is a trouble as any other. */
  #gently(now: EpochMs, work: (writer: TapeWriter, db: Database.Database) => void): void {
    try {
      if (this.#writer && this.#db) work(this.#writer, this.#db);
    } catch (error) {
      this.#fail(error, now, undefined);
    }
  }

  /** One slice, two or three milliseconds: rows become segments long before there are too many. */
  #compact(writer: TapeWriter, db: Database.Database): void {
    if (this.#compacting === undefined && !isDue(db)) return;
    this.#compacting ??= compacting(db);
    const { value: gone, done } = this.#compacting.next();
    if (done === true) this.#compacting = undefined;
    else writer.forget(gone);
  }

  #trim(writer: TapeWriter, now: EpochMs, steps: number): void {
    for (let step = 0; step < steps && this.#db; step++) {
      const dropped = trimStep(this.#db, this.#options, now);
      if (!dropped) return;
      writer.forget(dropped);
    }
  }

  #drop(): void {
    try {
      this.#db?.close();
    } catch {
      // What could not be closed was not usable either; a new handle is opened.
    }
    this.#db = undefined;
    this.#writer = undefined;
    this.#compacting = undefined;
  }
}
