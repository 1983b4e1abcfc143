import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { JournalFailure } from '../engine/journal.ts';

/** Why the ledger cannot be opened, as a value: the process stays up or exits with words, it never crashes on it. */
export interface LedgerFault {
  readonly kind:
    | 'folder' // the data folder cannot be made or used
    | 'link' // the folder or a file in it is a symbolic link, or no plain file
    | 'access' // permissions, read-only file system
    | 'missing' // there is no ledger yet
    | 'taken' // what was to be made is there already
    | 'foreign' // a database, but not Magpie's
    | 'newer' // written by a newer Magpie
    | 'restoring' // a restore has not ended
    | 'account' // another account's
    | 'older' // must be upgraded by `magpie run` first
    | 'damaged'
    | 'log' // its log is damaged, and only a start may open it
    | 'busy' // locked by another program for too long
    | 'disk' // full, or failing
    | 'sqlite'; // SQLite itself is not what we need
  /** For a person: what is wrong, where, and what to do. */
  readonly message: string;
  /** Nobody has it open, and no start is let past it: nothing is bought with it as it is. */
  readonly standsStill?: true;
}

export type Opened<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: LedgerFault };

/** SQLite's own error with its extended code. */
const { SqliteError } = Database;

/**
 * What a failing database means, in words for a person, by the start of SQLite's result code (sqlite.org/rescode.html).
 * The longest start that fits counts.
 */
const meanings: Readonly<Record<string, { readonly kind: LedgerFault['kind']; readonly words: string }>> = {
  SQLITE_FULL: { kind: 'disk', words: 'the disk is full: free some space' },
  SQLITE_IOERR: { kind: 'disk', words: 'reading or writing failed: check the disk' },
  SQLITE_BUSY: { kind: 'busy', words: 'another program has locked it: stop that program' },
  SQLITE_LOCKED: { kind: 'busy', words: 'another program has locked it: stop that program' },
  SQLITE_READONLY: { kind: 'access', words: 'it cannot be written: check its owner, its permissions and the file system' },
  SQLITE_PERM: { kind: 'access', words: 'it cannot be written: check its owner and permissions' },
  SQLITE_CANTOPEN: { kind: 'access', words: 'it cannot be opened: check its owner and permissions, and those of its folder' },
  SQLITE_CORRUPT: {
    kind: 'damaged',
    words: 'it is damaged',
  },
  SQLITE_NOTADB: { kind: 'damaged', words: 'it is damaged: it is no database any more' },
  SQLITE_CONSTRAINT: { kind: 'damaged', words: 'a rule of the database forbids it' },
};

function meaningOf(code: string): { readonly kind: LedgerFault['kind']; readonly words: string } | undefined {
  const start = Object.keys(meanings).find((one) => code.startsWith(one));
  return start === undefined ? undefined : meanings[start];
}

/**
 * A fault with what a person does about it, where that takes more than a word. A ledger that begins anew knows nothing of what was
 * spent: the orders that it finds are its baseline.
 */
export function withSteps({ kind, message }: LedgerFault): string {
  if (kind === 'newer') return [message, ...stepsForNewer].join('\n');
  if (kind === 'log') return [message, ...stepsForLog].join('\n');
  if (kind !== 'damaged') return message;
  return [
    message,
    '→ stop Magpie, then `magpie restore FILE` with the newest backup (those of the daemon lie in the folder `backups` of the data folder)',
    '→ without a backup: move magpie.db, magpie.db-wal and magpie.db-shm away, lower `limits` by what was spent, and start `magpie run`: it',
    '  takes the orders that the account has as known, and counts none of them in any cap; the service shows what was bought',
  ].join('\n');
}

const stepsForNewer = [
  '→ install that Magpie again (or a newer one): the ledger goes on where it was',
  '→ to stay with this one: `magpie restore FILE` with the backup from before the upgrade (`upgrade-v…` in the folder `backups` of the data',
  '  folder); what was bought since then is adopted as orders of the account, and buying stands halted until `magpie resume`',
];

const stepsForLog = [
  '→ check the disk, then start `magpie run`: it keeps what can still be read, stands halted, and says what is next',
  '→ `magpie restore FILE` with a backup comes to the same: what was bought since is adopted, and buying stands halted until `magpie resume`',
];

/** The trouble that a journal is in, as the fault that an opening would give. */
export function faultOfFailure({ cause, message }: JournalFailure): LedgerFault {
  return { kind: meaningOf(codeOf(cause))?.kind ?? 'sqlite', message };
}

/** better-sqlite3 stands there without what is compiled of it, or with what was compiled for another Node.js; undefined for anything else. */
export function unbuilt(error: unknown): string | undefined {
  const said = error instanceof Error ? error.message : '';
  if (codeOf(error) !== 'ERR_DLOPEN_FAILED' && !said.startsWith('Could not locate the bindings file')) return undefined;
  const folder = fileURLToPath(new URL('../..', import.meta.url));
  return [
    `better-sqlite3, by which Magpie keeps its books, is not compiled for this Node.js`,
    `→ in ${folder}: \`npm rebuild better-sqlite3\`; it needs a C++ compiler, make and Python 3, and that npm may run its scripts`,
  ].join('\n');
}

/** A failure to open, from whatever was thrown. */
export function faultOf(error: unknown, path: string): LedgerFault {
  const missing = unbuilt(error);
  if (missing !== undefined) return { kind: 'sqlite', message: missing };
  const code = codeOf(error);
  const meaning = meaningOf(code);
  const said = error instanceof Error ? error.message : String(error);
  return { kind: meaning?.kind ?? 'sqlite', message: `${path}: ${meaning?.words ?? 'it cannot be used'} (${said})` };
}

/** SQLite's failures become JournalFailure; anything else is a broken assumption of ours and passes through. */
export function asJournalFailure(error: unknown, path: string): Error {
  if (!(error instanceof SqliteError)) return error instanceof Error ? error : new Error(String(error), { cause: error });
  const meaning = meaningOf(error.code);
  return new JournalFailure(`${path}: ${meaning?.words ?? 'the database refused'} (${error.message}, ${error.code})`, {
    cause: error,
  });
}

/**
 * After a failed sync the kernel may forget what it could not write, and a later sync that succeeds proves nothing about it; a
 * damaged file can only get worse. Either way no new intent may rest on this database until it has been opened anew.
 */
export function breaksTrust(error: unknown): boolean {
  return error instanceof SqliteError && /^SQLITE_(?:IOERR_(?:DIR_)?FSYNC|CORRUPT|NOTADB)/.test(error.code);
}

/** The code of a system or SQLite error; empty when it has none. */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}
