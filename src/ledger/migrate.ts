import { renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Connection } from './connection.ts';
import { type LedgerFault, faultOf } from './failure.ts';
import { createFile, syncFile, syncFolder } from './folder.ts';
import { schemaV2 } from './schema-v2.ts';
import { APPLICATION_ID, schemaV1 } from './schema.ts';

/** One step from the version before it. */
export interface Migration {
  readonly to: number;
  readonly sql: string;
}

/** Every step there has been, in order. A released one is never edited. */
export const migrations: readonly Migration[] = [
  { to: 1, sql: schemaV1 },
  { to: 2, sql: schemaV2 },
];

/** The version that this program reads and writes. */
export function newestVersion(steps: readonly Migration[] = migrations): number {
  return steps.at(-1)?.to ?? 0;
}

/**
 * Brings the database to the newest version, each step in one transaction with its version number, after a backup beside it
 * (`magpie.db.backup-v<N>`, N being the version it holds). A database that is not ours or from a newer program is refused
 * untouched.
 */
export function migrate(db: Connection, path: string, steps: readonly Migration[] = migrations): LedgerFault | undefined {
  const before = versionOf(db);
  const refused = checkIdentity(db, path, before) ?? checkNotNewer(path, before, newestVersion(steps));
  if (refused) return refused;
  const missing = steps.filter((step) => step.to > before);
  try {
    if (before > 0 && missing.length > 0) backUp(db, path, before);
    for (const step of missing) {
      db.transaction(() => {
        db.exec(step.sql);
        db.pragma(`user_version = ${step.to}`);
      }).immediate();
    }
    return undefined;
  } catch (error) {
    return faultOf(error, path);
  }
}

/** Refuses a database of any other version than ours, for those who may not change it. */
export function checkVersion(db: Connection, path: string): LedgerFault | undefined {
  const version = versionOf(db);
  const refused = checkIdentity(db, path, version) ?? checkNotNewer(path, version, newestVersion());
  if (refused || version === newestVersion()) return refused;
  const words = version === 0 ? 'it has not been set up yet' : `its version is ${version}, this Magpie's is ${newestVersion()}`;
  return { kind: 'older', message: `${path}: ${words}: start \`magpie run\` once` };
}

function versionOf(db: Connection): number {
  return db.prepare<[], number>('PRAGMA user_version').pluck().get() ?? 0;
}

function checkIdentity(db: Connection, path: string, version: number): LedgerFault | undefined {
  const id = db.prepare<[], number>('PRAGMA application_id').pluck().get();
  const tables = db.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get();
  if (version === 0 ? tables === 0 : id === APPLICATION_ID) return undefined;
  return { kind: 'foreign', message: `${path}: it is a database, but not Magpie's: move it away or use another data folder` };
}

function checkNotNewer(path: string, version: number, newest: number): LedgerFault | undefined {
  if (version <= newest) return undefined;
  return {
    kind: 'newer',
    message: `${path}: it was written by a newer Magpie (version ${version}, this one reads up to ${newest}): use that one, or its backup of the older version`,
  };
}

/** A whole copy under its final name or none at all, readable by its owner only. */
function backUp(db: Connection, path: string, version: number): void {
  const backup = `${path}.backup-v${version}`;
  const part = `${backup}.part`;
  rmSync(part, { force: true });
  createFile(part);
  db.prepare<[string]>('VACUUM INTO ?').run(part);
  syncFile(part);
  renameSync(part, backup);
  syncFolder(dirname(path));
}
