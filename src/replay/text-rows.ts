import type Database from 'better-sqlite3';

/** Texts whose rows are known, so that one that is seen again is not stored again. */
const REMEMBERED = 50_000;
const LOADED = 20_000;

/** The texts of listings in a recording that is written, each stored once as long as it is remembered. Throws what SQLite throws. */
export class TextRows {
  readonly #insert: Database.Statement;
  readonly #ids = new Map<string, number>();

  constructor(db: Database.Database) {
    this.#insert = db.prepare('INSERT INTO text (hash, text) VALUES (?, ?)');
    const rows = db.prepare('SELECT id, hash FROM text ORDER BY id DESC LIMIT ?').all(LOADED) as { id: number; hash: Buffer }[];
    for (const { id, hash } of rows.reverse()) this.#ids.set(hash.toString('latin1'), id);
  }

  /** Row of a text, stored now where it is not known. */
  idOf({ text, hash }: { readonly text: string; readonly hash: Buffer }): number {
    const name = hash.toString('latin1');
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const id = Number(this.#insert.run(hash, text).lastInsertRowid);
    this.#ids.set(name, id);
    return id;
  }

  /** Rows of these texts are gone. */
  forget(hashes: readonly Buffer[]): void {
    for (const hash of hashes) this.#ids.delete(hash.toString('latin1'));
  }

  /** Lets go of the oldest beyond what is remembered; never while a transaction may still be taken back. */
  bound(): void {
    for (const oldest of this.#ids.keys()) {
      if (this.#ids.size <= REMEMBERED) return;
      this.#ids.delete(oldest);
    }
  }
}
