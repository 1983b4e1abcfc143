import type Database from 'better-sqlite3';
import type { EpochMs } from '../domain/clock.ts';
import type { ListingKey } from '../domain/listing.ts';
import type { BadEntry, ListingChange, PollResult } from '../engine/snapshot.ts';
import { listingText } from './listing-text.ts';
import type { InputRow } from './inputs.ts';
import type { ListingChanges } from './outage.ts';
import { TextRows } from './text-rows.ts';

/** A stretch of the session of which polls or inputs are missing. */
export interface GapRow {
  readonly fromAt: EpochMs;
  readonly polls: number;
  readonly inputs: number;
  readonly reason: string;
}

/** What is written in one transaction: one poll, and what came in since the one before. */
export interface Batch {
  readonly poll: PollResult;
  readonly changes: ListingChanges;
  readonly inputs: readonly InputRow[];
  readonly gap: GapRow | undefined;
}

/** One run of the process, so that what lies between two of them is known to be unseen. */
export interface Session {
  readonly startedAt: EpochMs;
  readonly version: string;
  readonly mode: string;
  readonly scrub: (text: string) => string;
}

/**
 * The statements of the recording. Its methods throw what SQLite throws; the file is then as it was before, and this object must
 * not be used again.
 */
export class TapeWriter {
  readonly #db: Database.Database;
  readonly #transaction: (batch: Batch) => void;
  readonly #scrub: (text: string) => string;
  readonly #session: number;
  readonly #statements: ReturnType<typeof statements>;
  readonly #texts: TextRows;
  #nextEvent: number;

  constructor(db: Database.Database, session: Session) {
    this.#db = db;
    this.#transaction = db.transaction((batch: Batch) => this.#writeAll(batch));
    this.#scrub = session.scrub;
    this.#session = beginOrGoOn(db, session);
    this.#statements = statements(db);
    // Not the highest id alone: the newest events may have been trimmed, and a poll still counts them.
    this.#nextEvent =
      1 + number(db, 'SELECT max(coalesce((SELECT max(id) FROM event), 0), coalesce((SELECT max(last_event) FROM poll), 0))');
    this.#texts = new TextRows(db);
  }

  write(batch: Batch): void {
    this.#transaction(batch);
    this.#texts.bound();
  }

  /** Rows of these texts are gone. */
  forget(hashes: readonly Buffer[]): void {
    this.#texts.forget(hashes);
  }

  stop(at: EpochMs, inputs: readonly InputRow[]): void {
    this.#db.transaction(() => {
      this.#writeInputs(inputs);
      this.#statements.stop.run(at, this.#session);
    })();
  }

  #writeInputs(inputs: readonly InputRow[]): void {
    for (const input of inputs) this.#statements.input.run(this.#session, input.at, input.kind, input.value);
  }

  #writeAll({ poll, changes, inputs, gap }: Batch): void {
    const { facts } = poll;
    const id = 1 + (this.#statements.newestPoll.get() as number);
    if (gap) this.#statements.gap.run(this.#session, gap.fromAt, facts.beganAt, gap.polls, gap.inputs, gap.reason);
    this.#writeInputs(inputs);
    for (const change of changes.changed) this.#writeChange(id, change);
    for (const { key, at } of changes.gone) this.#event(id, at, 'gone', ...parts(key), null, null, null, null);
    const bad = poll.ok ? poll.change.bad.filter((entry) => entry.fresh) : [];
    for (const entry of bad) this.#writeBad(id, facts.endedAt, entry);
    this.#writePoll(id, poll);
  }

  #writePoll(id: number, poll: PollResult): void {
    const { seq, beganAt, endedAt, status, bytes, count, requestId, serviceDate } = poll.facts;
    const { outcome, complete, first, bad, message } = summary(poll);
    const lastEvent = this.#nextEvent - 1;
    this.#statements.poll.run(
      ...[id, this.#session, seq, beganAt, endedAt, outcome, complete ? 1 : 0, first ? 1 : 0],
      ...[
        status ?? null,
        bytes ?? null,
        count ?? null,
        bad,
        this.#scrub(requestId ?? '') || null,
        serviceDate ?? null,
        this.#scrub(message ?? '') || null,
        lastEvent,
      ],
    );
  }

  #writeChange(poll: number, { kind, listing, seenAt, position, chunk, raw }: ListingChange): void {
    this.#event(poll, seenAt, kind, listing.market, listing.id, position, chunk, this.#textId(raw), null);
  }

  #writeBad(poll: number, at: EpochMs, { market, id, position, raw, reason }: BadEntry): void {
    this.#event(poll, at, 'bad', market ?? '', this.#scrub(id ?? ''), position, null, this.#textId(raw), this.#scrub(reason));
  }

  #event(...[poll, at, kind, market, listing, position, chunk, text, reason]: EventRow): void {
    this.#statements.event.run(
      this.#nextEvent++,
      this.#session,
      poll,
      at,
      kind,
      this.#scrub(market),
      listing,
      position,
      chunk,
      text,
      reason,
    );
  }

  #textId(raw: unknown): number {
    return this.#texts.idOf(listingText(raw, this.#scrub));
  }
}

type EventRow = readonly [
  poll: number,
  at: EpochMs,
  kind: string,
  market: string,
  listing: string,
  position: number | null,
  chunk: number | null,
  text: number | null,
  reason: string | null,
];

/** The row of this run of the process: a new one, or the one it made before its handle on the file failed. */
function beginOrGoOn(db: Database.Database, { startedAt, version, mode }: Session): number {
  const own = db.prepare('SELECT max(id) FROM session WHERE started_at = ? AND stopped_at IS NULL').pluck().get(startedAt);
  if (typeof own === 'number') return own;
  return Number(
    db.prepare('INSERT INTO session (started_at, version, mode) VALUES (?, ?, ?)').run(startedAt, version, mode).lastInsertRowid,
  );
}

function statements(db: Database.Database) {
  return {
    poll: db.prepare('INSERT INTO poll VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    event: db.prepare('INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    input: db.prepare('INSERT INTO input (session, at, kind, value) VALUES (?, ?, ?, ?)'),
    gap: db.prepare('INSERT INTO gap (session, from_at, to_at, polls, inputs, reason) VALUES (?, ?, ?, ?, ?, ?)'),
    newestPoll: db.prepare('SELECT coalesce(max(id), 0) FROM poll').pluck(),
    stop: db.prepare('UPDATE session SET stopped_at = ? WHERE id = ?'),
  };
}

function summary(poll: PollResult): {
  outcome: string;
  complete: boolean;
  first: boolean;
  bad: number | null;
  message: string | undefined;
} {
  if (!poll.ok) return { outcome: poll.fault.cause, complete: false, first: false, bad: null, message: poll.fault.message };
  const { complete, first, badCount, trouble } = poll.change;
  return { outcome: trouble?.kind ?? 'ok', complete, first, bad: badCount, message: trouble?.message };
}

function parts(key: ListingKey): [market: string, listing: string] {
  const colon = key.lastIndexOf(':');
  return [key.slice(0, colon), key.slice(colon + 1)];
}

function number(db: Database.Database, sql: string): number {
  return db.prepare(sql).pluck().get() as number;
}
