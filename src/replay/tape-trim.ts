import type Database from 'better-sqlite3';
import type { EpochMs } from '../domain/clock.ts';
import { SEGMENT_BITS, pageLimit } from './tape-schema.ts';

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

/**
 * Drops the oldest stretch of the recording if it is too old or the file nearly full: about one segment of events, up to the
 * end of a poll, so that each call is short. The newest poll always stays. Of listings that stood at the cut the last event is
 * kept, as the ground on which later ones build. Returns the hashes of texts dropped; undefined when there was nothing to do.
 * Throws what SQLite throws, and then has changed nothing.
 */
export function trimStep(db: Database.Database, bounds: TrimBounds, now: EpochMs): readonly Buffer[] | undefined {
  const cut = nextCut(db, bounds, now);
  if (!cut) return undefined;
  const dropped = db.transaction(() => {
    const texts = dropEvents(db, cut);
    db.prepare('DELETE FROM poll WHERE id <= ?').run(cut.poll);
    dropInputs(db, cut.endedAt);
    return dropTexts(db, texts);
  })();
  db.pragma(`incremental_vacuum(${PAGES_AT_ONCE})`);
  return dropped;
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
  const oldest = db.prepare('SELECT id, ended_at AS endedAt, last_event AS event FROM poll ORDER BY id LIMIT 1').get() as
    | { id: number; endedAt: EpochMs; event: number }
    | undefined;
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

/** The newest input of each kind before the cut stays: it was in force then. */
function dropInputs(db: Database.Database, before: EpochMs): void {
  db.prepare(
    'DELETE FROM input WHERE at < :before AND id NOT IN (SELECT max(id) FROM input WHERE at < :before GROUP BY kind)',
  ).run({ before });
  db.prepare('DELETE FROM gap WHERE to_at < ?').run(before);
  db.prepare('DELETE FROM session WHERE id < (SELECT min(session) FROM poll)').run();
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
