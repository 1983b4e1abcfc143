import { type Whose, whoseLedger } from '../../ledger/whose.ts';
import { accountFolder } from '../../settings/load.ts';
import type { Refused } from './left-folders.ts';

/** Whether the ledger of an account that has not been opened in this process stands in the way of others. */
export type Counts = (whose: Extract<Whose, { kind: 'read' }>) => boolean;

/**
 * For which account of the service each account of the configuration buys: two that have keys of one merchant would each spend up to caps
 * of their own, from one balance. It is the first of the file whose ledger is bound to it, else the first that answers.
 */
export class Merchants {
  readonly #top: string;
  readonly #names: readonly string[];
  readonly #counts: Counts;
  readonly #bound = new Map<string, string | undefined>();
  readonly #holders = new Map<string, string>();

  /** `names`: those that may buy, in the order of the file. */
  constructor(top: string, names: readonly string[], counts: Counts) {
    this.#top = top;
    this.#names = names;
    this.#counts = counts;
  }

  /** The ledger of an account is open from here on, and says so much. */
  opened(name: string, bound: string | undefined): void {
    this.#bound.set(name, bound);
  }

  /** Why an account must not buy for this account of the service; from here on nobody else may where it may. */
  refusal(name: string, id: string): Refused | undefined {
    const holder = this.#holders.get(id) ?? this.#names.find((other) => this.#boundOf(other) === id) ?? name;
    this.#holders.set(id, holder);
    if (holder === name) return undefined;
    return {
      message: `accounts.${holder} and accounts.${name} are one account of the service, ${id}: each would spend up to caps of its own`,
      next: `take one of the two out of the configuration, or give accounts.${name} the key of another merchant`,
      exitCode: 2,
    };
  }

  /** Accounts are opened in the order of the file: files are read for a folder that is new, and for one that could not be opened. */
  #boundOf(name: string): string | undefined {
    if (!this.#bound.has(name)) {
      const whose = whoseLedger(accountFolder(this.#top, name));
      this.#bound.set(name, whose.kind === 'read' && this.#counts(whose) ? whose.account : undefined);
    }
    return this.#bound.get(name);
  }
}
