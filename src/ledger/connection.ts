import Database from 'better-sqlite3';
import { JournalFailure } from '../engine/journal.ts';
import { type LedgerFault, type Opened, faultOf, unbuilt } from './failure.ts';

export type Connection = Database.Database;

/** How long another program's lock is waited for: a command can wait, the daemon has listings to watch. */
export const BUSY_MS = { daemon: 2_000, command: 5_000 } as const;

/** Before 3.51.3 a write-ahead log with two connections could be reset wrongly and damage the database (its release notes). */
const SQLITE_MIN = [3, 51, 3] as const;

/**
 * Pages of the write-ahead log (4 KiB each) at which a commit also copies them into the database. The connection of money
 * leaves that to the connection of decisions, whose commits nobody waits for, as long as that one is used at all.
 */
const CHECKPOINT_PAGES = { FULL: 8_000, NORMAL: 1_000 } as const;

/** What a write-ahead log that has grown is cut back to, in bytes. */
const WAL_BYTES_MAX = 8 * 1_024 * 1_024;

/** What `PRAGMA synchronous` answers. */
const SYNCHRONOUS = { NORMAL: 1, FULL: 2 } as const;

/**
 * Opens an existing file for writing. `FULL`: a commit is on the disk before it returns. `NORMAL`, for what may be lost in a
 * power cut: it is on the disk with the next FULL commit. better-sqlite3 opens a write-ahead-log database with NORMAL, so this
 * is set and asserted each time.
 */
export function openForWriting(path: string, synchronous: 'FULL' | 'NORMAL', busyMs: number): Connection {
  const db = new Database(path, { fileMustExist: true, timeout: busyMs });
  try {
    assertPragma(db, 'journal_mode = WAL', 'wal');
    db.pragma(`synchronous = ${synchronous}`);
    assertPragma(db, 'synchronous', SYNCHRONOUS[synchronous]);
    db.pragma('fullfsync = ON');
    db.pragma('checkpoint_fullfsync = ON');
    db.pragma('foreign_keys = ON');
    assertPragma(db, 'foreign_keys', 1);
    db.pragma('cell_size_check = ON');
    db.pragma('trusted_schema = OFF');
    db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES[synchronous]}`);
    db.pragma(`journal_size_limit = ${WAL_BYTES_MAX}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** For one of many ledgers that a process has open: how much of the file a connection keeps in memory, 16 MiB at most otherwise. */
export function keepLittle(db: Connection): void {
  // KiB. What the check of all caps reads of a busy day is far less.
  db.pragma('cache_size = -256');
  // What was set aside for a larger one goes back.
  db.pragma('shrink_memory');
}

/** How the commits of a store wait for the disk. `begin` is called before each transaction, `end` after it, however it ended. */
export interface Wait {
  readonly begin: () => void;
  readonly end: () => void;
  /** Called after a transaction that was committed; what it throws undoes nothing. */
  readonly committed: () => void;
}

/** As the connection was opened. */
export const asOpened: Wait = { begin: () => undefined, end: () => undefined, committed: () => undefined };

/** Commits do not wait, nor does SQLite copy the log into the database by itself: of a sync that fails then it says nothing. */
const RELAXED = 'PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0';
const STRICT = `PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES.FULL}`;

/**
 * Both kinds of commits by one connection that was opened with FULL, for one of many ledgers: a second one would cost as much memory as all
 * else of the ledger. It is FULL but for the time of a relaxed transaction, and no other begins before that was looked at. That a sync has
 * failed the system tells once to each open file, so here nothing may pass over it: a later commit of money would be told that all is well.
 */
export function bothWaits(db: Connection): Readonly<Record<'strict' | 'relaxed', Wait>> {
  const logged = db.prepare<[], { readonly log: number; readonly checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)');
  return {
    strict: { ...asOpened, begin: () => assertFull(db) },
    relaxed: {
      begin: () => void db.exec(RELAXED),
      end: () => void db.exec(STRICT),
      committed: () => {
        const { log = 0, checkpointed = 0 } = logged.get() ?? {};
        if (log >= CHECKPOINT_PAGES.NORMAL && checkpointed < log) db.pragma('wal_checkpoint(PASSIVE)');
      },
    },
  };
}

function assertFull(db: Connection): void {
  const found = db.pragma('synchronous', { simple: true });
  if (found !== SYNCHRONOUS.FULL)
    throw new JournalFailure(`commits do not wait for the disk: PRAGMA synchronous gives ${String(found)}, 2 is needed`);
}

/** Opens an existing file for reading only, beside whoever writes. */
export function openForReading(path: string): Connection {
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: BUSY_MS.command });
  db.pragma('cell_size_check = ON');
  db.pragma('trusted_schema = OFF');
  return db;
}

/** Whether this SQLite is new enough. */
export function checkSqlite(version: string): LedgerFault | undefined {
  const parts = version.split('.').map(Number);
  for (const [index, least] of SQLITE_MIN.entries()) {
    const part = parts[index] ?? 0;
    if (part > least) return undefined;
    if (part < least) {
      return { kind: 'sqlite', message: `SQLite ${version} may damage a ledger: ${SQLITE_MIN.join('.')} or newer is needed` };
    }
  }
  return undefined;
}

/** The SQLite that is installed, and what is wrong with it, if anything; without one the words are those of the failure. */
export function sqliteFault(): { readonly version: string; readonly fault: string | undefined } {
  try {
    const db = new Database(':memory:');
    const version = sqliteVersion(db);
    db.close();
    return { version, fault: checkSqlite(version)?.message };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { version: '', fault: unbuilt(error) ?? `it cannot be loaded: ${said}` };
  }
}

export function sqliteVersion(db: Connection): string {
  return db.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '';
}

/** Looks for damage in the structure of the whole file. */
export function checkStructure(db: Connection, path: string): LedgerFault | undefined {
  return checkWith(db, path, ['quick_check(3)']);
}

/**
 * Holds the indexes of the given tables to their rows: what a stale write-ahead log beside a restored file breaks, and what the
 * structure alone does not show.
 */
export function checkTables(db: Connection, path: string, tables: readonly string[]): LedgerFault | undefined {
  return checkWith(
    db,
    path,
    tables.map((table) => `integrity_check('${table}')`),
  );
}

function checkWith(db: Connection, path: string, checks: readonly string[]): LedgerFault | undefined {
  try {
    for (const check of checks) {
      const rows = db.prepare<[], string>(`PRAGMA ${check}`).pluck().all();
      if (rows.length === 1 && rows[0] === 'ok') continue;
      return {
        kind: 'damaged',
        message: `${path}: it is damaged (${rows.slice(0, 3).join('; ').slice(0, 300)})`,
      };
    }
    return undefined;
  } catch (error) {
    return faultOf(error, path);
  }
}

/** Runs `open` and gives its result, or what went wrong as a value. */
export function attempt<T>(path: string, open: () => Opened<T>): Opened<T> {
  try {
    return open();
  } catch (error) {
    return { ok: false, fault: faultOf(error, path) };
  }
}

function assertPragma(db: Connection, pragma: string, wanted: string | number): void {
  const found = db.pragma(pragma, { simple: true });
  if (found !== wanted) throw new Error(`PRAGMA ${pragma} gives ${String(found)}, ${wanted} is needed`);
}
