import type Database from 'better-sqlite3';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { textHash } from './listing-text.ts';
import type { RecordedEvent, RecordedGap, RecordedInput, RecordedPoll, RecordedSession } from './moment.ts';
import { openForWriting } from './tape-schema.ts';
import { TextRows } from './text-rows.ts';

/** Larger than any file system: a copy is as long as what it is made of. */
const UNBOUNDED_BYTES = 2 ** 47;

/** Written in one go: neither a million transactions nor one that holds everything. */
const ROWS_AT_ONCE = 10_000;

/** There is a file with that name already. */
export class RecordingExists extends Error {
  override readonly name = 'RecordingExists';
}

/**
 * A recording that is made of what others told, session after session. It has its name only once it is whole: until `finish` it lies
 * beside it. Throws RecordingExists or SQLite's error; then call `abandon`.
 */
export class RecordingCopy {
  readonly #path: string;
  readonly #part: string;
  readonly #db: Database.Database;
  readonly #texts: TextRows;
  readonly #insert: ReturnType<typeof statements>;
  #session = 0;
  #poll = 0;
  #event = 0;
  #pending = 0;

  constructor(path: string) {
    if (existsSync(path)) throw new RecordingExists(`${path} is there already, and nothing is ever overwritten`);
    this.#path = path;
    this.#part = `${path}.part`;
    removeWith(this.#part);
    this.#db = openForWriting(this.#part, UNBOUNDED_BYTES);
    this.#texts = new TextRows(this.#db);
    this.#insert = statements(this.#db);
    this.#db.prepare('BEGIN').run();
  }

  /** All that follows is of this session, until the next one. */
  session({ startedAt, stoppedAt, version, mode }: RecordedSession): void {
    this.#session = Number(this.#insert.session.run(startedAt, stoppedAt ?? null, version, mode).lastInsertRowid);
    // The ground of the session has a poll of its own that is not recorded.
    this.#poll++;
  }

  /** What stood before the first poll that there is of the session. */
  ground(standing: readonly RecordedEvent[], inForce: readonly RecordedInput[]): void {
    for (const input of inForce) this.input(input);
    for (const event of standing) this.#writeEvent(event);
  }

  input({ kind, at, value }: RecordedInput): void {
    this.#insert.input.run(this.#session, at, kind, value);
    this.#written(1);
  }

  gap({ from, to, polls, inputs, reason }: RecordedGap): void {
    this.#insert.gap.run(this.#session, from, to, polls, inputs, reason);
    this.#written(1);
  }

  poll(poll: RecordedPoll): void {
    const { seq, beganAt, endedAt, outcome, complete, first, status, bytes, count, bad, requestId, serviceDate, message } = poll;
    this.#poll++;
    for (const event of poll.events) this.#writeEvent(event);
    this.#insert.poll.run(
      ...[this.#poll, this.#session, seq, beganAt, endedAt, outcome, complete ? 1 : 0, first ? 1 : 0],
      ...[status ?? null, bytes ?? null, count ?? null, bad ?? null, requestId ?? null, serviceDate ?? null, message ?? null],
      this.#event,
    );
    this.#written(1 + poll.events.length);
  }

  /** Gives the whole recording its name. */
  finish(): void {
    this.#db.prepare('COMMIT').run();
    this.#db.pragma('wal_checkpoint(TRUNCATE)');
    this.#db.pragma('journal_mode = DELETE');
    this.#db.close();
    if (existsSync(this.#path)) throw new RecordingExists(`${this.#path} is there already, and nothing is ever overwritten`);
    renameSync(this.#part, this.#path);
  }

  /** Leaves nothing behind. */
  abandon(): void {
    this.#db.close();
    removeWith(this.#part);
  }

  #writeEvent({ kind, at, market, id, position, chunk, text, reason }: RecordedEvent): void {
    const textId = text === undefined ? null : this.#texts.idOf({ text, hash: textHash(text) });
    this.#insert.event.run(
      ...[++this.#event, this.#session, this.#poll, at, kind, market, id],
      ...[position ?? null, chunk ?? null, textId, reason ?? null],
    );
  }

  #written(rows: number): void {
    this.#pending += rows;
    if (this.#pending < ROWS_AT_ONCE) return;
    this.#pending = 0;
    this.#db.prepare('COMMIT').run();
    this.#texts.bound();
    this.#db.prepare('BEGIN').run();
  }
}

function statements(db: Database.Database) {
  return {
    session: db.prepare('INSERT INTO session (started_at, stopped_at, version, mode) VALUES (?, ?, ?, ?)'),
    poll: db.prepare('INSERT INTO poll VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    event: db.prepare('INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    input: db.prepare('INSERT INTO input (session, at, kind, value) VALUES (?, ?, ?, ?)'),
    gap: db.prepare('INSERT INTO gap (session, from_at, to_at, polls, inputs, reason) VALUES (?, ?, ?, ?, ?, ?)'),
  };
}

/** A file and what SQLite keeps beside it. */
function removeWith(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
}
