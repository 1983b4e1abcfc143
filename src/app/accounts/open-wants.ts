import type { ListingKey } from '../../domain/listing.ts';

/**
 * What each account wants that is free, the best for it first. It is read anew of those accounts alone that something has happened to, so
 * that a turn costs what it changes, and not what a thousand others stand for.
 */
export class OpenWants {
  readonly #wants = new Map<string, Set<ListingKey>>();
  readonly #touched = new Set<string>();

  /** Of every account that wants anything, as of the last `refresh`. */
  get all(): ReadonlyMap<string, ReadonlySet<ListingKey>> {
    return this.#wants;
  }

  /** What an account wants may be something else now. */
  touched(account: string): void {
    this.#touched.add(account);
  }

  /** A listing is not free any more, whoever wants it. Gives those that did. */
  drop(key: ListingKey): readonly string[] {
    const wanted = [...this.#wants].filter(([, wants]) => wants.delete(key));
    for (const [account, wants] of wanted) if (wants.size === 0) this.#wants.delete(account);
    return wanted.map(([account]) => account);
  }

  /** Reads what those want that were touched. What reading touches of the very account that is read counts as read. */
  refresh(read: (account: string) => readonly ListingKey[]): void {
    for (const account of this.#touched) {
      const wants = read(account);
      this.#touched.delete(account);
      if (wants.length === 0) this.#wants.delete(account);
      else this.#wants.set(account, new Set(wants));
    }
  }
}
