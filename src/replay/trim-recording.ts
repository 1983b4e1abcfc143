import type Database from 'better-sqlite3';
import { statSync } from 'node:fs';
import type { EpochMs } from '../domain/clock.ts';
import { StoredEvents } from './stored-events.ts';
import { openForWriting } from './tape-schema.ts';
import { trimStep } from './tape-trim.ts';

export interface Trimmed {
  readonly polls: number;
  readonly events: number;
  readonly bytesBefore: number;
  readonly bytes: number;
  /** When what is left begins; undefined where nothing is. */
  readonly from: EpochMs | undefined;
}

/** What is to go; undefined: no such bound. */
export interface Cuts {
  readonly before: EpochMs | undefined;
  readonly maxBytes: number | undefined;
}

/** No bound by size: larger than any file system. */
const UNBOUNDED_BYTES = 2 ** 47;

/**
 * Trims a recording that no process writes, and gives the room back to the file system. Throws TapeRefused or SQLite's error; what was
 * trimmed by then stays trimmed.
 */
export function trimRecording(path: string, { before, maxBytes = UNBOUNDED_BYTES }: Cuts): Trimmed {
  const bytesBefore = statSync(path).size;
  const db = openForWriting(path, UNBOUNDED_BYTES);
  try {
    const counted = rowsOf(db);
    // Its newest poll stays in any case.
    const bounds = { maxBytes, maxAgeMs: 0 };
    while (trimStep(db, bounds, before ?? Number.NEGATIVE_INFINITY) !== undefined);
    db.pragma('incremental_vacuum');
    db.pragma('wal_checkpoint(TRUNCATE)');
    const left = rowsOf(db);
    const from = db.prepare('SELECT min(began_at) FROM poll').pluck().get() as EpochMs | null;
    return {
      ...{ polls: counted.polls - left.polls, events: counted.events - left.events, bytesBefore },
      ...{ bytes: statSync(path).size, from: from ?? undefined },
    };
  } finally {
    db.close();
  }
}

function rowsOf(db: Database.Database): { polls: number; events: number } {
  return {
    polls: db.prepare('SELECT count(*) FROM poll').pluck().get() as number,
    events: new StoredEvents(db).counts().events,
  };
}
