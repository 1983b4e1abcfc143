import { createCipheriv } from 'node:crypto';
import {
  type Stats,
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type LedgerFault, codeOf } from './failure.ts';

/** The name of the ledger in a data folder. */
const LEDGER_FILE = 'magpie.db';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** What SQLite keeps beside a database. */
export const companions = ['', '-wal', '-shm', '-journal'] as const;

/** What Magpie keeps in a data folder; in a folder that holds anything else the permissions are the user's business. */
const ours = /^(?:(?:magpie|recording|sandbox)\.|backups$)/;

/** Whether Magpie keeps something of its own under such a name in a data folder. */
export function isReserved(name: string): boolean {
  return ours.test(name);
}

/**
 * Makes the data folder (0700) or checks the one that is there. A symbolic link is refused, since what it points to may be
 * changed by somebody else. An older folder is closed to others when it holds nothing but Magpie's files.
 */
export function prepareFolder(folder: string): LedgerFault | undefined {
  try {
    const stats = statOf(folder);
    if (stats === undefined) return madeFolder(folder);
    if (stats.isSymbolicLink()) return { kind: 'link', message: `${folder}: the data folder must not be a symbolic link` };
    if (!stats.isDirectory()) return { kind: 'folder', message: `${folder}: the data folder is not a folder` };
    const open = (stats.mode & 0o077) !== 0;
    if (open && isOwn(stats) && readdirSync(folder).every((name) => ours.test(name))) chmodSync(folder, FOLDER_MODE);
    return undefined;
  } catch (error) {
    return codeOf(error) === 'ENOTDIR' ? notMade(error, folder) : systemFault(error, folder);
  }
}

function madeFolder(folder: string): LedgerFault | undefined {
  try {
    mkdirSync(dirname(folder), { recursive: true });
    mkdirSync(folder, { mode: FOLDER_MODE });
    return undefined;
  } catch (error) {
    return notMade(error, folder);
  }
}

function notMade(error: unknown, folder: string): LedgerFault {
  const said = error instanceof Error ? error.message : String(error);
  return {
    kind: systemFault(error, folder).kind,
    message: `${folder}: the data folder cannot be made: ${said}\n→ --data or \`data:\` must name a folder that may be written`,
  };
}

/**
 * Refuses links and anything but plain files where a database and its companions are. A write-ahead log without its database is
 * what is left of a ledger that was deleted or cut: no new one is started over it.
 */
export function checkFiles(path: string): LedgerFault | undefined {
  try {
    const sizes = new Map<string, number>();
    for (const suffix of companions) {
      const stats = statOf(path + suffix);
      if (stats === undefined) continue;
      if (!stats.isFile())
        return { kind: 'link', message: `${path}${suffix}: must be a plain file, not a link or anything else` };
      sizes.set(suffix, stats.size);
    }
    if (!sizes.get('') && (sizes.get('-wal') ?? 0) > 0) {
      return {
        kind: 'damaged',
        message: `${path}: it is missing or empty, but its write-ahead log is there`,
      };
    }
    return undefined;
  } catch (error) {
    return systemFault(error, path);
  }
}

/** Closes a database and its companions to everybody but their owner. */
export function closeToOthers(path: string): LedgerFault | undefined {
  try {
    for (const suffix of companions) {
      const stats = statOf(path + suffix);
      if (stats !== undefined && (stats.mode & 0o077) !== 0 && isOwn(stats)) chmodSync(path + suffix, FILE_MODE);
    }
    return undefined;
  } catch (error) {
    return systemFault(error, path);
  }
}

/**
 * Makes an empty file that only its owner may read; SQLite gives a database's companions the same permissions. An existing
 * file is not even opened: closing it again would free the locks that this process holds on it.
 */
export function createFile(path: string): void {
  if (createPassingFile(path)) syncFolder(dirname(path));
}

/** The same for a file that means nothing once the process is gone: nobody waits for the disk to have its name. False: it was there. */
export function createPassingFile(path: string): boolean {
  if (statOf(path) !== undefined) return false;
  const descriptor = openSync(path, 'wx', FILE_MODE);
  closeSync(descriptor);
  chmodSync(path, FILE_MODE);
  return true;
}

/** Makes sure that the names in a folder survive a power cut. */
export function syncFolder(folder: string): void {
  syncFile(folder);
}

/**
 * Gives a file that is whole its own name, never over anything: a link is refused where the name is taken, which a rename is not. Where
 * there are no links, nothing better can be had. Throws what the file system says, EEXIST where the name is taken.
 */
export function nameForGood(part: string, target: string, link = linkSync): void {
  try {
    link(part, target);
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || statOf(target)) throw error;
    renameSync(part, target);
  }
  syncFolder(dirname(target));
}

/** As much as the write-ahead log grows by in hours of buying: what is left of a full disk holds a row, but not this. */
const TRIAL_BYTES = 1_024 * 1_024;

/** Writes and syncs a file of real size in a folder and removes it again. Throws what the file system says where there is no room. */
export function trialWrite(folder: string): void {
  const path = join(folder, 'magpie.trial');
  rmSync(path, { force: true });
  const descriptor = openSync(path, 'wx', FILE_MODE);
  try {
    writeFileSync(descriptor, incompressible(TRIAL_BYTES));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
    rmSync(path, { force: true });
  }
}

/**
 * Writes a page to a file of its own in a folder and syncs it, a few times; gives the median of what a sync takes, in the unit of `now`.
 * Throws what the file system says.
 */
export function trialSync(folder: string, now: () => number): number {
  const path = join(folder, `magpie.sync-${process.pid}`);
  rmSync(path, { force: true });
  const descriptor = openSync(path, 'wx', FILE_MODE);
  try {
    const took: number[] = [];
    for (let round = 0; round < 5; round++) {
      writeFileSync(descriptor, incompressible(4_096));
      const began = now();
      fsyncSync(descriptor);
      took.push(now() - began);
    }
    return took.sort((one, other) => one - other)[2] ?? 0;
  } finally {
    closeSync(descriptor);
    rmSync(path, { force: true });
  }
}

/** Bytes that no file system makes smaller: the key stream of a cipher. */
function incompressible(bytes: number): Buffer {
  return createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(bytes));
}

/** Makes sure that a file which no database connection has open survives a power cut. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** Which file has this name now, so that it can be told from one that replaces it. */
export function identityOf(path: string): string {
  const stats = statOf(path);
  return stats === undefined ? 'none' : `${stats.dev}:${stats.ino}`;
}

export function ledgerPath(folder: string): string {
  return join(folder, LEDGER_FILE);
}

/** A failure of the file system while looking at a folder or file. */
export function systemFault(error: unknown, path: string): LedgerFault {
  const kind = ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error)) ? 'access' : 'folder';
  return { kind, message: `${path}: ${error instanceof Error ? error.message : String(error)}` };
}

/** Whether a file belongs to the user of this process; where there are no users, everything does. */
export function isOwn(stats: Stats): boolean {
  return process.geteuid === undefined || stats.uid === process.geteuid();
}
