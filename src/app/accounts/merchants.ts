import { whoseLedger } from '../../ledger/whose.ts';
import { accountFolder } from '../../settings/load.ts';
import type { Refused } from './left-folders.ts';

/** An account of the configuration. */
export interface Named {
  readonly name: string;
  /** It may buy; undefined: that is not known here. */
  readonly isLive: boolean | undefined;
}

/**
 * For which account of the service each account of the configuration buys: two that have keys of one merchant would each spend up to caps
 * of their own, from one balance. It is the first of the file whose ledger is bound to it, else the first that answers. One on paper
 * counts where it has bought for money before: what it bought and its halts would be left behind.
 */
export class Merchants {
  readonly #top: string;
  readonly #all: readonly Named[];
  readonly #known = new Map<string, string | undefined>();
  readonly #holders = new Map<string, string>();

  /** `all`: in the order of the file. */
  constructor(top: string, all: readonly Named[]) {
    this.#top = top;
    this.#all = all;
  }

  /** The ledger of a live account is open from here on, and says so much. */
  opened(name: string, bound: string | undefined): void {
    this.#known.set(name, bound);
  }

  /** Why a live account, bound so far or not, must not buy for this account of the service; nobody else may from here on where it may. */
  refusal(name: string, id: string, bound: string | undefined): Refused | undefined {
    const known = this.#all.map((one) => ({ name: one.name, of: one.name === name ? bound : this.#boundOf(one) }));
    const holder = this.#holders.get(id) ?? known.find(({ of }) => of === id)?.name ?? name;
    this.#holders.set(id, holder);
    if (holder === name) return undefined;
    return {
      message: `accounts.${holder} and accounts.${name} are one account of the service, ${id}: each would spend up to caps of its own`,
      next: `take one of the two out of the configuration, or give accounts.${name} the key of another merchant`,
      exitCode: 2,
    };
  }

  /** Accounts are opened in the order of the file: files are read for one that is new, on paper, or could not be opened. */
  #boundOf({ name, isLive }: Named): string | undefined {
    if (this.#known.has(name)) return this.#known.get(name);
    const whose = whoseLedger(accountFolder(this.#top, name));
    // Accounts go on without each other: what cannot be read closes none, and is read again.
    if (whose.kind === 'unreadable') return undefined;
    const bound = whose.kind === 'read' && (isLive === true || whose.ours) ? whose.account : undefined;
    this.#known.set(name, bound);
    return bound;
  }
}
