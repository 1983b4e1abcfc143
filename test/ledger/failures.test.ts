import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { JournalFailure } from '../../src/engine/journal.ts';
import { type Connection, openForReading, openForWriting } from '../../src/ledger/connection.ts';
import { type Ledger, createLedger } from '../../src/ledger/ledger.ts';
import { faultOf } from '../../src/ledger/failure.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { Store } from '../../src/ledger/store.ts';
import { NOON, dollars, listing, wideLimits } from '../support/values.ts';
import { begun, freshFolder, freshLedger, order, outcomes, raw, readBalance, settled, wish } from './support.ts';

/** Everything in a database, as text. */
function dump(folder: string): string {
  const db = raw(folder);
  const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();
  const rows = tables.map((table) => [table, db.prepare(`SELECT * FROM ${table}`).raw().all()]);
  db.close();
  return JSON.stringify(rows);
}

/** A ledger over connections that a test has made worse. */
function onConnections(folder: string, open: (path: string) => Connection): Ledger {
  const path = join(folder, 'magpie.db');
  const [store, relaxed] = [open(path), open(path)].map((db) => new Store(db, path, () => {}));
  const ledger = createLedger(store!, relaxed!);
  onTestFinished(() => {
    for (const one of [store!, relaxed!]) one.db.close();
  });
  return ledger;
}

const decision = {
  at: NOON,
  lane: 'live',
  market: 'c5game',
  listingId: '1',
  marketHashName: 'x'.repeat(5_000),
  strategy: 'cheap',
  strategyHash: 'hash',
  cost: dollars(1),
  verdict: 'refused',
  reason: undefined,
  detail: undefined,
} as const;

/** Every method of the journal that writes. */
const writes: Readonly<Record<string, (ledger: Ledger) => unknown>> = {
  commitIntent: (ledger) =>
    ledger.commitIntent(wish({ listing: listing({ id: '77' }) }), { ...wideLimits, unknown: 9 }, NOON + 3),
  recordOutcome: (ledger) => settled(ledger, ledger.purchase(1)!, outcomes.bought('o1')),
  orphansToUnknown: (ledger) => ledger.orphansToUnknown(NOON + 4),
  drawBack: (ledger) => ledger.drawBack(NOON - 1),
  apply: (ledger) =>
    ledger.apply(
      [
        { kind: 'look', beganAt: NOON, baseTotal: 1 },
        { kind: 'bought', purchaseId: 2, order: order('o2'), transactionId: 't2', paid: dollars(10), note: '' },
        { kind: 'order', order: order('x'), as: 'adopted', purchaseId: undefined },
        { kind: 'alert', alert: { kind: 'adopted', at: NOON, message: 'm', next: undefined, purchaseId: undefined } },
        { kind: 'halt', reason: 'odd' },
      ],
      NOON + 4,
    ),
  recordBalance: (ledger) => readBalance(ledger, 900, NOON + 5),
  resolve: (ledger) => ledger.resolve(2, 'not-bought', 'looked', NOON + 5),
  halt: (ledger) => ledger.halt('x', 'person', NOON),
  resume: (ledger) => ledger.resume(NOON),
  recordDecisions: (ledger) => ledger.recordDecisions([decision]),
  keepStrategy: (ledger) => ledger.keepStrategy('h', 'text', NOON),
  saveSlowUntil: (ledger) => ledger.saveSlowUntil(NOON),
  recordAlert: (ledger) => ledger.recordAlert({ kind: 'disk', at: NOON, message: 'm', next: 'n', purchaseId: 1 }),
  ask: (ledger) => ledger.ask('buy', {}, NOON),
  addMatches: (ledger) => ledger.addMatches(NOON, 1),
};

/** A folder with an intended purchase and an unknown one: a copy, since making one takes many syncs. */
function startedFolder(): string {
  const folder = freshFolder();
  cpSync(template(), folder, { recursive: true });
  return folder;
}

let made: string | undefined;

function template(): string {
  if (made !== undefined) return made;
  made = mkdtempSync(join(tmpdir(), 'magpie-ledger-'));
  const result = openLedger({ folder: made });
  if (!result.ok) throw new Error(result.fault.message);
  const { ledger } = result.value;
  ledger.bindAccount('account-1');
  readBalance(ledger, 1_000, NOON);
  begun(ledger, 1);
  settled(ledger, begun(ledger, 2), outcomes.unknown());
  ledger.close();
  return made;
}

afterAll(() => {
  if (made !== undefined) rmSync(made, { recursive: true });
});

describe.each(Object.entries(writes))('%s', (_, write) => {
  it('changes nothing when any one of its writes fails, and everything when it is tried again [P22]', () => {
    const expected = startedFolder();
    write(freshConnection(expected, () => {}));
    const folder = startedFolder();
    const before = dump(folder);
    let failAt = 1;
    for (let failed = true; failed; failAt++) {
      let points = 0;
      const ledger = freshConnection(folder, (point) => {
        if (!point.endsWith(':committed') && ++points === failAt) throw new JournalFailure('the disk is full');
      });
      failed = throws(() => write(ledger));
      if (failed) expect(dump(folder)).toBe(before);
    }
    expect(failAt).toBeGreaterThan(3);
    expect(dump(folder)).toBe(dump(expected));
  });

  it('is whole or not at all when the process dies between any two of its steps [P8 P9]', () => {
    const done = startedFolder();
    write(freshConnection(done, () => {}));
    const after = dump(done);
    for (let dieAt = 1, died = true; died; dieAt++) {
      const folder = startedFolder();
      const before = dump(folder);
      let points = 0;
      let last = '';
      const ledger = freshConnection(folder, (point) => {
        last = point;
        if (++points === dieAt) throw new Error('killed');
      });
      died = throws(() => write(ledger));
      expect(dump(folder)).toBe(last.endsWith(':committed') || !died ? after : before);
    }
  });

  it('fails as a value of its own when the file can only be read [P21]', () => {
    const folder = startedFolder();
    const before = dump(folder);
    const ledger = onConnections(folder, openForReading);
    expect(() => write(ledger)).toThrow(JournalFailure);
    expect(() => write(ledger)).toThrow(/cannot be written/);
    expect(dump(folder)).toBe(before);
  });
});

function freshConnection(folder: string, point: (name: string) => void): Ledger {
  const result = openLedger({ folder, crashPoint: point });
  if (!result.ok) throw new Error(result.fault.message);
  onTestFinished(() => result.value.ledger.close());
  return result.value.ledger;
}

function throws(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}

describe('a full disk', () => {
  it('keeps an intent from being written, and lets it pass once there is room [P17 unattended-4]', () => {
    const folder = startedFolder();
    let limited: Connection | undefined;
    const ledger = onConnections(folder, (path) => {
      const db = openForWriting(path, 'FULL', 100);
      limited ??= db;
      return db;
    });
    const pages = limited!.pragma('page_count', { simple: true }) as number;
    limited!.pragma(`max_page_count = ${pages}`);
    let number = 100;
    const next = (): unknown =>
      ledger.commitIntent(
        wish({ listing: listing({ id: String(++number), name: 'N'.repeat(3_000) }) }),
        { ...wideLimits, unknown: 9 },
        NOON + 3,
      );
    let failure: unknown;
    for (let n = 0; n < 20 && failure === undefined; n++) {
      try {
        next();
      } catch (error) {
        failure = error;
      }
    }
    expect(failure).toBeInstanceOf(JournalFailure);
    expect(String(failure).replaceAll(folder, 'DATA')).toBe(
      'JournalFailure: DATA/magpie.db: the disk is full: free some space (database or disk is full, SQLITE_FULL)',
    );
    expect(ledger.purchases().some(({ listingId }) => listingId === String(number))).toBe(false);
    expect(ledger.halted(), 'reading goes on').toBeUndefined();
    limited!.pragma('max_page_count = 100000');
    expect(next()).toMatchObject({ ok: true });
  });
});

describe('a sync that failed', () => {
  it('ends the trust in this database until it is opened anew', () => {
    const folder = startedFolder();
    let failing = false;
    const ledger = freshConnection(folder, (point) => {
      if (failing && point === 'outcome:commit') throw new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC');
    });
    const next = (id: string): unknown =>
      ledger.commitIntent(wish({ listing: listing({ id }) }), { ...wideLimits, unknown: 9 }, NOON + 3);
    expect(next('50')).toMatchObject({ ok: true });
    failing = true;
    expect(() => settled(ledger, ledger.purchase(1)!, outcomes.bought('o1'))).toThrow(/check the disk/);
    failing = false;
    expect(() => next('51')).toThrow(/restart Magpie after that/);
    expect(settled(ledger, ledger.purchase(1)!, outcomes.bought('o1')), 'what happened is still recorded').toMatchObject({
      state: 'bought',
    });
    ledger.close();
    expect(
      begun(
        freshConnection(folder, () => {}),
        52,
        NOON + 3,
      ),
    ).toMatchObject({ state: 'intended' });
  });
});

describe('a locked database', () => {
  it('is waited for a short while, then nothing is bought [P18 unattended-5]', () => {
    const folder = startedFolder();
    const ledger = onConnections(folder, (path) => openForWriting(path, 'FULL', 100));
    const other = raw(folder);
    other.exec('BEGIN IMMEDIATE');
    expect(() => ledger.commitIntent(wish(), wideLimits, NOON + 1)).toThrow(/another program has locked it/);
    other.exec('ROLLBACK');
    expect(ledger.commitIntent(wish({ listing: listing({ id: '9' }) }), { ...wideLimits, unknown: 9 }, NOON + 1)).toMatchObject({
      ok: true,
    });
  });
});

describe('a folder that may not be written', () => {
  it('comes back as words', () => {
    const folder = startedFolder();
    chmodSync(join(folder, 'magpie.db'), 0o444);
    chmodSync(folder, 0o555);
    const root = process.getuid?.() === 0;
    const parent = join(folder, '..');
    if (root) {
      chmodSync(parent, 0o755);
      process.seteuid!(65_534);
    }
    const result = openLedger({ folder });
    if (root) process.seteuid!(0);
    chmodSync(folder, 0o700);
    expect(result.ok ? 'opened' : result.fault.kind).toBe('access');
  });
});

describe('a ledger that was removed while it was open', () => {
  it('takes no new intent [P21]', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    rmSync(join(folder, 'magpie.db'));
    expect(() => ledger.commitIntent(wish(), wideLimits, NOON + 1)).toThrow(JournalFailure);
    expect(existsSync(join(folder, 'magpie.db'))).toBe(false);
  });
});

describe('a better-sqlite3 that is not compiled for this Node.js', () => {
  it.each([
    Object.assign(new Error('was compiled against a different Node.js version'), { code: 'ERR_DLOPEN_FAILED' }),
    new Error('Could not locate the bindings file. Tried:\n → …'),
  ])('is named with what to do, and no file is blamed: %s', (error) => {
    const { kind, message } = faultOf(error, 'data/magpie.lock');
    expect(kind).toBe('sqlite');
    expect(message).toMatch(/^better-sqlite3, .* is not compiled for this Node\.js\n→ in \/.*: `npm rebuild better-sqlite3`/);
    expect(message).not.toContain('magpie.lock');
  });
});
