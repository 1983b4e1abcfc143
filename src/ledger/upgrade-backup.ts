import { readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { EpochMs } from '../domain/clock.ts';
import { bytesText } from '../domain/text.ts';
import { backupName, backupsFolder } from './backup-names.ts';
import { type Connection, checkStructure, openForReading } from './connection.ts';
import { type LedgerFault, type Opened, codeOf, faultOf } from './failure.ts';
import { createFile, prepareFolder, statOf, syncFile, syncFolder, systemFault } from './folder.ts';

/** From so many versions the newest backup is kept; what is older than that nobody goes back to. */
const VERSIONS_KEPT = 3;

const NAME = /^upgrade-v(\d{1,9})-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.db$/;
const UNFINISHED = /^upgrade-v[^/]{1,40}\.db\.part(?:-journal)?$/;

/**
 * Keeps a whole copy of a ledger in the folder `backups` of its data folder before it is upgraded: `upgrade-v<N>-<time>.db`, N being the
 * version that it holds. It is synced and checked before it has its name, only its owner may read it, and `magpie restore` takes it. Gives
 * its path; refused where it cannot be made, with what to do: nothing is upgraded without it.
 */
export function backUpBeforeUpgrade(db: Connection, path: string, version: number, at: EpochMs): Opened<string> {
  const folder = backupsFolder(dirname(path));
  const target = join(folder, backupName(at, `upgrade-v${version}`));
  const part = `${target}.part`;
  const fault = prepareFolder(folder) ?? copied(db, path, part, version);
  if (fault) return { ok: false, fault: { kind: fault.kind, message: refusal(path, version, folder, fault) } };
  renameSync(part, target);
  syncFolder(folder);
  return { ok: true, value: target };
}

/**
 * Removes backups of versions that nobody goes back to, those of a version that are older than the one that was `made` just now, and what
 * was left unfinished. That one stays whatever the dates in the names say: clocks are set back. What cannot be removed stays.
 */
export function dropOldUpgradeBackups(made: string): void {
  const folder = dirname(made);
  const newest = new Map<number, string>();
  const names = namesIn(folder);
  for (const name of [basename(made), ...names.toSorted().reverse()]) {
    const version = Number(NAME.exec(name)?.[1]);
    if (!Number.isNaN(version) && !newest.has(version)) newest.set(version, name);
  }
  const byVersion = [...newest].sort(([one], [other]) => other - one).map(([, name]) => name);
  const kept = new Set([...new Set([basename(made), ...byVersion])].slice(0, VERSIONS_KEPT));
  for (const name of names) if ((NAME.test(name) && !kept.has(name)) || UNFINISHED.test(name)) drop(join(folder, name));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A ledger that is whole is not kept closed by a file that is in nobody's way. */
function drop(path: string): void {
  try {
    rmSync(path);
  } catch {
    // The next upgrade tries again.
  }
}

/** Where it fails nothing of it is left. */
function copied(db: Connection, path: string, part: string, version: number): LedgerFault | undefined {
  let fault: LedgerFault | undefined;
  try {
    remove(part);
    createFile(part);
    db.prepare<[string]>('VACUUM INTO ?').run(part);
    syncFile(part);
    fault = checked(part, version);
  } catch (error) {
    fault = codeOf(error).startsWith('SQLITE') ? faultOf(error, path) : systemFault(error, part);
  }
  if (fault) remove(part);
  return fault;
}

function checked(part: string, version: number): LedgerFault | undefined {
  try {
    const copy = openForReading(part);
    try {
      const damage = checkStructure(copy, part);
      if (damage) return damage;
      const found = copy.pragma('user_version', { simple: true });
      return found === version ? undefined : { kind: 'sqlite', message: `${part}: the copy is of version ${String(found)}` };
    } finally {
      copy.close();
    }
  } catch (error) {
    return faultOf(error, part);
  }
}

function remove(part: string): void {
  for (const suffix of ['', '-journal']) rmSync(part + suffix, { force: true });
}

function refusal(path: string, version: number, folder: string, { message }: LedgerFault): string {
  const bytes = statOf(path)?.size ?? 0;
  return [
    `${path}: it is of version ${version} and must be upgraded, but the backup that comes first could not be made. Nothing was changed.`,
    message,
    `→ make sure that ${folder} can be written and has ${bytesText(bytes)} free, then start again; the Magpie before this one still works with it`,
  ].join('\n');
}
