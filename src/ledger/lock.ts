import Database from 'better-sqlite3';
import { createHash } from 'node:crypto';
import { realpathSync, unlinkSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Secret } from '../domain/secret.ts';
import type { LedgerFault } from './failure.ts';
import { codeOf, faultOf } from './failure.ts';
import { checkFiles, createPassingFile, identityOf, isOwn, prepareFolder, statOf, systemFault } from './folder.ts';

const LOCK_FILE = 'magpie.lock';

/** Longer than a look at a lock shares it. */
const GLANCE_MS = 50;

type Environment = Readonly<Record<string, string | undefined>>;

/** Held until it is released or the process is gone, however it goes. */
export interface Lock {
  /**
   * Looks whether the file on the disk is still the one that is locked: cleaners of temporary folders remove what looks old, and
   * whoever comes next would make a new one. What was removed or replaced is taken again; a fault when that cannot be done.
   */
  keep(): LedgerFault | undefined;
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
 * Folders that all processes of a machine see under the same name, whatever their environment says: with another TMPDIR and no
 * common session two processes would meet nowhere else. `/run/lock` is kept even from services with a `/tmp` of their own.
 */
export function sharedFolders({ SystemRoot }: Environment): readonly string[] {
  return platform() === 'win32' ? [join(SystemRoot ?? 'C:\\Windows', 'Temp')] : ['/tmp', '/run/lock'];
}

/**
 * The locks of one key on this machine, named by its hash: in the temporary folder, in the session's runtime folder where there is
 * one, and in those of `shared` that can be written. All of them or none are held.
 */
export function acquireKeyLock(
  key: Secret,
  environment: Environment,
  shared: readonly string[] = sharedFolders(environment),
): LockResult {
  const name = `magpie-${createHash('sha256').update(`magpie key lock\n${key.reveal()}`).digest('hex').slice(0, 24)}.lock`;
  const held: Lock[] = [];
  const release = (): void => held.splice(0).forEach((lock) => lock.release());
  for (const [folder, needed] of lockFolders(environment, shared)) {
    const result = acquireLock(join(folder, name), 'this key', true);
    if (result.ok) held.push(result.lock);
    else if (needed || result.held || result.fault.kind !== 'access') {
      release();
      return result;
    }
  }
  const keep = (): LedgerFault | undefined => {
    const faults = held.map((lock) => lock.keep());
    return faults.find((fault) => fault !== undefined);
  };
  return { ok: true, lock: { keep, release } };
}

/**
 * Takes an exclusive lock on a file of its own, waiting only as long as somebody may be looking at it. The system frees it when
 * the process dies; what is left of the file means nothing. `what` says in messages what is locked; `passing`: the file goes when
 * the lock is released.
 */
export function acquireLock(path: string, what: string, passing = false): LockResult {
  let taken = take(path, what);
  // Whoever held it may have removed the file in between.
  if (!taken.ok && taken.moved) taken = take(path, what);
  if (!taken.ok) return { ok: false, held: taken.held, fault: taken.fault };
  let current = taken;
  const isOurs = (): boolean => identityOf(path) === current.identity;
  const keep = (): LedgerFault | undefined => {
    if (isOurs()) return undefined;
    const again = take(path, what);
    if (!again.ok) return again.fault;
    current.db.close();
    current = again;
    return undefined;
  };
  const release = (): void => {
    if (passing && isOurs()) remove(path);
    current.db.close();
  };
  return { ok: true, lock: { keep, release } };
}

type Taken =
  | { readonly ok: true; readonly db: Database.Database; /** Of the file that is locked. */ readonly identity: string }
  | { readonly ok: false; readonly held: boolean; readonly moved: boolean; readonly fault: LedgerFault };

function take(path: string, what: string): Taken {
  const fault = checkFiles(path);
  if (fault) return { ok: false, held: false, moved: false, fault };
  try {
    createPassingFile(path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') return { ok: false, held: false, moved: false, fault: systemFault(error, dirname(path)) };
  }
  const identity = identityOf(path);
  let db: Database.Database | undefined;
  try {
    db = new Database(path, { fileMustExist: true, timeout: GLANCE_MS });
    // One page is all that a lock ever holds: without this each would keep room for twenty, in a thousand accounts of four locks.
    db.pragma('cache_size = 1');
    db.pragma('shrink_memory');
    db.exec('BEGIN EXCLUSIVE');
    if (identityOf(path) === identity) return { ok: true, db, identity };
    db.close();
    return { ok: false, held: true, moved: true, fault: { kind: 'busy', message: `${path}: it was replaced just now` } };
  } catch (error) {
    db?.close();
    return { ok: false, moved: false, ...refusal(error, path, what) };
  }
}

/** Another user's lock file cannot be opened, so nobody can say whether its owner is at work: it counts as held. */
function refusal(error: unknown, path: string, what: string): { readonly held: boolean; readonly fault: LedgerFault } {
  if (codeOf(error).startsWith('SQLITE_BUSY')) {
    return { held: true, fault: { kind: 'busy', message: `another process is at work with ${what} (it holds ${path})` } };
  }
  const fault = lockFault(error, path);
  const stats = statOf(path);
  if (fault.kind !== 'access' || stats === undefined || isOwn(stats)) return { held: false, fault };
  const message = `another user may be at work with ${what}: ${path} is theirs (user ${stats.uid}); if not, have them remove it`;
  return { held: true, fault: { kind: 'busy', message } };
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It stays, and means nothing.
  }
}

/** A lock file holds nothing: one that is no database can go. */
function lockFault(error: unknown, path: string): LedgerFault {
  const fault = faultOf(error, path);
  return fault.kind === 'damaged' ? { kind: 'damaged', message: `${path}: it is no lock file of Magpie: remove it` } : fault;
}

/** Each folder once, however it is spelled: a second lock on the same file would be refused. True: it must be locked. */
function lockFolders(environment: Environment, shared: readonly string[]): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  const add = (folder: string | undefined, needed: boolean): void => {
    if (folder === undefined || folder === '') return;
    const real = realFolder(folder);
    if (real !== undefined && !found.has(real)) found.set(real, needed);
    else if (real === undefined && needed) found.set(folder, true);
  };
  add(tmpdir(), true);
  const runtime = environment['XDG_RUNTIME_DIR'];
  add(runtime !== undefined && runtime !== '' ? realFolder(runtime) : undefined, true);
  for (const folder of shared) add(folder, false);
  return found;
}

function realFolder(folder: string): string | undefined {
  try {
    const real = realpathSync(folder);
    return statOf(real)?.isDirectory() === true ? real : undefined;
  } catch {
    return undefined;
  }
}
