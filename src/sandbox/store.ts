import { chmodSync, closeSync, existsSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { recordKinds, type Change, type RecordKind, type RecordStore } from './records.ts';
import { SandboxError } from './sandbox-error.ts';

/**
 * Opens the exchange's books, sandbox.db in the given folder (made when missing), for this process alone. What was committed
 * survives the death of the process; synchronous is NORMAL because this is play money, so a power cut may cost the last
 * moments. Throws SandboxError when another process has them open or a link stands in their place, else what SQLite throws.
 */
export function openStore(folder: string): RecordStore {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'sandbox.db');
  checkPlain(path);
  // An existing file is not even opened: closing it again would free the locks that this process holds on it.
  if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600));
  const db = new Database(path, { timeout: 500 });
  try {
    return storeOn(db, path);
  } catch (error) {
    db.close();
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY')
      throw new SandboxError('busy', `${path} is in use by another exchange`);
    throw error;
  }
}

function checkPlain(path: string): void {
  for (const file of ['', '-wal', '-shm', '-journal'].map((suffix) => path + suffix)) {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isFile())
      throw new SandboxError('link', `${file} must be a plain file, not a link or anything else`);
  }
}

function storeOn(db: Database.Database, path: string): RecordStore {
  chmodSync(path, 0o600);
  // Two exchanges on the same books would sell everything twice.
  db.pragma('locking_mode = EXCLUSIVE');
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  for (const kind of recordKinds)
    db.exec(`CREATE TABLE IF NOT EXISTS "${kind}" (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID`);
  const statements = new Map(recordKinds.map((kind) => [kind, prepare(db, kind)]));
  const write = db.transaction((changes: readonly Change[]) => {
    for (const { kind, id, body } of changes) {
      const statement = statements.get(kind);
      if (body === undefined) statement?.remove.run(id);
      else statement?.put.run(id, JSON.stringify(body));
    }
  });
  return {
    load: (kind) => (statements.get(kind)?.all.all() ?? []).map((text) => JSON.parse(String(text)) as unknown),
    commit: (changes) => {
      write.immediate(changes);
    },
    close: () => void db.close(),
  };
}

interface Statements {
  readonly put: Database.Statement;
  readonly remove: Database.Statement;
  readonly all: Database.Statement;
}

/** `kind` is one of our own words, never text from outside. */
function prepare(db: Database.Database, kind: RecordKind): Statements {
  return {
    put: db.prepare(`INSERT INTO "${kind}" (id, body) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body`),
    remove: db.prepare(`DELETE FROM "${kind}" WHERE id = ?`),
    all: db.prepare(`SELECT body FROM "${kind}" ORDER BY id`).pluck(),
  };
}
