import { rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { EpochMs } from '../domain/clock.ts';
import type { Halt } from '../engine/journal.ts';
import { type Connection, attempt, checkStructure, openForReading } from './connection.ts';
import type { LedgerFault } from './failure.ts';
import { createFile, ledgerPath, statOf, syncFolder } from './folder.ts';
import type { HaltWriter } from './halts.ts';
import { checkOurs } from './migrate.ts';
import type { Store } from './store.ts';
import { isAnchored, isWalDamaged, reachOf } from './wal.ts';

/*
 * Opened for writing, a database drops what SQLite cannot read of its log, and no trace is left. So a mark is put beside it first, which
 * stays until a start has halted for what is lost, whoever opened it and however often it failed after that.
 */

/** Halts, purchases, and which of them were in doubt: any of it may have stood in what is lost. */
export const FORGOTTEN: Omit<Halt, 'at'> = {
  reason:
    'the ledger has lost what it wrote last, its write-ahead log being damaged: what was bought or in doubt then, and whether buying had been halted, nobody can say',
  by: 'start',
};

function markOf(path: string): string {
  return `${path}.forgot`;
}

/** Whether the database at a path has forgotten something that no start has halted for yet. */
export function isForgetful(path: string): boolean {
  return statOf(markOf(path)) !== undefined;
}

/** A halt for it stands. */
export function forgetMark(path: string): void {
  if (!isForgetful(path)) return;
  rmSync(markOf(path));
  syncFolder(dirname(path));
}

/**
 * For the holder of the folder, before it opens the database: puts the mark there if its log is damaged. A fault: it cannot be opened all
 * the same, so the log stays as it is.
 */
export function markForgotten(path: string): LedgerFault | undefined {
  if (!isWalDamaged(`${path}-wal`)) return undefined;
  // What it has forgotten would be taken for orders from before the first start, which count nowhere.
  if (!isAnchored(path)) return nothingLeft(path);
  const db = openForReading(path);
  try {
    const ours = checkOurs(db, path);
    const fault = ours.ok ? checkStructure(db, path) : ours.fault;
    if (fault) return fault;
  } finally {
    db.close();
  }
  createFile(markOf(path));
  return undefined;
}

/** Commits that cannot be read may stand behind what is written next for a long time, and would be lost once more by each end. */
export function cutBack(db: Connection, path: string): LedgerFault | undefined {
  const [done] = db.pragma('wal_checkpoint(TRUNCATE)') as { readonly busy: number }[];
  if (done?.busy === 0) return undefined;
  return { kind: 'busy', message: `${path}: another program has it open: end that, and try again` };
}

/**
 * For those who do not hold the folder: whether the database at a path would forget something if they opened it to change it. What whoever
 * has it open knows of its log is not lost by one more; and a log that is begun anew just now looks damaged to who reads half of it.
 */
export function wouldForget(path: string): LedgerFault | undefined {
  const wal = `${path}-wal`;
  if (!isWalDamaged(wal)) return undefined;
  const known = framesKnown(path);
  const { isDamaged, frames } = reachOf(wal);
  if (!isDamaged || known > frames) return undefined;
  return isAnchored(path)
    ? { kind: 'log', message: `${wal}: it is damaged, and what the ledger wrote last is lost` }
    : nothingLeft(path);
}

/** The same for the ledger of a data folder; a copy of it would be whole, and know less. */
export function lostLog(folder: string): LedgerFault | undefined {
  const path = ledgerPath(resolve(folder));
  const found = attempt(path, () => ({ ok: true, value: wouldForget(path) }));
  return found.ok ? found.value : found.fault;
}

/** Whether the ledger of a data folder is known to have held more than it can tell. */
export function hasForgotten(folder: string): boolean {
  return isForgetful(ledgerPath(resolve(folder))) || lostLog(folder) !== undefined;
}

/** Frames of the log that those who have the database open can read; where nobody has, those that SQLite finds. */
function framesKnown(path: string): number {
  const db = openForReading(path);
  try {
    const [found] = db.pragma('wal_checkpoint(NOOP)') as { readonly log: number }[];
    return found?.log ?? 0;
  } finally {
    db.close();
  }
}

/** No start is let past it, and nobody has it open. */
function nothingLeft(path: string): LedgerFault {
  return {
    kind: 'damaged',
    message: `${path}-wal: it is damaged, and everything that the ledger knows is in it`,
    standsStill: true,
  };
}

export interface Forgotten {
  /** Halts for what the ledger has forgotten; that it did is known no longer than that. */
  haltForgotten(at: EpochMs): Halt;
}

export function createForgotten(store: Store, halts: HaltWriter): Forgotten {
  return {
    haltForgotten(at) {
      const halt = halts.halt(FORGOTTEN.reason, FORGOTTEN.by, at);
      forgetMark(store.path);
      return halt;
    },
  };
}
