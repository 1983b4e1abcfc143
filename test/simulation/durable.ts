import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, readSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Random } from '../../src/domain/random.ts';

/** Where a write-ahead log stands, by SQLite's own index of it (sqlite.org/walformat.html). */
interface LogState {
  readonly salt: bigint;
  /** Frames of committed transactions. */
  readonly frames: number;
  /** Frames that a checkpoint has copied into the database: synced before that. */
  readonly copied: number;
  readonly pageBytes: number;
}

const DB = 'magpie.db';
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** What of a folder's database is on the disk for sure: all up to the last commit that was synced. */
export class Durable {
  #folder: string;
  #index: LogIndex;
  #synced: LogState | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    this.#index = new LogIndex(folder);
  }

  /** The database was opened, which may have made a new log. */
  opened(): void {
    this.close();
    this.#index = new LogIndex(this.#folder);
    this.sync();
  }

  /** Everything that is committed now is synced. */
  sync(): void {
    this.#synced = this.#index.state();
  }

  close(): void {
    this.#index.close();
  }

  /** Whether anything committed is not synced yet. */
  get atRisk(): boolean {
    const now = this.#index.state();
    return now !== undefined && now.frames > this.#floor(now);
  }

  /** As the process leaves it when it is killed: files as they are. */
  copyTo(target: string): void {
    mkdirSync(target, { mode: 0o700 });
    for (const suffix of ['', '-wal']) {
      const from = join(this.#folder, DB + suffix);
      if (existsSync(from)) copyFileSync(from, join(target, DB + suffix));
    }
    this.#folder = target;
  }

  /** As the disk may look after a power cut: what was not synced is there in part, or not at all. */
  copyWithLoss(target: string, random: Random): void {
    const state = this.#index.state();
    const floor = state === undefined ? 0 : this.#floor(state);
    this.copyTo(target);
    if (state === undefined) return;
    const lost = Math.floor((state.frames - floor + 1) * random.next());
    const kept = state.frames - lost;
    if (lost === 0) return;
    const frameBytes = FRAME_HEADER_BYTES + state.pageBytes;
    // The first frame that is lost may be there in part.
    const torn = Math.floor(frameBytes * random.next());
    const path = join(target, `${DB}-wal`);
    truncateSync(path, kept === 0 ? 0 : HEADER_BYTES + kept * frameBytes + torn);
  }

  #floor(state: LogState): number {
    const synced = this.#synced;
    return Math.max(state.copied, synced?.salt === state.salt ? Math.min(synced.frames, state.frames) : 0);
  }
}

/** The index beside a database's log, held open: it is read after every commit. */
class LogIndex {
  readonly #head = Buffer.alloc(100);
  readonly #path: string;
  #file: number | undefined;

  constructor(folder: string) {
    this.#path = join(folder, `${DB}-shm`);
  }

  state(): LogState | undefined {
    if (this.#file === undefined) {
      if (!existsSync(this.#path)) return undefined;
      this.#file = openSync(this.#path, 'r');
    }
    const head = this.#head;
    if (readSync(this.#file, head, 0, head.length, 0) < head.length) return undefined;
    const pageBytes = head.readUInt16LE(14);
    return {
      salt: head.readBigUInt64LE(32),
      frames: head.readUInt32LE(16),
      copied: head.readUInt32LE(96),
      pageBytes: pageBytes === 1 ? 65_536 : pageBytes,
    };
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

type Handle = Database.Database;

/** Asked at each commit: the one connection of an account among others changes its mind. */
function isFull(db: Handle): boolean {
  return Number(db.pragma('synchronous', { simple: true })) >= 2;
}

/**
 * Watches commits of every database that is opened from now on, and says which were synced: those of a connection that is FULL at
 * that moment. Returns how to stop.
 */
export function watchCommits(onSynced: (path: string) => void): () => void {
  const proto = Database.prototype;
  const real = proto.prepare;
  const prepare = function (this: Handle, sql: string): Database.Statement {
    const statement = Reflect.apply(real, this, [sql]);
    if (sql !== 'COMMIT') return statement;
    const run = statement.run.bind(statement);
    const watched = (): Database.RunResult => {
      const result = run();
      if (isFull(this)) onSynced(this.name);
      return result;
    };
    // Several databases may be watched at once, each watch laid over the one before.
    Object.defineProperty(statement, 'run', { value: watched, configurable: true });
    return statement;
  };
  proto.prepare = prepare as typeof real;
  return () => {
    proto.prepare = real;
  };
}
