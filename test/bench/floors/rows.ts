import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { PollResult } from '../../../src/engine/snapshot.ts';

/** What keeping events as rows came to. */
export interface Kept {
  /** CPU. */
  readonly ms: number;
  readonly bytes: number;
  /** CPU of reading them all and adding up the prices. */
  readonly loadMs: number;
}

/** Events as one keeps them first: a row each in SQLite, a transaction a poll, numbers and names and no text. */
export class SqliteRows {
  readonly #path: string;
  readonly #db: Database.Database;
  readonly #write: (poll: PollResult) => void;
  #ms = 0;

  constructor(path: string) {
    this.#path = path;
    this.#db = new Database(path);
    this.#db.pragma('journal_mode = WAL');
    this.#db.pragma('synchronous = NORMAL');
    this.#db.exec(
      'CREATE TABLE event (at REAL, kind TEXT, market TEXT, listing TEXT, name TEXT, price INTEGER, cost INTEGER, steam INTEGER, wear REAL, seed INTEGER)',
    );
    const insert = this.#db.prepare('INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#write = this.#db.transaction(({ facts: { endedAt }, change }: PollResult) => {
      for (const { kind, listing } of change?.changed ?? []) {
        const { market, id, name, priceMicros, cost, steam = null, wear = null, paintSeed = null } = listing;
        insert.run(endedAt, kind, market, id, name, priceMicros, cost, steam, wear, paintSeed);
      }
      for (const key of change?.gone ?? []) {
        const [market, id] = key.split(':');
        insert.run(endedAt, 'gone', market, id, null, null, null, null, null, null);
      }
    });
  }

  poll(result: PollResult): void {
    const before = cpuMs();
    this.#write(result);
    this.#ms += cpuMs() - before;
  }

  close(): Kept {
    this.#db.pragma('wal_checkpoint(TRUNCATE)');
    const before = cpuMs();
    let sum = 0;
    for (const cost of this.#db.prepare('SELECT cost FROM event').pluck().iterate()) sum += (cost as number | null) ?? 0;
    const loadMs = cpuMs() - before;
    if (!Number.isFinite(sum)) throw new Error('no sum of rows');
    this.#db.close();
    return { ms: this.#ms, bytes: statSync(this.#path).size, loadMs };
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
