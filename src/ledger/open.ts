import { resolve } from 'node:path';
import type { Clock, EpochMs } from '../domain/clock.ts';
import {
  BUSY_MS,
  type Connection,
  attempt,
  bothWaits,
  checkSqlite,
  checkStructure,
  checkTables,
  keepLittle,
  openForReading,
  openForWriting,
  sqliteVersion,
} from './connection.ts';
import { type LedgerFault, type Opened, faultOf } from './failure.ts';
import { cutBack, isForgetful, markForgotten, wouldForget } from './forgotten.ts';
import { checkFiles, closeToOthers, createFile, identityOf, ledgerPath, prepareFolder, statOf, systemFault } from './folder.ts';
import { type Beside, type Ledger, type Reader, createLedger, createReader } from './ledger.ts';
import { type Upgraded, checkVersion, migrate } from './migrate.ts';
import { finishRestore, restoring } from './restore.ts';
import { enforceRules, recountTotals } from './rules.ts';
import { moneyTables } from './schema.ts';
import { type CrashPoint, Store, noCrash } from './store.ts';

export interface OpenOptions {
  /** The data folder; made when it is missing. */
  readonly folder: string;
  /** Of the run that begins: undefined where no run does. */
  readonly clock?: Pick<Clock, 'now' | 'wall'> | undefined;
  /** Wall time, for the name of the backup that comes before an upgrade; by default the clock's, or when the ledger was last changed. */
  readonly at?: EpochMs | undefined;
  /** It is one of many that a process has open: it has one connection, and little of it is kept in memory. */
  readonly oneOfMany?: boolean | undefined;
  /** For simulations; see CrashPoint. */
  readonly crashPoint?: CrashPoint | undefined;
}

export interface OpenedLedger {
  readonly ledger: Ledger;
  /** The sums for the caps did not agree with the rows and were made anew. */
  readonly recounted: boolean;
  /**
   * The write-ahead log was damaged: what was written last is gone, and comes back as orders that no purchase explains. So at each opening
   * until `haltForgotten`.
   */
  readonly forgot: boolean;
  /** It was of an older version, and is of ours now; undefined: it was of ours already, or is new. */
  readonly upgraded: Upgraded | undefined;
}

/**
 * Opens the ledger of a data folder for the one process that holds its lock (see acquireFolderLock): makes or upgrades it, looks
 * for damage, and puts the rules of the database in force. A restore that was interrupted is ended first. Whatever is wrong comes back as a
 * value.
 */
export function openLedger(options: OpenOptions): Opened<OpenedLedger> {
  const path = ledgerPath(resolve(options.folder));
  const fault =
    prepareFolder(resolve(options.folder)) ?? finishRestore(path) ?? checkFiles(path) ?? closeToOthers(path) ?? makeFile(path);
  if (fault) return { ok: false, fault };
  return attempt(path, () => {
    // Closed again, SQLite would clear such a log away, and the next start would take what is left for all there ever was.
    const unfit = markForgotten(path);
    if (unfit) return { ok: false, fault: unfit };
    const forgot = isForgetful(path);
    const db = openForWriting(path, 'FULL', BUSY_MS.daemon);
    return orClose(db, path, () => {
      const broken = checkSqlite(sqliteVersion(db)) ?? (forgot ? cutBack(db, path) : undefined) ?? checkStructure(db, path);
      if (broken) return { ok: false, fault: broken };
      const migrated = migrate(db, path, options.at ?? options.clock?.wall() ?? changedAt(path));
      if (!migrated.ok) return migrated;
      const refused = checkTables(db, path, moneyTables);
      if (refused) return { ok: false, fault: refused };
      const recounted = db
        .transaction(() => {
          enforceRules(db);
          return recountTotals(db);
        })
        .immediate();
      // The checks have read every page: none of it is asked for again soon, and a thousand accounts have a thousand of these.
      db.pragma('shrink_memory');
      const value = { recounted, forgot, upgraded: migrated.value };
      const point = options.crashPoint ?? noCrash;
      if (options.oneOfMany === true) {
        keepLittle(db);
        const { strict, relaxed } = bothWaits(db);
        const stores = [new Store(db, path, point, strict), new Store(db, path, point, relaxed)] as const;
        return { ok: true, value: { ...value, ledger: createLedger(...stores, options.clock) } };
      }
      const relaxed = openForWriting(path, 'NORMAL', BUSY_MS.daemon);
      return orClose(relaxed, path, () => {
        const ledger = createLedger(new Store(db, path, point), new Store(relaxed, path, point), options.clock);
        return { ok: true, value: { ...value, ledger } };
      });
    });
  });
}

/**
 * Opens the ledger for a command beside a daemon that may be running: what it changes are short transactions, synced as any.
 * Nothing is made or upgraded, and refused is what would be forgotten by it.
 */
export function openBeside(folder: string): Opened<Beside> {
  return openExisting(
    folder,
    (path) => openForWriting(path, 'FULL', BUSY_MS.command),
    (store) => createLedger(store, store),
    wouldForget,
  );
}

/** Opens the ledger for a command that only asks. */
export function openReader(folder: string): Opened<Reader> {
  return openExisting(folder, openForReading, createReader);
}

function openExisting<T>(
  folder: string,
  open: (path: string) => Connection,
  make: (store: Store) => T,
  check: (path: string) => LedgerFault | undefined = () => undefined,
): Opened<T> {
  const path = ledgerPath(resolve(folder));
  return attempt(path, () => {
    const fault = restoring(path) ?? missing(path) ?? checkFiles(path) ?? check(path);
    if (fault) return { ok: false, fault };
    const identity = identityOf(path);
    const db = open(path);
    return orClose(db, path, () => {
      const refused = checkSqlite(sqliteVersion(db)) ?? replaced(path, identity) ?? checkVersion(db, path);
      // What is not set up yet may be so in a log that cannot be read.
      if (refused) return { ok: false, fault: (refused.kind === 'older' ? wouldForget(path) : undefined) ?? refused };
      return { ok: true, value: make(new Store(db, path, noCrash)) };
    });
  });
}

function missing(path: string): LedgerFault | undefined {
  try {
    if (statOf(path)) return undefined;
  } catch (error) {
    return systemFault(error, path);
  }
  return { kind: 'missing', message: `${path}: there is no ledger yet: \`magpie run\` makes one` };
}

/** What is written to a ledger that a restore has put aside meanwhile would be lost: a halt above all. */
function replaced(path: string, identity: string): LedgerFault | undefined {
  if (identityOf(path) === identity) return restoring(path);
  return { kind: 'busy', message: `${path}: it was replaced just now: try again` };
}

function changedAt(path: string): EpochMs {
  return statOf(path)?.mtimeMs ?? 0;
}

function makeFile(path: string): LedgerFault | undefined {
  try {
    createFile(path);
    return undefined;
  } catch (error) {
    return systemFault(error, path);
  }
}

/** A database that turns out to be unusable is closed again. */
function orClose<T>(db: Connection, path: string, use: () => Opened<T>): Opened<T> {
  let opened: Opened<T>;
  try {
    opened = use();
  } catch (error) {
    opened = { ok: false, fault: faultOf(error, path) };
  }
  if (!opened.ok) db.close();
  return opened;
}
