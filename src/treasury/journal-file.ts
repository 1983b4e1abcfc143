import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BUSY_MS, type Connection, checkStructure, openForReading, openForWriting } from '../ledger/connection.ts';
import { type LedgerFault, type Opened, faultOf } from '../ledger/failure.ts';
import { checkFiles, createFile, prepareFolder, syncFolder } from '../ledger/folder.ts';
import { APPLICATION_ID, TREASURY_SCHEMA } from './schema.ts';

/** Where a data folder has the treasury's journal. */
export function journalPath(data: string): string {
  return join(data, 'magpie.treasury.db');
}

/** Opens the journal of a data folder, making one where there is none. A fault: it cannot be trusted or written, and nothing may be sent. */
export function openToWrite(data: string): Opened<Connection> {
  const path = journalPath(data);
  const folder = prepareFolder(data) ?? checkFiles(path);
  if (folder) return { ok: false, fault: folder };
  return trusted(path, () => {
    createFile(path);
    const db = openForWriting(path, 'FULL', BUSY_MS.command);
    return {
      db,
      fault: () => {
        setUp(db);
        syncFolder(data);
        return foreign(db, path) ?? checkStructure(db, path);
      },
    };
  });
}

/** Opens it for reading only; undefined: there is none yet. */
export function openToRead(data: string): Opened<Connection | undefined> {
  const path = journalPath(data);
  if (!existsSync(path)) return { ok: true, value: undefined };
  return trusted(path, () => {
    const db = openForReading(path);
    return { db, fault: () => foreign(db, path) };
  });
}

/** The file as it was opened, closed again where it has a fault. */
function trusted(path: string, open: () => { db: Connection; fault: () => LedgerFault | undefined }): Opened<Connection> {
  let db: Connection | undefined;
  try {
    const opened = open();
    db = opened.db;
    const fault = opened.fault();
    if (fault === undefined) return { ok: true, value: db };
    db.close();
    return { ok: false, fault };
  } catch (error) {
    db?.close();
    return { ok: false, fault: faultOf(error, path) };
  }
}

/** In one transaction with the look whether it is needed: two that open a new one at once make it once. */
function setUp(db: Connection): void {
  db.transaction(() => {
    const tables = db.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get() ?? 0;
    if (tables === 0) db.exec(TREASURY_SCHEMA);
  }).immediate();
}

function foreign(db: Connection, path: string): LedgerFault | undefined {
  const id = db.prepare<[], number>('PRAGMA application_id').pluck().get();
  const version = db.prepare<[], number>('PRAGMA user_version').pluck().get() ?? 0;
  if (id !== APPLICATION_ID) return { kind: 'foreign', message: `${path}: it is a database, but no journal of a treasury` };
  if (version <= 1) return undefined;
  return { kind: 'newer', message: `${path}: it is of version ${version}, this Magpie reads version 1. Nothing was changed.` };
}
