import type Database from 'better-sqlite3';
import type { EpochMs } from '../domain/clock.ts';
import { textHash } from './listing-text.ts';
import { perConnection } from './per-connection.ts';
import { type StoredEvent, StoredEvents } from './stored-events.ts';
import { PIECES_MAX, SEGMENT_BITS, pageLimit } from './tape-schema.ts';

export interface TrimBounds {
  /** Of the file and its write-ahead log together; at least 8 MiB makes sense. */
  readonly maxBytes: number;
  readonly maxAgeMs: number;
}

/** Trimming starts this far below the limit, since one poll may bring a whole snapshot. */
const FULL_SHARE = 0.8;

/** Free pages given back to the file system at once: 8 MiB, some ten milliseconds. */
const PAGES_AT_ONCE = 128;

/** Polls without any event are trimmed at most so many at once. */
const POLLS_AT_ONCE = 5_000;

/** Inputs, and pieces of a segment, that are deleted at once: some milliseconds, in which nobody else can write. */
const INPUTS_AT_ONCE = 5_000;
const PIECES_AT_ONCE = 128;

/**
 * Drops a slice of the oldest stretch of the recording if it is too old or the file nearly full: of rows about so many events as a run of
 * their index has, up to the end of a poll; of a segment first its polls and inputs, then itself, then its pieces. So each call is short,
 * and after each the recording tells what is left. The newest poll always stays. Of listings that stood at the cut the last event is
 * kept, as the ground on which later ones build. Returns the hashes of texts dropped; undefined when there was nothing to do.
 * Throws what SQLite throws, and then has changed nothing.
 */
export function trimStep(db: Database.Database, bounds: TrimBounds, now: EpochMs): readonly Buffer[] | undefined {
  const dropped = sliceOf(db, bounds, now);
  if (dropped !== undefined) db.pragma(`incremental_vacuum(${PAGES_AT_ONCE})`);
  return dropped;
}

function sliceOf(db: Database.Database, bounds: TrimBounds, now: EpochMs): readonly Buffer[] | undefined {
  // What was dropped takes room until its pieces are gone: how full the file is can be told only then.
  if (clearedPieces(db)) return [];
  const segment = oldestSegment(db);
  if (segment) return isOver(db, bounds, now, segment.toAt) ? sliceOfSegment(db, segment) : undefined;
  const cut = nextCut(db, bounds, now);
  if (!cut) return undefined;
  return db.transaction(() => {
    const texts = dropEvents(db, cut);
    db.prepare('DELETE FROM poll WHERE id <= ?').run(cut.poll);
    dropInputs(db, cut.endedAt, Number.MAX_SAFE_INTEGER);
    return dropTexts(db, texts);
  })();
}

/** What is asked after every poll. */
const asked = perConnection((db) => ({
  inState: db.prepare('SELECT id FROM segment WHERE whole = ? LIMIT 1').pluck(),
  oldestSegment: db.prepare(
    `SELECT id, last_event AS lastEvent, last_poll AS lastPoll, to_at AS toAt FROM segment
     WHERE whole = 1 AND last_poll < (SELECT max(id) FROM poll) ORDER BY first_event LIMIT 1`,
  ),
  oldestPoll: db.prepare('SELECT id, ended_at AS endedAt, last_event AS event FROM poll ORDER BY id LIMIT 1'),
}));

/** `whole` of a segment that was dropped; 0: it is being made. */
const DROPPED = 2;

/** Whether there was anything left of a segment that was dropped. */
function clearedPieces(db: Database.Database): boolean {
  const id = asked(db).inState.get(DROPPED) as number | undefined;
  if (id === undefined) return false;
  const pieces = db.prepare('DELETE FROM piece WHERE id IN (SELECT id FROM piece WHERE id >= ? AND id < ? LIMIT ?)');
  const { changes } = pieces.run(id * PIECES_MAX, (id + 1) * PIECES_MAX, PIECES_AT_ONCE);
  if (changes < PIECES_AT_ONCE) db.prepare('DELETE FROM segment WHERE id = ?').run(id);
  return true;
}

interface OldSegment {
  readonly id: number;
  readonly lastEvent: number;
  readonly lastPoll: number;
  readonly toAt: EpochMs;
}

/** Its polls and inputs go from the front, some at a time, and with the last of them the segment itself. */
function sliceOfSegment(db: Database.Database, segment: OldSegment): readonly Buffer[] {
  const polls = db.prepare('DELETE FROM poll WHERE id IN (SELECT id FROM poll WHERE id < ? ORDER BY id LIMIT ?)');
  if (polls.run(segment.lastPoll, POLLS_AT_ONCE).changes === POLLS_AT_ONCE) return [];
  if (dropInputs(db, segment.toAt, INPUTS_AT_ONCE) === INPUTS_AT_ONCE) return [];
  return dropSegment(db, segment);
}

/** A segment is dropped as a whole: by age once all of it is too old. */
function oldestSegment(db: Database.Database): OldSegment | undefined {
  return asked(db).oldestSegment.get() as OldSegment | undefined;
}

function isOver(db: Database.Database, { maxBytes, maxAgeMs }: TrimBounds, now: EpochMs, oldestAt: EpochMs): boolean {
  return oldestAt < now - maxAgeMs || pagesUsed(db) > pageLimit(maxBytes) * FULL_SHARE;
}

/** What stood at its end is left as rows; its pieces belong to nothing then. */
function dropSegment(db: Database.Database, { id, lastEvent, lastPoll, toAt }: OldSegment): Buffer[] {
  const next = db.prepare('SELECT session FROM poll WHERE id > ? ORDER BY id LIMIT 1').pluck().get(lastPoll) as number;
  // Read before the transaction writes, so that it is short.
  const standing = new StoredEvents(db).standing(next, 0, lastEvent);
  return db.transaction(() => {
    const texts = db.prepare('DELETE FROM event WHERE id <= ? RETURNING text').pluck().all(lastEvent) as (number | null)[];
    const hashes = dropTexts(
      db,
      texts.filter((text) => text !== null),
    );
    db.prepare('DELETE FROM poll WHERE id <= ?').run(lastPoll);
    dropInputs(db, toAt, INPUTS_AT_ONCE);
    keepRows(db, standing);
    db.prepare('UPDATE segment SET whole = ? WHERE id = ?').run(DROPPED, id);
    return hashes;
  })();
}

function keepRows(db: Database.Database, events: readonly StoredEvent[]): void {
  const text = db.prepare('INSERT INTO text (hash, text) VALUES (?, ?)');
  const insert = db.prepare('INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  for (const event of events) {
    const id = event.text === null ? null : Number(text.run(textHash(event.text), event.text).lastInsertRowid);
    const { row, session, poll, at, kind, market, listing, position, chunk, reason } = event;
    insert.run(row, session, poll, at, kind, market, listing, position, chunk, id, reason);
  }
}

/** The last poll to be dropped. */
interface Cut {
  readonly poll: number;
  readonly endedAt: EpochMs;
  /** The last event up to it. */
  readonly event: number;
  /** Of the first poll that stays: what stood in an earlier session means nothing to it. */
  readonly session: number;
}

function nextCut(db: Database.Database, { maxBytes, maxAgeMs }: TrimBounds, now: EpochMs): Cut | undefined {
  const oldest = asked(db).oldestPoll.get() as { id: number; endedAt: EpochMs; event: number } | undefined;
  if (!oldest) return undefined;
  const full = pagesUsed(db) > pageLimit(maxBytes) * FULL_SHARE;
  if (!full && oldest.endedAt >= now - maxAgeMs) return undefined;
  const before = full ? Number.MAX_VALUE : now - maxAgeMs;
  return db
    .prepare(
      `SELECT id AS poll, ended_at AS endedAt, last_event AS event,
         (SELECT session FROM poll AS next WHERE next.id > poll.id ORDER BY next.id LIMIT 1) AS session FROM poll
       WHERE id < (SELECT max(id) FROM poll) AND id <= ? AND ended_at < ? AND (id = ? OR last_event <= ?) ORDER BY id DESC LIMIT 1`,
    )
    .get(oldest.id + POLLS_AT_ONCE, before, oldest.id, oldest.event + (1 << SEGMENT_BITS)) as Cut | undefined;
}

/** Returns the ids of the texts that the dropped events referred to. */
function dropEvents(db: Database.Database, cut: Cut): number[] {
  return db
    .prepare(
      `DELETE FROM event WHERE id <= :event AND id NOT IN (
         SELECT id FROM (SELECT max(id) AS id, kind, session FROM event WHERE id <= :event AND kind <> 'bad' GROUP BY listing, market)
         WHERE kind <> 'gone' AND session = :session
       ) RETURNING text`,
    )
    .pluck()
    .all({ event: cut.event, session: cut.session })
    .filter((text): text is number => typeof text === 'number');
}

/** At most so many, the oldest; how many it were. The newest input of each kind before the cut stays: it was in force then. */
function dropInputs(db: Database.Database, before: EpochMs, limit: number): number {
  const inputs = db.prepare(
    `DELETE FROM input WHERE id IN (
       SELECT id FROM input WHERE at < :before AND id NOT IN (SELECT max(id) FROM input WHERE at < :before GROUP BY kind)
       ORDER BY id LIMIT :limit
     )`,
  );
  const { changes } = inputs.run({ before, limit });
  if (changes === limit) return changes;
  db.prepare('DELETE FROM gap WHERE to_at < ?').run(before);
  db.prepare('DELETE FROM session WHERE id < (SELECT min(session) FROM poll)').run();
  return changes;
}

function dropTexts(db: Database.Database, texts: readonly number[]): Buffer[] {
  const drop = db
    .prepare('DELETE FROM text WHERE id = ? AND NOT EXISTS (SELECT 1 FROM event WHERE event.text = text.id) RETURNING hash')
    .pluck();
  return [...new Set(texts)].map((id) => drop.get(id)).filter((hash): hash is Buffer => Buffer.isBuffer(hash));
}

/** Pages that hold something. */
function pagesUsed(db: Database.Database): number {
  return Number(db.pragma('page_count', { simple: true })) - Number(db.pragma('freelist_count', { simple: true }));
}
