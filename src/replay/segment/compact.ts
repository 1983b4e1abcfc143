import type Database from 'better-sqlite3';
import { perConnection } from '../per-connection.ts';
import { type StoredEvent, StoredEvents } from '../stored-events.ts';
import { PIECES_MAX } from '../tape-schema.ts';
import { SegmentBuilder } from './build.ts';
import { piecesOf } from './pieces.ts';

/** Events of a full segment; one poll that has more is not divided. */
const SEGMENT_EVENTS = 65_536;

/** Rows and pieces of a slice: two or three milliseconds. */
const ROWS_AT_ONCE = 256;
const PIECES_AT_ONCE = 16;

/** The events of one session that are to become a segment. */
interface Stretch {
  readonly session: number;
  readonly after: number;
  readonly lastEvent: number;
  readonly lastPoll: number;
  readonly toAt: number;
}

/**
 * Turns rows into column segments, in slices of a few milliseconds: each step of the generator is one, and what was committed by then is whole,
 * whenever it ends. Each gives
 * the hashes of texts whose rows are gone. Rows of a session that goes on stay rows until a segment is full; `all`: until its last poll. Throws what SQLite throws.
 */
export function* compacting(db: Database.Database, all = false): Generator<readonly Buffer[], undefined> {
  yield* clearing(db);
  for (let stretch = nextStretch(db, all); stretch !== undefined; stretch = nextStretch(db, all)) {
    const { session, lastPoll, lastEvent } = stretch;
    const builder = new SegmentBuilder();
    yield* gathering(db, stretch, builder);
    if (builder.size === 0) return undefined;
    const first = one(db.prepare('SELECT min(id) FROM event WHERE id > ?').bind(stretch.after));
    const id = 1 + one(db.prepare('SELECT coalesce(max(id), 0) FROM segment'));
    const insert = db.prepare('INSERT INTO piece (id, crc, data) VALUES (?, ?, ?)');
    db.prepare('INSERT INTO segment VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?)').run(
      ...[id, session, first, lastEvent, lastPoll, builder.size, stretch.toAt, '{}'],
    );
    const pieces = piecesOf(builder.build());
    yield [];
    for (let n = 0, next = pieces.next(); ; n++, next = pieces.next()) {
      if (next.done === true) {
        db.prepare('UPDATE segment SET whole = 1, shape = ? WHERE id = ?').run(JSON.stringify(next.value), id);
        break;
      }
      insert.run(id * PIECES_MAX + n, next.value.crc, next.value.data);
      yield [];
    }
    yield* clearing(db);
  }
  return undefined;
}

/** What is asked after every poll. */
const asked = perConnection((db) => ({
  upTo: db.prepare('SELECT coalesce(max(last_event), 0) FROM segment WHERE whole = 1'),
  sessionAfter: db.prepare('SELECT session FROM event WHERE id > ? ORDER BY id LIMIT 1').pluck(),
  last: db.prepare('SELECT max(id) AS event, (SELECT session FROM poll ORDER BY id DESC LIMIT 1) AS session FROM event'),
}));

/** Whether there is a segment to be made: asked after each poll, so it looks at the ends of the tables only. */
export function isDue(db: Database.Database, all = false): boolean {
  const after = compactedUpTo(db);
  const first = sessionAfter(db, after);
  if (first === undefined) return false;
  const last = asked(db).last.get() as {
    event: number;
    session: number | null;
  };
  return all || last.event > after + SEGMENT_EVENTS || (last.session ?? first) > first;
}

function nextStretch(db: Database.Database, all: boolean): Stretch | undefined {
  const after = compactedUpTo(db);
  const session = sessionAfter(db, after);
  if (session === undefined || !isDue(db, all)) return undefined;
  const upTo = after + SEGMENT_EVENTS;
  const last = db
    .prepare('SELECT poll FROM event WHERE id > ? AND id <= ? AND session = ? ORDER BY id DESC LIMIT 1')
    .pluck()
    .get(after, upTo, session) as number | undefined;
  if (last === undefined) return undefined;
  // A poll is never divided: the last one that fits, or one that is more than a segment by itself.
  const polls = db
    .prepare('SELECT id AS lastPoll, last_event AS lastEvent, ended_at AS toAt FROM poll WHERE id <= ? ORDER BY id DESC LIMIT 2')
    .all(last) as Pick<Stretch, 'lastPoll' | 'lastEvent' | 'toAt'>[];
  const found = polls.find(({ lastEvent }) => lastEvent <= upTo && lastEvent > after) ?? polls[0];
  return found && { session, after, ...found };
}

function compactedUpTo(db: Database.Database): number {
  return one(asked(db).upTo);
}

function sessionAfter(db: Database.Database, after: number): number | undefined {
  return asked(db).sessionAfter.get(after) as number | undefined;
}

function* gathering(db: Database.Database, { after, lastEvent }: Stretch, builder: SegmentBuilder): Generator<readonly Buffer[]> {
  const events = new StoredEvents(db);
  for (let from = after; from < lastEvent;) {
    const page: readonly StoredEvent[] = events.rows(from, lastEvent, ROWS_AT_ONCE);
    for (const event of page) builder.add(event);
    from = page.at(-1)?.row ?? lastEvent;
    yield [];
  }
}

/** Clears away rows that a segment holds as well, and the pieces of segments that never became whole or were dropped. */
function* clearing(db: Database.Database): Generator<readonly Buffer[]> {
  const rows = db
    .prepare(
      `DELETE FROM event WHERE id IN (
         SELECT event.id FROM segment JOIN event ON event.id BETWEEN segment.first_event AND segment.last_event WHERE segment.whole = 1 LIMIT ?
       ) RETURNING text`,
    )
    .pluck();
  const text = db
    .prepare('DELETE FROM text WHERE id = ? AND NOT EXISTS (SELECT 1 FROM event WHERE event.text = text.id) RETURNING hash')
    .pluck();
  const once = db.transaction((): readonly Buffer[] | undefined => {
    const texts = rows.all(ROWS_AT_ONCE) as (number | null)[];
    if (texts.length === 0) return undefined;
    return [...new Set(texts)].map((id) => text.get(id)).filter((hash): hash is Buffer => Buffer.isBuffer(hash));
  });
  for (let gone = once(); gone !== undefined; gone = once()) yield gone;
  const pieces = db.prepare('DELETE FROM piece WHERE id IN (SELECT id FROM piece WHERE id >= ? AND id < ? LIMIT ?)');
  for (const id of db.prepare('SELECT id FROM segment WHERE whole <> 1').pluck().all() as number[]) {
    while (pieces.run(id * PIECES_MAX, (id + 1) * PIECES_MAX, PIECES_AT_ONCE).changes > 0) yield [];
    db.prepare('DELETE FROM segment WHERE id = ?').run(id);
  }
}

function one(statement: Database.Statement): number {
  return statement.pluck().get() as number;
}
