import type { EpochMs } from '../domain/clock.ts';
import { printable } from '../domain/text.ts';
import type { Connection } from './connection.ts';
import { type LedgerFault, type Opened, faultOf } from './failure.ts';
import { schemaV2 } from './schema-v2.ts';
import { schemaV3 } from './schema-v3.ts';
import { schemaV4 } from './schema-v4.ts';
import { schemaV5 } from './schema-v5.ts';
import { APPLICATION_ID, schemaV1 } from './schema.ts';
import { backUpBeforeUpgrade, dropOldUpgradeBackups } from './upgrade-backup.ts';

/** One step from the version before it. */
export interface Migration {
  readonly to: number;
  readonly sql: string;
}

/** Every step there has been, in order. A released one is never edited. */
export const migrations: readonly Migration[] = [
  { to: 1, sql: schemaV1 },
  { to: 2, sql: schemaV2 },
  { to: 3, sql: schemaV3 },
  { to: 4, sql: schemaV4 },
  { to: 5, sql: schemaV5 },
];

/** The version that this program reads and writes. */
export function newestVersion(steps: readonly Migration[] = migrations): number {
  return steps.at(-1)?.to ?? 0;
}

/** What an upgrade did. */
export interface Upgraded {
  readonly from: number;
  readonly to: number;
  /** The whole ledger as it was; absolute. */
  readonly backup: string;
}

/**
 * Brings the database to the newest version, each step in one transaction with its version number (a new one in a single one), after a checked backup (see
 * `backUpBeforeUpgrade`; `at` names it). Gives what was done; undefined where there was nothing to upgrade. A database that is not ours or
 * from a newer program is refused untouched, and so is one whose backup cannot be made.
 */
export function migrate(
  db: Connection,
  path: string,
  at: EpochMs,
  steps: readonly Migration[] = migrations,
): Opened<Upgraded | undefined> {
  const from = versionOf(db);
  const to = newestVersion(steps);
  const refused = checkIdentity(db, path, from) ?? checkNotNewer(db, path, from, to);
  if (refused) return { ok: false, fault: refused };
  try {
    if (from === to) return { ok: true, value: undefined };
    const backup = from === 0 ? undefined : backUpBeforeUpgrade(db, path, from, at);
    if (backup?.ok === false) return backup;
    // Before the upgrade: one that fails at each start must not fill the disk with copies.
    if (backup !== undefined) dropOldUpgradeBackups(backup.value);
    upgrade(db, from, steps);
    return { ok: true, value: backup && { from, to, backup: backup.value } };
  } catch (error) {
    return { ok: false, fault: faultOf(error, path) };
  }
}

/**
 * Takes a database of ours from a version to the newest. Throws what SQLite throws; the steps before that stay done. One that is not set up
 * yet is set up whole or not at all: no step of it is worth a wait for the disk.
 */
export function upgrade(db: Connection, from: number, steps: readonly Migration[] = migrations): void {
  const due = steps.filter(({ to }) => to > from);
  const take = (step: Migration): void => {
    db.exec(step.sql);
    db.pragma(`user_version = ${step.to}`);
  };
  if (from === 0) db.transaction(() => due.forEach(take)).immediate();
  else for (const step of due) db.transaction(() => take(step)).immediate();
}

/** Refuses what is no ledger of Magpie, or one of a newer program; tells the version of any other, 0 for one that is not set up. */
export function checkOurs(db: Connection, path: string): Opened<number> {
  const version = versionOf(db);
  const fault = checkIdentity(db, path, version) ?? checkNotNewer(db, path, version, newestVersion());
  return fault ? { ok: false, fault } : { ok: true, value: version };
}

/** Refuses a database of any other version than ours, for those who may not change it. */
export function checkVersion(db: Connection, path: string): LedgerFault | undefined {
  const ours = checkOurs(db, path);
  if (!ours.ok) return ours.fault;
  const version = ours.value;
  if (version === newestVersion()) return undefined;
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

function checkNotNewer(db: Connection, path: string, version: number, newest: number): LedgerFault | undefined {
  if (version <= newest) return undefined;
  const writer = writerOf(db);
  const by = writer === undefined ? 'a newer Magpie' : `Magpie ${printable(writer, 60)}`;
  return {
    kind: 'newer',
    message: `${path}: it is of version ${version}, written by ${by}; this Magpie reads up to version ${newest}. Nothing was changed.`,
  };
}

/** The program that was last at work with it, where a version that we do not know still says so in the old place. */
function writerOf(db: Connection): string | undefined {
  try {
    const text = db.prepare<[], string>("SELECT value FROM meta WHERE key = 'heartbeat'").pluck().get();
    const { version } = JSON.parse(text ?? '{}') as { readonly version?: unknown };
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}
