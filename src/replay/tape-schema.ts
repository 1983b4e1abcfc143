import { closeSync, chmodSync, existsSync, lstatSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';

/** `application_id` of a recording, "MgTp": another program's database is not written into. */
const APPLICATION_ID = 0x4d675470;

/** The form of the recording that this version writes; kept in `user_version`. */
const TAPE_VERSION = 2;

/** The form before, without segments: it is read as it is, and becomes this one when it is written. */
const ROWS_ONLY = 1;

/** Large pages, for the column segments that a recording is compacted into; they must be set before the first write. */
const PAGE_BYTES = 65_536;

/** Pages in the write-ahead log before it is brought home: 4 MiB of them, since SQLite's 1,000 would be 64 MiB. */
const WAL_PAGES = 64;

/** A recording smaller than this could not hold one snapshot. */
const PAGES_MIN = 24;

/** How long a write waits for another one. Short, since the whole process waits with it. */
const BUSY_MS = 100;

/**
 * Events are looked up by listing within runs of 4,096 rows, so that writing touches only the newest few pages of the index;
 * one index over everything would touch a page of its own for nearly every event.
 */
export const SEGMENT_BITS = 12;

// Times are steady epoch milliseconds. Rows only ever grow at the end and are trimmed at the front.
// An event of a listing whose poll was trimmed is kept while the listing stood: it is what later events build on.
const schema = `
  CREATE TABLE session (id INTEGER PRIMARY KEY, started_at REAL NOT NULL, stopped_at REAL, version TEXT NOT NULL, mode TEXT NOT NULL) STRICT;
  CREATE TABLE poll (
    id INTEGER PRIMARY KEY, session INTEGER NOT NULL, seq INTEGER NOT NULL, began_at REAL NOT NULL, ended_at REAL NOT NULL,
    outcome TEXT NOT NULL, complete INTEGER NOT NULL, first INTEGER NOT NULL, status INTEGER, bytes INTEGER, count INTEGER,
    bad INTEGER, request_id TEXT, service_date REAL, message TEXT, last_event INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE text (id INTEGER PRIMARY KEY, hash BLOB NOT NULL, text TEXT NOT NULL) STRICT;
  CREATE TABLE event (
    id INTEGER PRIMARY KEY, session INTEGER NOT NULL, poll INTEGER NOT NULL, at REAL NOT NULL, kind TEXT NOT NULL,
    market TEXT NOT NULL, listing TEXT NOT NULL, position INTEGER, chunk INTEGER, text INTEGER, reason TEXT
  ) STRICT;
  CREATE INDEX event_by_listing ON event (id >> ${SEGMENT_BITS}, listing);
  CREATE INDEX event_by_text ON event (text) WHERE text IS NOT NULL;
  CREATE TABLE input (id INTEGER PRIMARY KEY, session INTEGER NOT NULL, at REAL NOT NULL, kind TEXT NOT NULL, value TEXT NOT NULL) STRICT;
  CREATE TABLE gap (
    id INTEGER PRIMARY KEY, session INTEGER NOT NULL, from_at REAL NOT NULL, to_at REAL NOT NULL,
    polls INTEGER NOT NULL, inputs INTEGER NOT NULL, reason TEXT NOT NULL
  ) STRICT;
`;

// A segment counts once it is whole (1); until then (0), and once it is dropped (2), its pieces belong to nothing. What lies in a segment may lie in `event` as
// well, until that is cleared away.
const segments = `
  CREATE TABLE segment (
    id INTEGER PRIMARY KEY, whole INTEGER NOT NULL, session INTEGER NOT NULL, first_event INTEGER NOT NULL, last_event INTEGER NOT NULL,
    last_poll INTEGER NOT NULL, events INTEGER NOT NULL, to_at REAL NOT NULL, shape TEXT NOT NULL
  ) STRICT;
  CREATE TABLE piece (id INTEGER PRIMARY KEY, crc INTEGER NOT NULL, data BLOB NOT NULL) STRICT;
`;

/** Pieces of one segment: their rows begin at its own number times this. */
export const PIECES_MAX = 65_536;

/** Pages the file may grow to, the write-ahead log beside it allowed for. */
export function pageLimit(maxBytes: number): number {
  return Math.max(PAGES_MIN, Math.floor(maxBytes / PAGE_BYTES) - WAL_PAGES);
}

/** The file is no recording that this version of Magpie can use. */
export class TapeRefused extends Error {
  override readonly name = 'TapeRefused';
}

/**
 * Opens the recording for writing, and creates it (readable by its owner only) when there is none. Not money, so a commit does
 * not wait for the disk: a power cut may cost the last seconds, never the file. Throws TapeRefused, also for a link in its place, or
 * SQLite's error.
 */
export function openForWriting(path: string, maxBytes: number): Database.Database {
  checkPlain(path);
  // An existing file is not even opened: closing it again would free the locks that this process holds on it.
  if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600));
  chmodSync(path, 0o600);
  const db = new Database(path, { timeout: BUSY_MS });
  try {
    if (isEmpty(db)) create(db);
    checkOurs(db, path);
    if (!hasSegments(db)) addSegments(db);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma(`wal_autocheckpoint = ${WAL_PAGES}`);
    db.pragma(`journal_size_limit = ${WAL_PAGES * PAGE_BYTES}`);
    db.pragma(`max_page_count = ${pageLimit(maxBytes)}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Opens a recording to read, beside a process that writes it or alone. Of one that is cut off, what is there can be read up to where it
 * is missed. Throws TapeRefused or SQLite's error.
 */
export function openForReading(path: string): Database.Database {
  const db = new Database(path, { readonly: true, timeout: 2_000 });
  try {
    if (isCutOff(db)) readWhatIsThere(db);
    checkOurs(db, path);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** SQLite reads nothing of a file that is shorter than it says. */
function isCutOff(db: Database.Database): boolean {
  try {
    db.pragma('schema_version');
    return false;
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_CORRUPT') return true;
    throw error;
  }
}

/** That it is read only keeps this harmless: who repairs a schema may look into such a file. */
function readWhatIsThere(db: Database.Database): void {
  db.unsafeMode(true);
  db.pragma('writable_schema = ON');
}

/** Whoever puts a link here wants something written elsewhere. */
function checkPlain(path: string): void {
  for (const file of ['', '-wal', '-shm', '-journal'].map((suffix) => path + suffix)) {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isFile())
      throw new TapeRefused(`${file} must be a plain file, not a link or anything else`);
  }
}

function isEmpty(db: Database.Database): boolean {
  return (
    db.prepare('SELECT count(*) AS n FROM sqlite_schema').pluck().get() === 0 &&
    db.pragma('application_id', { simple: true }) === 0
  );
}

function create(db: Database.Database): void {
  db.pragma(`page_size = ${PAGE_BYTES}`);
  db.pragma('auto_vacuum = INCREMENTAL');
  db.transaction(() => {
    db.exec(schema);
    db.exec(segments);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${TAPE_VERSION}`);
  })();
}

/** Whether a recording is of the form that may hold segments. */
export function hasSegments(db: Database.Database): boolean {
  return db.pragma('user_version', { simple: true }) !== ROWS_ONLY;
}

function addSegments(db: Database.Database): void {
  db.transaction(() => {
    db.exec(segments);
    db.pragma(`user_version = ${TAPE_VERSION}`);
  })();
}

function checkOurs(db: Database.Database, path: string): void {
  if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID)
    throw new TapeRefused(`${path} is not a recording of Magpie`);
  const version = db.pragma('user_version', { simple: true });
  if (version === TAPE_VERSION || version === ROWS_ONLY) return;
  throw new TapeRefused(`${path} was written by a newer Magpie (form ${String(version)}; this one knows ${TAPE_VERSION})`);
}
