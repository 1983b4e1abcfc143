import Database from 'better-sqlite3';
import type { EpochMs } from '../domain/clock.ts';
import type { Halt } from '../engine/journal.ts';
import { BUSY_MS, type Connection } from './connection.ts';
import { codeOf } from './failure.ts';
import { FORGOTTEN } from './forgotten.ts';
import { companions, statOf } from './folder.ts';
import { checkOurs } from './migrate.ts';
import { isWalDamaged } from './wal.ts';

/** What a restore must know of the ledger that it puts aside. */
export type LeftBehind =
  | { readonly kind: 'nothing' | 'unreadable' | 'busy' }
  | {
      readonly kind: 'read';
      readonly account: string | undefined;
      readonly slowUntil: EpochMs | undefined;
      /** Those that stand. */
      readonly halts: readonly Halt[];
    };

/**
 * Reads that of the database at a path. `alone`: by the only one who has it open from here on, with everything in the one file; `busy`
 * where others have it open.
 */
export function leftBehind(path: string, alone = false): LeftBehind {
  if (companions.every((suffix) => statOf(path + suffix) === undefined)) return { kind: 'nothing' };
  // Opened and closed, SQLite would clear such a log away.
  if (isWalDamaged(`${path}-wal`)) return { kind: 'unreadable' };
  let db: Connection | undefined;
  try {
    db = new Database(path, { fileMustExist: true, timeout: BUSY_MS.command });
    if (!checkOurs(db, path).ok) return { kind: 'unreadable' };
    if (alone && db.pragma('journal_mode = DELETE', { simple: true }) !== 'delete') return { kind: 'busy' };
    return { kind: 'read', ...factsOf(db) };
  } catch (error) {
    return { kind: codeOf(error).startsWith('SQLITE_BUSY') ? 'busy' : 'unreadable' };
  } finally {
    db?.close();
  }
}

function factsOf(db: Connection): Omit<Extract<LeftBehind, { kind: 'read' }>, 'kind'> {
  const facts = new Map(db.prepare<[], [string, string]>('SELECT key, value FROM meta').raw().all());
  const slowUntil = facts.get('slowUntil');
  return {
    account: facts.get('account'),
    slowUntil: slowUntil === undefined ? undefined : Number(slowUntil),
    halts: db.prepare<[], Halt>('SELECT reason, by_whom AS by, at FROM halts WHERE resumed_at IS NULL ORDER BY id').all(),
  };
}

const UNREADABLE: Omit<Halt, 'at'> = {
  reason: 'a backup was restored over a ledger that could not be read: whether buying had been halted in it, nobody can say',
  by: 'restore',
};

/**
 * Writes into the ledger that takes the place what holds on: a halt stands until a person resumes, and what the service asked us to
 * wait for does not end with a file. Done twice, it does no more.
 */
export function carryOver(path: string, left: LeftBehind, forgot: boolean): { readonly restoredAt: EpochMs } {
  const db = new Database(path, { fileMustExist: true });
  try {
    db.pragma('synchronous = FULL');
    const meta = db.prepare<[string], string>('SELECT value FROM meta WHERE key = ?').pluck();
    const restoredAt = Number(meta.get('restoredAt'));
    const halts = [...haltsOf(left), ...unsaid(left, forgot).map((halt) => ({ ...halt, at: restoredAt }))];
    const slowUntil = left.kind === 'read' ? (left.slowUntil ?? 0) : 0;
    db.transaction(() => {
      for (const halt of halts) stand(db, halt);
      if (slowUntil > Number(meta.get('slowUntil') ?? 0))
        db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('slowUntil', ?)").run(String(slowUntil));
    }).immediate();
    return { restoredAt };
  } finally {
    db.close();
  }
}

function haltsOf(left: LeftBehind): readonly Halt[] {
  return left.kind === 'read' ? left.halts : [];
}

/** What the old one cannot say, and no halt in it says. */
function unsaid(left: LeftBehind, forgot: boolean): readonly Omit<Halt, 'at'>[] {
  if (left.kind === 'unreadable') return [UNREADABLE];
  return forgot ? [FORGOTTEN] : [];
}

function stand(db: Connection, { reason, by, at }: Halt): void {
  const same = db.prepare('SELECT 1 FROM halts WHERE reason = ? AND by_whom = ? AND resumed_at IS NULL').get(reason, by);
  if (same === undefined) db.prepare('INSERT INTO halts (reason, by_whom, at) VALUES (?, ?, ?)').run(reason, by, at);
}
