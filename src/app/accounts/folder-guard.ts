import type { Ledger } from '../../ledger/ledger.ts';
import type { Bound } from '../../ledger/meta.ts';
import type { Settings } from '../../settings/settings.ts';
import { LeftFolders, type Refused } from './left-folders.ts';
import { Merchants } from './merchants.ts';

type Own = Pick<Settings, 'account' | 'mode' | 'data'>;

/** Asked for the service's account that a key turns out to have, before anything is bought with it. */
export interface FolderGuard {
  /** The ledger of an account is open; `bound`: the service's account that it is bound to by now. */
  opened(own: Own, bound: string | undefined): void;
  /** Why an account must not buy from its folder; undefined where it may. */
  refusal(id: string, own: Own, bound: string | undefined): Refused | undefined;
}

/** For all accounts of a process. */
export function guardOfAll({ recordingFolder: top, accountNames }: Settings, accounts: readonly Own[]): FolderGuard {
  const all = accounts.flatMap(({ account, mode }) =>
    account === undefined ? [] : [{ name: account, isLive: mode === 'live' }],
  );
  return guardOf(new LeftFolders(top, accountNames), new Merchants(top, all));
}

/** For an account that has the process for itself: one that is alone, or one of several for the time of a command. */
export function guardOfOne({ recordingFolder: top, accountNames }: Settings): FolderGuard {
  // How the others are set is not known here.
  const all = accountNames.map((name) => ({ name, isLive: undefined }));
  return guardOf(new LeftFolders(top, accountNames), new Merchants(top, all));
}

function guardOf(left: LeftFolders, merchants: Merchants): FolderGuard {
  return {
    opened({ account, mode }, bound) {
      if (mode === 'live' && account !== undefined) merchants.opened(account, bound);
    },
    refusal: (id, { account, mode, data: folder }, bound) =>
      left.refusal(id, { folder, bound }) ??
      (mode === 'live' && account !== undefined ? merchants.refusal(account, id, bound) : undefined),
  };
}

export interface Guarded {
  /** It becomes no account's, and counts as none's, where the guard refuses it: caps would count from nothing there, and no halt hold. */
  readonly ledger: Ledger;
  /** Why a key finds no ledger in the folder that it was given. */
  readonly why: (account: string, belongsTo: string) => Refused;
}

export function guardFolder(ledger: Ledger, own: Own, guard: FolderGuard): Guarded {
  let passed: string | undefined;
  let refused: Refused | undefined;
  guard.opened(own, ledger.account());
  const bindAccount = (id: string): Bound => {
    const bound = ledger.account();
    if (passed === id || (bound !== undefined && bound !== id)) return ledger.bindAccount(id);
    refused = guard.refusal(id, own, bound);
    if (refused !== undefined) return { ok: false, belongsTo: id };
    passed = id;
    return ledger.bindAccount(id);
  };
  const why = (account: string, belongsTo: string): Refused =>
    belongsTo === account && refused !== undefined ? refused : foreign(account, belongsTo);
  return { ledger: { ...ledger, bindAccount }, why };
}

function foreign(account: string, belongsTo: string): Refused {
  return {
    message: `this data folder belongs to account ${belongsTo}, the key to account ${account}`,
    next: 'give each account a folder of its own with `data:` or --data',
    exitCode: 2,
  };
}
