import { printable } from '../../domain/text.ts';
import { type Whose, holdsMore, whoseLedger } from '../../ledger/whose.ts';
import { isAccountName } from '../../settings/accounts-schema.ts';
import { accountFolder } from '../../settings/load.ts';
import { isSeen, namesBelow } from './account-folders.ts';

/** Why nothing may be bought from a folder, and what a person does about it. */
export interface Refused {
  readonly message: string;
  readonly next: string;
  /** 2: the folder is not the account's; 1: nobody can say just now. */
  readonly exitCode: 1 | 2;
}

/** The folder that an account was given, and the service's account that it is bound to by now. */
export interface OwnFolder {
  readonly folder: string;
  readonly bound: string | undefined;
}

/**
 * Data folders that no account of the configuration has: of accounts that are called otherwise now, that were alone before or are no more.
 * What was bought or halted there counts for whoever it was, so that nobody begins anew beside it.
 */
export class LeftFolders {
  readonly #top: string;
  readonly #names: ReadonlySet<string>;
  /** What is read once stays so while the process lives; what could not be read is tried again. */
  readonly #read = new Map<string, Whose>();

  /** `top`: the data folder of all; `names`: the accounts of the configuration, none where it is for one. */
  constructor(top: string, names: readonly string[]) {
    this.#top = top;
    this.#names = new Set(names);
  }

  /** Why an account must not buy from a folder; undefined where nothing is left that could be its. */
  refusal(account: string, own: OwnFolder): Refused | undefined {
    try {
      return this.#refusal(account, own);
    } catch (error) {
      return unread(this.#top, error instanceof Error ? error.message : String(error));
    }
  }

  #refusal(account: string, own: OwnFolder): Refused | undefined {
    let doubt: Refused | undefined;
    for (const folder of this.#folders(own.folder)) {
      const whose = this.#whose(folder);
      if (whose.kind === 'unreadable') doubt ??= unread(folder, whose.why);
      if (whose.kind !== 'read' || (!whose.bought && whose.halts.length === 0)) continue;
      if (whose.account === account && holdsMore(folder, own.folder)) return this.#elsewhere(account, folder, own);
      // Beside several accounts the ledger of the data folder itself is one that no account ever had: of a recording, or a halt of all.
      const isAccounts = folder !== this.#top || this.#names.size === 0;
      const isNobodys = isAccounts && whose.account === undefined && own.bound === undefined;
      if (isNobodys && holdsMore(folder, own.folder)) doubt ??= haltOfNobody(folder, whose.halts[0]?.reason ?? '');
    }
    return doubt;
  }

  #folders(own: string): readonly string[] {
    const left = namesBelow(this.#top).filter((name) => !this.#names.has(name));
    // A `lost+found` that only root may look into is nobody's.
    const folders = left.flatMap((name) => {
      const folder = accountFolder(this.#top, name);
      return isAccountName(name) || isSeen(folder) ? [folder] : [];
    });
    return [this.#top, ...folders].filter((folder) => folder !== own);
  }

  #whose(folder: string): Whose {
    const known = this.#read.get(folder);
    if (known !== undefined) return known;
    const whose = whoseLedger(folder);
    if (whose.kind !== 'unreadable') this.#read.set(folder, whose);
    return whose;
  }

  #elsewhere(account: string, folder: string, { folder: own, bound }: OwnFolder): Refused {
    const isRenamed = folder !== this.#top && own !== this.#top;
    const toOld = isRenamed
      ? 'stop Magpie, move the new folder away and rename the old one to it, or call the account as before'
      : `stop Magpie and move the ledger from there (magpie.db, and what else begins so) to ${own}, in the place of what is there`;
    // Both know what the other does not: halts and doubts are lost with the one that goes.
    const toOne = `stop Magpie, look at both with --data (\`magpie purchases\`, \`magpie status\`), keep the one whose halts and open purchases matter in ${own}, and move the other out of the data folder`;
    return {
      message: `what account ${account} has bought, its caps and its halts are in ${folder}, which no account of the configuration has`,
      next: bound === undefined ? toOld : toOne,
      exitCode: 2,
    };
  }
}

function unread(folder: string, why: string): Refused {
  return {
    message: `whether what this account has bought or halted is in ${folder} cannot be read: ${printable(why, 500)}`,
    next: 'mend that, or move its magpie.db (and what else begins so) out of the data folder if it is of no account that you still use',
    exitCode: 1,
  };
}

/** Halted before the account has ever answered: nobody can say whose halt it is. */
function haltOfNobody(folder: string, reason: string): Refused {
  return {
    message: `a halt stands in ${folder}, which no account of the configuration has, and may be meant for this one: ${printable(reason, 200)}`,
    next: 'call the account as that folder, or move its magpie.db away if the halt is over',
    exitCode: 2,
  };
}
