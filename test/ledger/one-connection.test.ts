import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { JournalFailure } from '../../src/engine/journal.ts';
import { BUSY_MS, type Connection, bothWaits, openForWriting } from '../../src/ledger/connection.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { Store } from '../../src/ledger/store.ts';
import { NOON } from '../support/values.ts';
import { begun, freshFolder, opened, outcomes, readBalance, settled } from './support.ts';

const levels = ['OFF', 'NORMAL', 'FULL'] as const;

const levelOf = (db: Connection): string => levels[Number(db.pragma('synchronous', { simple: true }))] ?? 'EXTRA';

/** The ledger of one of many accounts, and by how each of its commits waited for the disk, in their order. */
function oneOfMany(): { ledger: Ledger; commits: string[] } {
  const commits: string[] = [];
  const dbs = new Set<Connection>();
  const real = Database.prototype.prepare;
  Database.prototype.prepare = function (this: Connection, sql: string) {
    dbs.add(this);
    return Reflect.apply(real, this, [sql]);
  } as typeof real;
  onTestFinished(() => {
    Database.prototype.prepare = real;
  });
  const crashPoint = (name: string): void => {
    if (!name.endsWith(':commit')) return;
    const db = [...dbs].find(({ open }) => open);
    commits.push(`${name.split(':')[0] ?? ''} ${db === undefined ? 'nowhere' : levelOf(db)}`);
  };
  const result = openLedger({ folder: freshFolder(), crashPoint, oneOfMany: true });
  if (!result.ok) throw new Error(result.fault.message);
  const { ledger } = result.value;
  onTestFinished(() => ledger.close());
  expect([...dbs].filter(({ open }) => open)).toHaveLength(1);
  return { ledger, commits };
}

describe('the one connection of an account among others', () => {
  it('waits for the disk with each commit of money, whatever was written before, and not with others', () => {
    const { ledger, commits } = oneOfMany();
    ledger.bindAccount('account-1');
    readBalance(ledger, 1_000, NOON);
    ledger.keepStrategy('hash', 'text', NOON);
    const purchase = begun(ledger, 1);
    ledger.pruneDecisions(NOON, 1);
    settled(ledger, purchase, outcomes.bought('order-1'));
    expect(commits).toMatchInlineSnapshot(`
      [
        "bind-account FULL",
        "balance FULL",
        "strategy NORMAL",
        "intent FULL",
        "outcome FULL",
      ]
    `);
  });

  it('waits for the disk again after a relaxed transaction that failed', () => {
    const { strict, relaxed, db } = stores();
    const failing = relaxed.writing<[string]>('INSERT INTO nowhere VALUES (?)');
    expect(() => relaxed.transaction('relaxed', () => failing('x'))).toThrow(JournalFailure);
    expect(levelOf(db)).toBe('FULL');
    expect(strict.transaction('strict', () => levelOf(db))).toBe('FULL');
  });

  it('takes no intent any more after a sync that failed in a relaxed transaction, of which the next commit hears nothing', () => {
    const { strict, relaxed, db } = stores();
    const failed = new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC');
    const failing = (): never => {
      throw failed;
    };
    expect(() => relaxed.transaction('relaxed', failing)).toThrow(JournalFailure);
    expect(() => strict.assertSound()).toThrow(/check the disk.*restart Magpie after that/);
    expect(
      strict.transaction('strict', () => levelOf(db)),
      'what happened is still recorded',
    ).toBe('FULL');
  });

  it('begins no commit of money while it does not wait for the disk, and is no defect then', () => {
    const { strict, relaxed, db } = stores();
    db.pragma('synchronous = NORMAL');
    let began = false;
    const trying = (): unknown => strict.transaction('strict', () => (began = true));
    expect(trying).toThrow('PRAGMA synchronous gives 1, 2 is needed');
    expect(trying).toThrow(JournalFailure);
    expect(began).toBe(false);
    expect(relaxed.transaction('relaxed', () => levelOf(db))).toBe('NORMAL');
    expect(strict.transaction('strict', () => levelOf(db))).toBe('FULL');
  });

  it('begins none inside one that does not', () => {
    const { strict, relaxed } = stores();
    const nested = (): unknown => relaxed.transaction('relaxed', () => strict.transaction('strict', () => true));
    expect(nested).toThrow('PRAGMA synchronous gives 1, 2 is needed');
  });

  it('leaves a ledger behind that two go on with, and nothing beside it', () => {
    const folder = freshFolder();
    const first = openLedger({ folder, oneOfMany: true });
    if (!first.ok) throw new Error(first.fault.message);
    first.value.ledger.bindAccount('account-1');
    first.value.ledger.keepStrategy('hash', 'text', NOON);
    first.value.ledger.close();
    expect(readdirSync(folder)).toEqual(['magpie.db']);
    const next = opened(folder);
    expect([next.account(), next.strategyText('hash')]).toEqual(['account-1', 'text']);
  });

  function stores(): { strict: Store; relaxed: Store; db: Connection } {
    const folder = freshFolder();
    opened(folder).close();
    const path = join(folder, 'magpie.db');
    const db = openForWriting(path, 'FULL', BUSY_MS.command);
    onTestFinished(() => void db.close());
    const waits = bothWaits(db);
    return {
      db,
      strict: new Store(db, path, () => undefined, waits.strict),
      relaxed: new Store(db, path, () => undefined, waits.relaxed),
    };
  }
});
