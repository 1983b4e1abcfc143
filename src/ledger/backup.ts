import { rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { aside } from './aside.ts';
import { backupsFolder } from './backup-names.ts';
import { openForReading } from './connection.ts';
import { type LedgerFault, type Opened, codeOf, faultOf } from './failure.ts';
import { checkFiles, createFile, isReserved, ledgerPath, nameForGood, prepareFolder, statOf, systemFault } from './folder.ts';
import { checkOurs } from './migrate.ts';

/** A copy that is whole and on the disk. */
export interface Backup {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
}

/**
 * Makes a whole, consistent copy of the ledger of a data folder, beside whoever has it open and without keeping them from writing:
 * written under another name, synced, checked, and only then given its own, mode 0600. Never over anything that is there. The folder
 * `backups` of the data folder is made where the copy goes there.
 */
export async function backUpLedger(folder: string, target: string, signal?: AbortSignal): Promise<Opened<Backup>> {
  const data = resolve(folder);
  const path = ledgerPath(data);
  const fault = notThere(path) ?? checkFiles(path) ?? placeFault(data, target);
  if (fault) return { ok: false, fault };
  const part = `${target}.${process.pid}.part`;
  try {
    rmSync(part, { force: true });
    createFile(part);
    await aside({ name: 'copy', path, target: part }, signal);
    await synced(part);
    const refused = wrongCopy(part, path, await aside({ name: 'check', path: part }, signal));
    if (refused) return { ok: false, fault: refused };
    nameForGood(part, target);
    return { ok: true, value: { path: target, bytes: statSync(target).size } };
  } catch (error) {
    return { ok: false, fault: failed(error, path, target) };
  } finally {
    rmSync(part, { force: true });
  }
}

function notThere(path: string): LedgerFault | undefined {
  if (statOf(path)) return undefined;
  return { kind: 'missing', message: `${path}: there is no ledger yet: \`magpie run\` makes one` };
}

function placeFault(data: string, target: string): LedgerFault | undefined {
  try {
    if (statOf(target)) return taken(target);
    if (dirname(target) === data && isReserved(basename(target)))
      return { kind: 'taken', message: `${target}: this name is Magpie's own: give the backup another one` };
    return dirname(target) === backupsFolder(data) ? prepareFolder(dirname(target)) : undefined;
  } catch (error) {
    return systemFault(error, target);
  }
}

function taken(target: string): LedgerFault {
  return { kind: 'taken', message: `${target}: it is there already, and a backup is never written over anything` };
}

/** What the disk has not taken is no backup. */
async function synced(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function wrongCopy(part: string, path: string, said: readonly string[]): LedgerFault | undefined {
  if (said.length !== 1 || said[0] !== 'ok')
    return { kind: 'damaged', message: `${path}: its copy is damaged (${said.join('; ').slice(0, 300)})` };
  const db = openForReading(part);
  try {
    const ours = checkOurs(db, path);
    return ours.ok ? undefined : ours.fault;
  } finally {
    db.close();
  }
}

/** Damage is of the ledger that was read; what else goes wrong is about the place of the copy. */
function failed(error: unknown, path: string, target: string): LedgerFault {
  const code = codeOf(error);
  if (code === 'EEXIST') return taken(target);
  if (code === 'ENOSPC' || code === 'EDQUOT') return { kind: 'disk', message: `${target}: the disk is full: free some space` };
  if (!code.startsWith('SQLITE')) return systemFault(error, target);
  const fault = faultOf(error, path);
  return fault.kind === 'damaged' ? fault : faultOf(error, target);
}

/** Looks for damage in the structure of a whole ledger, beside whoever has it open. */
export async function checkLedger(folder: string, signal?: AbortSignal): Promise<LedgerFault | undefined> {
  const path = ledgerPath(resolve(folder));
  try {
    const said = await aside({ name: 'check', path }, signal);
    if (said.length === 1 && said[0] === 'ok') return undefined;
    return { kind: 'damaged', message: `${path}: it is damaged (${said.join('; ').slice(0, 300)})` };
  } catch (error) {
    return faultOf(error, path);
  }
}

/** What a copy of the ledger takes at most, in bytes: what has been written and not yet been moved into the file counts too. */
export function ledgerBytes(folder: string): number {
  const path = ledgerPath(resolve(folder));
  return (statOf(path)?.size ?? 0) + (statOf(`${path}-wal`)?.size ?? 0);
}
