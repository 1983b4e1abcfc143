import type Database from 'better-sqlite3';
import type { EpochMs } from '../domain/clock.ts';
import type { ListingKey } from '../domain/listing.ts';
import type { BadEntry, ListingChange, PollResult } from '../engine/snapshot.ts';
import { listingText } from './listing-text.ts';
import type { InputRow } from './inputs.ts';
import type { ListingChanges } from './outage.ts';

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

/** Texts whose rows are known, so that an entry seen again is not stored again. */
const TEXTS_REMEMBERED = 50_000;
const TEXTS_LOADED = 20_000;

/**
 * The statements of the recording. Its methods throw what SQLite throws; the file is then as it was before, and this object must
 * not be used again.
 */
export class TapeWriter {
  readonly #db: Database.Database;
  readonly #scrub: (text: string) => string;
  readonly #session: number;
  readonly #insert: ReturnType<typeof statements>;
  readonly #textIds = new Map<string, number>();
  #nextEvent: number;

  constructor(db: Database.Database, session: Session) {
    this.#db = db;
    this.#scrub = session.scrub;
    this.#session = beginOrGoOn(db, session);
    this.#insert = statements(db);
    // Not the highest id alone: the newest events may have been trimmed, and a poll still counts them.
    this.#nextEvent =
      1 + number(db, 'SELECT max(coalesce((SELECT max(id) FROM event), 0), coalesce((SELECT max(last_event) FROM poll), 0))');
    const texts = db.prepare('SELECT id, hash FROM text ORDER BY id DESC LIMIT ?').all(TEXTS_LOADED) as {
      id: number;
      hash: Buffer;
    }[];
    for (const { id, hash } of texts.reverse()) this.#textIds.set(hash.toString('latin1'), id);
  }

  write(batch: Batch): void {
    this.#db.transaction(() => this.#writeAll(batch))();
    this.#forgetTexts();
  }

  /** Rows of these texts are gone. */
  forget(hashes: readonly Buffer[]): void {
    for (const hash of hashes) this.#textIds.delete(hash.toString('latin1'));
  }

  stop(at: EpochMs, inputs: readonly InputRow[]): void {
    this.#db.transaction(() => {
      this.#writeInputs(inputs);
      this.#insert.stop.run(at, this.#session);
    })();
  }

  #writeInputs(inputs: readonly InputRow[]): void {
    for (const input of inputs) this.#insert.input.run(this.#session, input.at, input.kind, input.value);
  }

  #writeAll({ poll, changes, inputs, gap }: Batch): void {
    const { facts } = poll;
    const id = 1 + number(this.#db, 'SELECT coalesce(max(id), 0) FROM poll');
    if (gap) this.#insert.gap.run(this.#session, gap.fromAt, facts.beganAt, gap.polls, gap.inputs, gap.reason);
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
    this.#insert.poll.run(
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
    this.#insert.event.run(
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
    const { text, hash } = listingText(raw, this.#scrub);
    const name = hash.toString('latin1');
    const known = this.#textIds.get(name);
    if (known !== undefined) return known;
    const id = Number(this.#insert.text.run(hash, text).lastInsertRowid);
    this.#textIds.set(name, id);
    return id;
  }

  #forgetTexts(): void {
    for (const oldest of this.#textIds.keys()) {
      if (this.#textIds.size <= TEXTS_REMEMBERED) return;
      this.#textIds.delete(oldest);
    }
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
    text: db.prepare('INSERT INTO text (hash, text) VALUES (?, ?)'),
    input: db.prepare('INSERT INTO input (session, at, kind, value) VALUES (?, ?, ?, ?)'),
    gap: db.prepare('INSERT INTO gap (session, from_at, to_at, polls, inputs, reason) VALUES (?, ?, ?, ?, ?, ?)'),
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
