import type Database from 'better-sqlite3';
import { JournalFailure } from '../engine/journal.ts';
import { type Connection, type Wait, asOpened } from './connection.ts';
import { asJournalFailure, breaksTrust } from './failure.ts';
import { identityOf } from './folder.ts';

/**
 * Called between any two effects on the disk, with `<transaction>:begin`, `<transaction>:<n>` before its n-th write,
 * `<transaction>:commit` before and `<transaction>:committed` after the commit. By default it does nothing; a simulation
 * throws to kill the process there, or throws JournalFailure (not from `committed`) to let that write fail.
 */
export type CrashPoint = (name: string) => void;

export const noCrash: CrashPoint = () => {};

/** A statement that changes rows; it runs inside `transaction` only. */
export type Write<P extends unknown[]> = (...values: P) => Database.RunResult;

/**
 * Why no intent rests on a connection any more. It is the connection's: the system tells once that a sync has failed, to whichever store of
 * it waits just then.
 */
const broken = new WeakMap<Connection, string>();

/** One connection with its transactions, its failures as JournalFailure, and its crash points. */
export class Store {
  readonly db: Connection;
  readonly path: string;
  readonly #point: CrashPoint;
  readonly #wait: Wait;
  readonly #begin: Database.Statement<[]>;
  readonly #commit: Database.Statement<[]>;
  readonly #rollback: Database.Statement<[]>;
  readonly #identity: string;
  #running: { readonly name: string; writes: number } | undefined;
  #besides: (() => (() => void) | undefined) | undefined;

  constructor(db: Connection, path: string, point: CrashPoint, wait: Wait = asOpened) {
    this.db = db;
    this.path = path;
    this.#point = point;
    this.#wait = wait;
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#rollback = db.prepare('ROLLBACK');
    this.#identity = identityOf(path);
  }

  /** `write` runs at the end of every transaction and may write besides; what it returns is called once that is committed. */
  besidesEach(write: () => (() => void) | undefined): void {
    this.#besides = write;
  }

  /**
   * Runs `work` as one transaction that is committed when this returns. When anything in it throws, nothing has changed.
   * Throws JournalFailure for what SQLite or the disk refuse.
   */
  transaction<T>(name: string, work: () => T): T {
    if (this.#running) throw new Error(`transaction ${name} inside ${this.#running.name}`);
    this.#point(`${name}:begin`);
    this.#running = { name, writes: 0 };
    let result: T;
    let committed: (() => void) | undefined;
    try {
      this.#wait.begin();
      this.#begin.run();
      result = work();
      committed = this.#besides?.();
      this.#point(`${name}:commit`);
      this.#commit.run();
    } catch (error) {
      this.#undo();
      throw this.#failure(error);
    } finally {
      this.#running = undefined;
      this.#wait.end();
    }
    committed?.();
    this.#afterCommit();
    this.#point(`${name}:committed`);
    return result;
  }

  /** A statement that changes rows, prepared when it is first used, as all are. Values that are undefined are written as null. */
  writing<P extends unknown[]>(sql: string): Write<P> {
    let statement: Database.Statement<P> | undefined;
    return (...values) => {
      if (!this.#running) throw new Error(`a write outside a transaction: ${sql}`);
      this.#running.writes += 1;
      this.#point(`${this.#running.name}:${this.#running.writes}`);
      statement ??= this.db.prepare<P>(sql);
      return statement.run(...values);
    };
  }

  /** A query for rows of the given shape. */
  reading<P extends unknown[], R>(sql: string): { get(...values: P): R | undefined; all(...values: P): R[] } {
    let kept: Database.Statement<P, R> | undefined;
    const statement = (): Database.Statement<P, R> => (kept ??= this.db.prepare<P, R>(sql));
    return {
      get: (...values) => this.#guard(() => statement().get(...values)),
      all: (...values) => this.#guard(() => statement().all(...values)),
    };
  }

  /** A query for one value of one row. */
  value<P extends unknown[], V>(sql: string): (...values: P) => V | undefined {
    let statement: Database.Statement<P, V> | undefined;
    return (...values) => this.#guard(() => (statement ??= this.db.prepare<P, V>(sql).pluck()).get(...values));
  }

  /**
   * Throws JournalFailure when a new intent must not rest on this database: a sync failed or damage was seen since it was
   * opened, or the file that is open is no longer the one that has its name.
   */
  assertSound(): void {
    const why = broken.get(this.db);
    if (why !== undefined) throw new JournalFailure(`${why}; restart Magpie after that`);
    if (identityOf(this.path) === this.#identity) return;
    throw new JournalFailure(`${this.path}: it was removed or replaced while Magpie ran: restart Magpie`);
  }

  /** From now on no intent rests on this database, until it is opened anew: somebody has found it damaged. */
  distrust(why: string): void {
    if (!broken.has(this.db)) broken.set(this.db, why);
  }

  /** What is committed stays so: what fails here is tried again after the next commit, but may end the trust in the database. */
  #afterCommit(): void {
    try {
      this.#wait.committed();
    } catch (error) {
      const failure = this.#failure(error);
      if (!(failure instanceof JournalFailure)) throw failure;
    }
  }

  #undo(): void {
    if (!this.db.inTransaction) return;
    try {
      this.#rollback.run();
    } catch (error) {
      this.#failure(error);
    }
  }

  #guard<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw this.#failure(error);
    }
  }

  #failure(error: unknown): Error {
    const failure = asJournalFailure(error, this.path);
    if (breaksTrust(error) && failure instanceof JournalFailure) this.distrust(failure.message);
    return failure;
  }
}
