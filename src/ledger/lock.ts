import Database from 'better-sqlite3';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Secret } from '../domain/secret.ts';
import type { LedgerFault } from './failure.ts';
import { codeOf, faultOf } from './failure.ts';
import { checkFiles, createFile, prepareFolder, statOf, systemFault } from './folder.ts';

const LOCK_FILE = 'magpie.lock';

/** Longer than a look at a lock shares it. */
const GLANCE_MS = 50;

/** Held until it is released or the process is gone, however it goes. */
export interface Lock {
  release(): void;
}

/** `held`: another living process has it. A fault: nobody can say, so it must be treated as held. */
export type LockResult =
  | { readonly ok: true; readonly lock: Lock }
  | { readonly ok: false; readonly held: boolean; readonly fault: LedgerFault };

/** The lock of a data folder: a file of its own, so that the ledger beside it stays open to readers and short writers. */
export function acquireFolderLock(folder: string): LockResult {
  const fault = prepareFolder(folder);
  if (fault) return { ok: false, held: false, fault };
  return acquireLock(join(folder, LOCK_FILE), 'this data folder');
}

/**
 * Whether a living process holds the lock of a data folder, without making or taking anything. Looking shares the lock for an
 * instant, which whoever takes it waits out.
 */
export function isFolderHeld(folder: string): boolean {
  const path = join(folder, LOCK_FILE);
  if (statOf(path)?.isFile() !== true) return false;
  let db: Database.Database | undefined;
  try {
    db = new Database(path, { readonly: true, fileMustExist: true, timeout: 0 });
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch (error) {
    return codeOf(error).startsWith('SQLITE_BUSY');
  } finally {
    db?.close();
  }
}

/**
 * The locks of one key on this machine, named by its hash: in the temporary folder, which processes of different sessions
 * share, and in the session's runtime folder where there is one. All of them or none are held.
 */
export function acquireKeyLock(key: Secret, environment: Readonly<Record<string, string | undefined>>): LockResult {
  const name = `magpie-${createHash('sha256').update(`magpie key lock\n${key.reveal()}`).digest('hex').slice(0, 24)}.lock`;
  const held: Lock[] = [];
  const release = (): void => held.splice(0).forEach((lock) => lock.release());
  for (const folder of lockFolders(environment)) {
    const result = acquireLock(join(folder, name), 'this key');
    if (!result.ok) {
      release();
      return result;
    }
    held.push(result.lock);
  }
  return { ok: true, lock: { release } };
}

/**
 * Takes an exclusive lock on a file of its own, waiting only as long as somebody may be looking at it. The system frees it when
 * the process dies; the file itself stays and means nothing. `what` says in messages what is locked.
 */
export function acquireLock(path: string, what: string): LockResult {
  const fault = checkFiles(path);
  if (fault) return { ok: false, held: false, fault };
  try {
    createFile(path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') return { ok: false, held: false, fault: systemFault(error, dirname(path)) };
  }
  let db: Database.Database | undefined;
  try {
    db = new Database(path, { fileMustExist: true, timeout: GLANCE_MS });
    db.exec('BEGIN EXCLUSIVE');
    const owned = db;
    return { ok: true, lock: { release: () => void owned.close() } };
  } catch (error) {
    db?.close();
    if (codeOf(error).startsWith('SQLITE_BUSY')) {
      return {
        ok: false,
        held: true,
        fault: { kind: 'busy', message: `another process is at work with ${what} (it holds ${path})` },
      };
    }
    return { ok: false, held: false, fault: lockFault(error, path) };
  }
}

/** A lock file holds nothing: one that is no database can go. */
function lockFault(error: unknown, path: string): LedgerFault {
  const fault = faultOf(error, path);
  return fault.kind === 'damaged' ? { kind: 'damaged', message: `${path}: it is no lock file of Magpie: remove it` } : fault;
}

function lockFolders(environment: Readonly<Record<string, string | undefined>>): ReadonlySet<string> {
  const runtime = environment['XDG_RUNTIME_DIR'];
  const usable = runtime !== undefined && runtime !== '' && statOf(runtime)?.isDirectory() === true;
  return new Set(usable ? [tmpdir(), runtime] : [tmpdir()]);
}
