import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Clock, EpochMs } from '../../src/domain/clock.ts';
import type { Random } from '../../src/domain/random.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openBeside, openLedger } from '../../src/ledger/open.ts';
import { restoreLedger } from '../../src/ledger/restore.ts';
import { Durable, watchCommits } from './durable.ts';

/** Memory where there is a file system of it: the same SQLite on the same files, without waiting for a disk. */
function scratch(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
}

type Beside = Extract<ReturnType<typeof openBeside>, { ok: true }>['value'];

/** The disk of one life: the ledger's real files, which outlive the process as they would outlive a real one. */
export class Storage {
  readonly #root = mkdtempSync(join(scratch(), 'magpie-life-'));
  readonly #unwatch: () => void;
  readonly #durable: Durable;
  #folder: string;
  #count = 0;
  #ledger: Ledger | undefined;
  #reader: Database.Database | undefined;
  readonly #statements = new Map<string, Database.Statement>();

  constructor() {
    this.#folder = join(this.#root, '0');
    this.#durable = new Durable(this.#folder);
    this.#unwatch = watchCommits((path) => {
      if (path.startsWith(`${this.#folder}/`)) this.#durable.sync();
    });
  }

  get folder(): string {
    return this.#folder;
  }

  /** Something is committed that a power cut would take. */
  get atRisk(): boolean {
    return this.#durable.atRisk;
  }

  /** `oneOfMany`: as an account among others opens it. */
  open(crashPoint: (name: string) => void, clock: Clock, oneOfMany = false): Ledger {
    const opened = openLedger({ folder: this.#folder, crashPoint, clock, oneOfMany });
    if (!opened.ok) throw new Error(`the ledger does not open: ${opened.fault.message}`);
    this.#ledger = opened.value.ledger;
    // What opening does is done with FULL, by transactions of better-sqlite3's own.
    this.#durable.opened();
    return this.#ledger;
  }

  /** The process is gone, its files stay as they are: the next start finds the write-ahead log to be recovered. */
  kill(): void {
    this.#move((target) => this.#durable.copyTo(target));
  }

  /** The machine is gone, and with it what was not synced. */
  powerLoss(random: Random): void {
    this.#move((target) => this.#durable.copyWithLoss(target, random));
  }

  /** A copy as it may be put in the place of the ledger later. */
  backUp(): void {
    rmSync(this.#copy, { force: true });
    this.read((db) => db.prepare<[string]>('VACUUM INTO ?').run(this.#copy));
  }

  /** Puts the copy in the place of the ledger, as the command does; undefined where none was taken. */
  restore(at: EpochMs): ReturnType<typeof restoreLedger> | undefined {
    if (!existsSync(this.#copy)) return undefined;
    this.#letReaderGo();
    return restoreLedger({ file: this.#copy, folder: this.#folder, at });
  }

  get #copy(): string {
    return join(this.#root, 'copy.db');
  }

  /** The process closes its files as it should. */
  close(): void {
    this.#letReaderGo();
    this.#ledger?.close();
    this.#ledger = undefined;
  }

  /** What another command does to the ledger. */
  beside<T>(work: (ledger: Beside) => T): T {
    const opened = openBeside(this.#folder);
    if (!opened.ok) throw new Error(opened.fault.message);
    try {
      return work(opened.value);
    } finally {
      opened.value.close();
    }
  }

  /** Reads the committed rows with a connection of its own. */
  read<T>(work: (db: Database.Database) => T): T {
    this.#reader ??= new Database(join(this.#folder, 'magpie.db'), { readonly: true, fileMustExist: true });
    return work(this.#reader);
  }

  /** All rows of a query, on the reading connection; the statement is kept. */
  rows<T>(sql: string, ...values: (string | number)[]): T[] {
    return this.read((db) => {
      let statement = this.#statements.get(sql);
      if (statement === undefined) this.#statements.set(sql, (statement = db.prepare(sql)));
      return statement.all(...values) as T[];
    });
  }

  get exists(): boolean {
    return existsSync(join(this.#folder, 'magpie.db'));
  }

  dispose(): void {
    this.#letGo();
    this.#durable.close();
    this.#unwatch();
    rmSync(this.#root, { recursive: true, force: true });
  }

  #move(copy: (target: string) => void): void {
    const before = this.#folder;
    this.#folder = join(this.#root, String(++this.#count));
    copy(this.#folder);
    this.#letGo();
    rmSync(before, { recursive: true, force: true });
  }

  /** Closing in the middle of a transaction complains; the handles are gone all the same. */
  #letGo(): void {
    this.#letReaderGo();
    try {
      this.#ledger?.close();
    } catch {
      // The copy was made before.
    }
    this.#ledger = undefined;
  }

  #letReaderGo(): void {
    this.#statements.clear();
    this.#reader?.close();
    this.#reader = undefined;
  }
}
