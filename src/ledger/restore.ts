import { realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import type { EpochMs } from '../domain/clock.ts';
import { stampOf } from './backup-names.ts';
import { type LeftBehind, carryOver, leftBehind } from './carry-over.ts';
import { type Connection, attempt, checkStructure, checkTables, openForReading } from './connection.ts';
import { type LedgerFault, type Opened, faultOf } from './failure.ts';
import { forgetMark, isForgetful } from './forgotten.ts';
import { checkFiles, companions, createFile, ledgerPath, prepareFolder, statOf, syncFile, syncFolder } from './folder.ts';
import { checkOurs, upgrade } from './migrate.ts';
import { createPurchaseQueries } from './queries.ts';
import { moneyTables } from './schema.ts';
import { type CrashPoint, Store, noCrash } from './store.ts';
import { isWalDamaged } from './wal.ts';

/*
 * A restore has one moment at which it is decided: when the whole, checked copy gets the name `magpie.db.restoring`. Before it the old
 * ledger is in force; from then on nobody opens anything until what was there has been put aside and the copy has its name, by this
 * process or by the next that holds the folder.
 */

export interface RestoreRequest {
  /** Absolute. */
  readonly file: string;
  /** The data folder, whose lock is held. */
  readonly folder: string;
  readonly at: EpochMs;
  /** For tests; see CrashPoint. */
  readonly crashPoint?: CrashPoint | undefined;
}

export interface Restored {
  /** What was there, under its new name; undefined where nothing was. */
  readonly kept: string | undefined;
  /** The latest time in any row of the backup. */
  readonly newestRowAt: EpochMs | undefined;
  /** What was there could not be read, so buying stands halted: nobody can say whether it was. */
  readonly unreadable: boolean;
}

/**
 * Puts a backup in the place of the ledger of a data folder. Refused, with nothing changed: what is no ledger of Magpie, damaged, of a
 * newer program, of another account, or from before the first look at the orders, which would take all of them as known and count none.
 * What was there stays beside it; halts that stand there, and what the service asked us to wait for, hold on.
 */
export function restoreLedger({ file, folder, at, crashPoint = noCrash }: RestoreRequest): Opened<Restored> {
  const path = ledgerPath(resolve(folder));
  const fault = prepareFolder(resolve(folder)) ?? finishRestore(path) ?? checkPlaces(path, at);
  if (fault) return { ok: false, fault };
  const part = `${markerOf(path)}.part`;
  const staged = attempt(path, () => stage(file, path, part, at));
  if (staged.ok) {
    crashPoint('restore:copied');
    renameSync(part, markerOf(path));
    syncFolder(dirname(path));
    crashPoint('restore:decided');
    const finished = finish(path, crashPoint);
    // Nothing has been touched yet, so it can be undecided again.
    if (!finished.ok) rmSync(markerOf(path));
    return finished.ok ? { ok: true, value: { ...finished.value, newestRowAt: staged.value } } : finished;
  }
  remove(part);
  return staged;
}

/** Ends a restore that was decided and interrupted, for whoever holds the folder; without one it does nothing. */
export function finishRestore(path: string): LedgerFault | undefined {
  if (restoring(path) === undefined) return undefined;
  const finished = attempt(path, () => finish(path, noCrash));
  return finished.ok ? undefined : finished.fault;
}

/** What is told to those who do not hold the folder while a restore has not ended. */
export function restoring(path: string): LedgerFault | undefined {
  if (statOf(markerOf(path)) === undefined) return undefined;
  return { kind: 'restoring', message: `${path}: a restore has not ended: \`magpie run\` ends it` };
}

function markerOf(path: string): string {
  return `${path}.restoring`;
}

function keptName(path: string, at: EpochMs): string {
  return `${path}.before-${stampOf(at)}`;
}

function busy(path: string): LedgerFault {
  return { kind: 'busy', message: `${path}: another program has it open: end that, and try again` };
}

/** With what SQLite may have left beside it, which would be applied to the next of that name. */
function remove(part: string): void {
  for (const suffix of companions) rmSync(part + suffix, { force: true });
}

/** What is missing, or no ledger any more, is put aside as it is; only what leads elsewhere is not touched. */
function checkPlaces(path: string, at: EpochMs): LedgerFault | undefined {
  const fault = checkFiles(path);
  if (fault && fault.kind !== 'damaged') return fault;
  const kept = keptName(path, at);
  return statOf(kept) === undefined
    ? undefined
    : { kind: 'taken', message: `${kept}: it is there already: try again in a second` };
}

/** Writes the copy, brings it to this version and checks it; nothing else is touched. Gives the latest time in any of its rows. */
function stage(file: string, path: string, part: string, at: EpochMs): Opened<EpochMs | undefined> {
  const fault = copy(file, path, part);
  if (fault) return { ok: false, fault };
  const db = new Database(part, { fileMustExist: true });
  let newest: EpochMs | undefined;
  try {
    const refused = prepare(db, file, path, at);
    if (refused) return { ok: false, fault: refused };
    newest = createPurchaseQueries(new Store(db, part, noCrash)).newestRowAt();
  } finally {
    db.close();
  }
  syncFile(part);
  return { ok: true, value: newest };
}

function copy(file: string, path: string, part: string): LedgerFault | undefined {
  if (statOf(file) === undefined) return { kind: 'missing', message: `${file}: there is no such file` };
  const real = realpathSync(file);
  if (real === path) return { kind: 'taken', message: `${file}: it is the ledger itself` };
  const fault = checkFiles(real);
  if (fault) return fault;
  if (isWalDamaged(`${real}-wal`)) return { kind: 'damaged', message: `${file}-wal: it is damaged` };
  remove(part);
  createFile(part);
  try {
    const db = openForReading(real);
    try {
      const ours = checkOurs(db, file);
      if (!ours.ok) return ours.fault;
      db.prepare<[string]>('VACUUM INTO ?').run(part);
      return undefined;
    } finally {
      db.close();
    }
  } catch (error) {
    return faultOf(error, file);
  }
}

function prepare(db: Connection, file: string, path: string, at: EpochMs): LedgerFault | undefined {
  const ours = checkOurs(db, file);
  if (!ours.ok) return ours.fault;
  const damage = checkStructure(db, file);
  if (damage) return damage;
  upgrade(db, ours.value);
  const refused = checkTables(db, file, moneyTables) ?? checkAccount(db, file, leftBehind(path));
  if (refused) return refused;
  db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('restoredAt', ?)").run(String(at));
  return undefined;
}

function checkAccount(db: Connection, file: string, left: LeftBehind): LedgerFault | undefined {
  const facts = new Map(db.prepare<[], [string, string]>('SELECT key, value FROM meta').raw().all());
  const account = facts.get('account');
  if (account === undefined || facts.get('baselineAt') === undefined) {
    const why = 'it is from before Magpie had looked at the orders of the account: with it all of them would count in no cap';
    return { kind: 'foreign', message: `${file}: ${why}` };
  }
  if (left.kind === 'busy') return busy(file);
  if (left.kind !== 'read' || left.account === undefined || left.account === account) return undefined;
  const message = `${file}: it is of account ${account}, and the data folder belongs to account ${left.account}`;
  return { kind: 'account', message };
}

/** From the moment on at which it was decided. May be done again after each of its steps. */
function finish(path: string, crashPoint: CrashPoint): Opened<Omit<Restored, 'newestRowAt'>> {
  const marker = markerOf(path);
  const left = leftBehind(path, true);
  if (left.kind === 'busy') return { ok: false, fault: busy(path) };
  const { restoredAt } = carryOver(marker, left, isForgetful(path));
  crashPoint('restore:carried');
  const kept = keptName(path, restoredAt);
  for (const suffix of companions) {
    if (statOf(path + suffix) === undefined) continue;
    renameSync(path + suffix, kept + suffix);
    crashPoint(`restore:aside${suffix}`);
  }
  // A log of the old one beside the new one, after a power cut, would be taken for its own.
  syncFolder(dirname(path));
  renameSync(marker, path);
  syncFolder(dirname(path));
  // The halt for it stands in the new one.
  forgetMark(path);
  return { ok: true, value: { kept: left.kind === 'nothing' ? undefined : kept, unreadable: left.kind === 'unreadable' } };
}
