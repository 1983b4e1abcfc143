import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Bound } from '../../ledger/meta.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { openReader } from '../../ledger/open.ts';
import { accountFolder } from '../../settings/load.ts';

/**
 * Data folders in which something was bought or halted and which no account of the configuration has, by the service's account that each is
 * bound to: that of an account that is called otherwise now, or of one that was alone before. What cannot be read tells nothing.
 */
export function leftFolders(data: string, names: readonly string[]): ReadonlyMap<string, string> {
  const known = new Set(names);
  const left = below(join(data, 'accounts')).filter((name) => !known.has(name));
  return new Map(
    [data, ...left.map((name) => accountFolder(data, name))].flatMap((folder) => {
      const account = ownerOf(folder);
      return account === undefined ? [] : [[account, folder] as const];
    }),
  );
}

/** The ledger, which becomes no account's that has another: its caps would count from nothing there, and a halt would not hold. */
export function besideLeft(ledger: Ledger, left: ReadonlyMap<string, string>): Ledger {
  const bindAccount = (id: string): Bound =>
    left.has(id) && ledger.account() === undefined ? { ok: false, belongsTo: id } : ledger.bindAccount(id);
  return { ...ledger, bindAccount };
}

/** Why a key finds no ledger in the folder that it was given. `left`: where that of its account lies. */
export function foreignWords(
  account: string,
  belongsTo: string,
  left = 'elsewhere',
): { readonly message: string; readonly next: string } {
  if (belongsTo !== account)
    return {
      message: `this data folder belongs to account ${belongsTo}, the key to account ${account}`,
      next: 'give each account a folder of its own with `data:` or --data',
    };
  return {
    message: `what account ${account} has bought, its caps and its halts are in ${left}, which no account of the configuration has`,
    next: 'stop Magpie, move the new folder away and rename the old one to it, or call the account as before',
  };
}

function below(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function ownerOf(folder: string): string | undefined {
  const opened = openReader(folder);
  if (!opened.ok) return undefined;
  const ledger = opened.value;
  try {
    const counts = ledger.halted() !== undefined || ledger.purchases({ lane: 'live', limit: 1 }).length > 0;
    return counts ? ledger.account() : undefined;
  } catch {
    return undefined;
  } finally {
    ledger.close();
  }
}
