import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../ledger/failure.ts';
import { ledgerPath, statOf } from '../../ledger/folder.ts';
import { isFolderHeld } from '../../ledger/lock.ts';
import { isAccountName } from '../../settings/accounts-schema.ts';
import { accountFolder } from '../../settings/load.ts';

/** Everything that stands where accounts have their folders, whether an account may be called so or not. Throws what the file system says. */
export function namesBelow(top: string): readonly string[] {
  try {
    const entries: readonly Dirent[] = readdirSync(join(top, 'accounts'), { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isFile() ? [] : [entry.name])).toSorted();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return [];
    throw error;
  }
}

/** Accounts with a ledger or a process, as the disk has them. */
export interface FoundAccounts {
  readonly names: readonly string[];
  /** Why nobody can say whether there are more. */
  readonly unread: string | undefined;
}

/** Accounts that have a ledger below a data folder, or are at work there, whatever the configuration says now. */
export function accountsBelow(top: string): FoundAccounts {
  try {
    const names = namesBelow(top).filter((name) => isAccountName(name) && isInUse(accountFolder(top, name)));
    return { names, unread: undefined };
  } catch (error) {
    return { names: [], unread: error instanceof Error ? error.message : String(error) };
  }
}

/** Whether there is a ledger in a folder. What cannot be looked at counts: nobody can say that nothing is there. */
export function hasLedger(folder: string): boolean {
  try {
    return statOf(ledgerPath(folder)) !== undefined;
  } catch (error) {
    return codeOf(error) !== 'ENOTDIR';
  }
}

/** Whether a ledger is seen in a folder; not where that cannot be looked into. */
export function isSeen(folder: string): boolean {
  try {
    return statOf(ledgerPath(folder)) !== undefined;
  } catch {
    return false;
  }
}

function isInUse(folder: string): boolean {
  return hasLedger(folder) || isFolderHeld(folder);
}
