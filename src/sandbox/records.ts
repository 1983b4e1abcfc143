/** The kinds of rows that the exchange keeps. */
export const recordKinds = [
  'meta',
  'account',
  'listing',
  'order',
  'booking',
  'queued',
  'event',
  'deposit',
  'withdrawal',
  'transfer',
] as const;

export type RecordKind = (typeof recordKinds)[number];

/** One row to write; a body of undefined deletes it. */
export interface Change {
  readonly kind: RecordKind;
  readonly id: string;
  readonly body: unknown;
}

/** Where the books are kept. `commit` is one transaction: all of it or nothing. */
export interface RecordStore {
  /** Bodies of a kind, in the order of their ids. */
  load(kind: RecordKind): readonly unknown[];
  commit(changes: readonly Change[]): void;
  close(): void;
}

/** Keeps nothing: the exchange then lives in memory only. */
export const noStore: RecordStore = { load: () => [], commit: () => undefined, close: () => undefined };

/** What has changed since the last commit; of several changes of a row the last one counts. */
export class Changes {
  readonly #pending = new Map<string, Change>();

  get size(): number {
    return this.#pending.size;
  }

  put(kind: RecordKind, id: string, body: unknown): void {
    this.#pending.set(`${kind}/${id}`, { kind, id, body });
  }

  remove(kind: RecordKind, id: string): void {
    this.put(kind, id, undefined);
  }

  /** Hands all of them to the store; they are forgotten only when it has them. Throws what the store throws. */
  commitTo(store: RecordStore): void {
    store.commit([...this.#pending.values()]);
    this.#pending.clear();
  }
}
