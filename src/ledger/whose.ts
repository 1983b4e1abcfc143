import type { Halt } from '../engine/journal.ts';
import { type Connection, openForReading } from './connection.ts';
import { faultOf } from './failure.ts';
import { isForgetful } from './forgotten.ts';
import { checkFiles, companions, ledgerPath, statOf } from './folder.ts';
import { restoring } from './restore.ts';
import { APPLICATION_ID } from './schema.ts';
import { isWalDamaged } from './wal.ts';

/** Whose a ledger is, and whether anything in it must not be passed over. */
export type Whose =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unreadable'; readonly why: string }
  | {
      readonly kind: 'read';
      /** The account of the service; undefined before the first binding. */
      readonly account: string | undefined;
      /** Something in it counts in the caps. */
      readonly bought: boolean;
      /** Purchases of its own among that. */
      readonly ours: boolean;
      /** Those that stand, the first cause first. */
      readonly halts: readonly Halt[];
    };

/** Reads that of the ledger of a folder, of whatever version it is: an upgrade comes with a start, and this is asked before one. Never throws. */
export function whoseLedger(folder: string): Whose {
  const path = ledgerPath(folder);
  let db: Connection | undefined;
  try {
    const unended = restoring(path);
    if (unended === undefined && isGone(path)) return { kind: 'nothing' };
    const fault = unended ?? checkFiles(path);
    if (fault !== undefined) return { kind: 'unreadable', why: fault.message };
    // Opened and closed, SQLite would clear such a log away.
    if (isWalDamaged(`${path}-wal`)) return { kind: 'unreadable', why: `${path}-wal: it is damaged` };
    if (isForgetful(path)) return { kind: 'unreadable', why: `${path}: it has lost what it wrote last` };
    db = openForReading(path);
    if (tablesOf(db) === 0) return { kind: 'nothing' };
    if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID)
      return { kind: 'unreadable', why: `${path}: it is a database, but not Magpie's` };
    return { kind: 'read', ...factsOf(db) };
  } catch (error) {
    return { kind: 'unreadable', why: faultOf(error, path).message };
  } finally {
    db?.close();
  }
}

/** There is no database; SQLite may leave an empty log and its index behind where one was moved away. */
function isGone(path: string): boolean {
  if (statOf(path) !== undefined) return false;
  return companions.every((suffix) => suffix === '-shm' || (statOf(path + suffix)?.size ?? 0) === 0);
}

/**
 * Whether something in the ledger of a folder is not in that of another: a purchase, an order that counts in the caps, a halt that stands.
 * Two copies of one ledger hold the same, and the one that went on holds more. Throws what SQLite throws.
 */
export function holdsMore(folder: string, other: string): boolean {
  const [one, two] = [openForReading(ledgerPath(folder)), openForReading(ledgerPath(other))];
  try {
    return (
      lacks(two, one, PURCHASES, PURCHASES) ||
      lacks(two, one, ADOPTED, COUNTED) ||
      one.prepare<[], HaltRow>(`${HALTS} WHERE resumed_at IS NULL`).all().some(isUnheard(two))
    );
  } finally {
    one.close();
    two.close();
  }
}

const PURCHASES = "SELECT market, listing_id, created_at FROM purchases WHERE lane = 'live'";
const ADOPTED = "SELECT order_id FROM orders WHERE known_as = 'adopted'";
const COUNTED = "SELECT order_id FROM orders WHERE known_as IN ('adopted', 'ours')";
const HALTS = 'SELECT reason, by_whom AS by, at, resumed_at AS resumedAt FROM halts';

interface HaltRow extends Halt {
  readonly resumedAt: number | null;
}

function tablesOf(db: Connection): number {
  return db.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get() ?? 0;
}

function factsOf(db: Connection): Omit<Extract<Whose, { kind: 'read' }>, 'kind'> {
  const ours = db.prepare(PURCHASES).get() !== undefined;
  return {
    account: db.prepare<[], string>("SELECT value FROM meta WHERE key = 'account'").pluck().get(),
    ours,
    bought: ours || db.prepare(ADOPTED).get() !== undefined,
    halts: db.prepare<[], HaltRow>(`${HALTS} WHERE resumed_at IS NULL ORDER BY id`).all(),
  };
}

function lacks(db: Connection, from: Connection, wanted: string, known: string): boolean {
  const rowsOf = (of: Connection, rows: string): readonly unknown[] => of.prepare(rows).raw().all();
  const all = new Set(rowsOf(db, known).map((row) => JSON.stringify(row)));
  return rowsOf(from, wanted).some((row) => !all.has(JSON.stringify(row)));
}

/** One halt of all writes the same into each: it is known where it stands too, or was resumed later. */
function isUnheard(db: Connection): (halt: HaltRow) => boolean {
  const known = db.prepare<[], HaltRow>(HALTS).all();
  return ({ reason, by, at }) =>
    !known.some((own) => own.reason === reason && own.by === by && (own.resumedAt === null || own.resumedAt >= at));
}
