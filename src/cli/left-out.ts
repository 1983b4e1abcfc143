import { type FoundAccounts, accountsBelow } from '../app/accounts/account-folders.ts';
import { counted, printable } from '../domain/text.ts';
import { isFolderHeld } from '../ledger/lock.ts';
import { accountFolder } from '../settings/load.ts';
import type { LocalSettings } from '../settings/what-counts.ts';
import type { Io } from './io.ts';

type Asked = Pick<LocalSettings, 'account' | 'accountNames' | 'recordingFolder'>;

/**
 * Accounts with a ledger in the data folder that the configuration does not name: taken out of the file while they run, or given up. Where
 * one account was asked for nothing is left out.
 */
export function leftOut({ account, accountNames, recordingFolder }: Asked): FoundAccounts {
  if (account !== undefined) return { names: [], unread: undefined };
  const { names, unread } = accountsBelow(recordingFolder);
  return { names: names.filter((name) => !accountNames.includes(name)), unread };
}

/** What a list or a summary of all does not show, in words; undefined where it shows everything. */
export function leftOutWords(settings: Asked): string | undefined {
  const { names, unread } = leftOut(settings);
  if (unread !== undefined) return `Which accounts are left out cannot be read: ${printable(unread, 500)}`;
  if (names.length === 0) return undefined;
  const each = names.map((name) => (isFolderHeld(accountFolder(settings.recordingFolder, name)) ? `${name} (at work)` : name));
  return `Left out: ${counted(names.length, 'account')} in the data folder that the configuration does not name: ${each.join(', ')}`;
}

/** Beside a list or a document that must hold nothing else. */
export function tellLeftOut({ err }: Pick<Io, 'err'>, settings: Asked): void {
  const words = leftOutWords(settings);
  if (words !== undefined) err.line(err.palette.warn(words));
}
