import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { BUSY_MS, checkSqlite, openForWriting, keepLittle } from '../../src/ledger/connection.ts';
import { migrate, migrations, newestVersion, upgrade } from '../../src/ledger/migrate.ts';
import { openBeside, openLedger, openReader } from '../../src/ledger/open.ts';
import { NOON } from '../support/values.ts';
import { begun, freshFolder, freshLedger, opened, order, outcomes, raw, readBalance, settled } from './support.ts';

function refused(folder: string): { kind: string; message: string } {
  const result = openLedger({ folder });
  if (!result.ok) return { kind: result.fault.kind, message: result.fault.message.replaceAll(folder, 'DATA') };
  result.value.ledger.close();
  return { kind: 'opened', message: '' };
}

const AT = Date.parse('2026-11-28T12:00:00Z');

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** A ledger of forty purchases, closed. */
function usedFolder(): string {
  const folder = freshFolder();
  const ledger = freshLedger(folder);
  for (let n = 1; n <= 40; n++) settled(ledger, begun(ledger, n), outcomes.bought(`order-${n}`));
  ledger.close();
  return folder;
}

describe('opening the ledger', () => {
  it('makes folder and files that only their owner may read [S33]', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    begun(ledger, 1);
    expect(mode(folder)).toBe('700');
    const files = readdirSync(folder).sort();
    expect(files).toEqual(['magpie.db', 'magpie.db-shm', 'magpie.db-wal']);
    expect(files.map((file) => mode(join(folder, file)))).toEqual(['600', '600', '600']);
  });

  it('closes what stood open to others, but no folder that holds other things', () => {
    const folder = usedFolder();
    chmodSync(join(folder, 'magpie.db'), 0o644);
    chmodSync(folder, 0o755);
    opened(folder).close();
    expect([mode(folder), mode(join(folder, 'magpie.db'))]).toEqual(['700', '600']);
    writeFileSync(join(folder, 'catalogue.json'), '{}');
    chmodSync(folder, 0o755);
    opened(folder);
    expect(mode(folder)).toBe('755');
  });

  it('finds what was there', () => {
    const folder = usedFolder();
    const ledger = opened(folder);
    expect(ledger.purchases()).toHaveLength(40);
    expect(ledger.countsByState()).toMatchObject({ bought: 40 });
  });

  it('syncs every commit of money, also when the file is opened again and again [P10 unattended-7]', () => {
    const folder = usedFolder();
    const path = join(folder, 'magpie.db');
    const byDefault = raw(folder);
    byDefault.prepare('SELECT 1 FROM purchases').get();
    expect(byDefault.pragma('synchronous', { simple: true }), 'what the package does by itself').toBe(1);
    for (const [kind, level, isOneOfMany] of [
      ['FULL', 2],
      ['NORMAL', 1],
      ['FULL', 2],
      ['FULL', 2, true],
      ['NORMAL', 1, true],
    ] as const) {
      const db = openForWriting(path, kind, BUSY_MS.command);
      if (isOneOfMany) keepLittle(db);
      const pragmas = ['synchronous', 'journal_mode', 'foreign_keys', 'cell_size_check', 'trusted_schema', 'busy_timeout'];
      expect(pragmas.map((pragma) => db.pragma(pragma, { simple: true }))).toEqual([level, 'wal', 1, 1, 0, 5_000]);
      db.close();
    }
  });

  it('leaves no write-ahead log behind when it is closed', () => {
    const folder = usedFolder();
    expect(readdirSync(folder)).toEqual(['magpie.db']);
  });

  it('is not for an SQLite that may damage a file [P23]', () => {
    expect(checkSqlite('3.51.2')).toMatchObject({ kind: 'sqlite' });
    expect(checkSqlite('3.50.9')).toMatchObject({ kind: 'sqlite' });
    expect(['3.51.3', '3.51.10', '3.53.2', '4.0.0'].map(checkSqlite)).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe('what cannot be opened comes back as words', () => {
  it('a symbolic link in place of the folder or a file [S33]', () => {
    const folder = usedFolder();
    const link = `${folder}-link`;
    symlinkSync(folder, link);
    expect(refused(link)).toEqual({ kind: 'link', message: 'DATA: the data folder must not be a symbolic link' });
    const elsewhere = freshFolder();
    mkdirSync(elsewhere);
    symlinkSync(join(folder, 'magpie.db'), join(elsewhere, 'magpie.db'));
    expect(refused(elsewhere)).toEqual({
      kind: 'link',
      message: 'DATA/magpie.db: must be a plain file, not a link or anything else',
    });
    rmSync(join(elsewhere, 'magpie.db'));
    symlinkSync(join(elsewhere, 'nowhere'), join(elsewhere, 'magpie.db-wal'));
    expect(refused(elsewhere).kind).toBe('link');
  });

  it('a file in place of the folder, a folder in place of the file', () => {
    const folder = freshFolder();
    writeFileSync(folder, '');
    expect(refused(folder)).toEqual({ kind: 'folder', message: 'DATA: the data folder is not a folder' });
    expect(refused(join(folder, 'deeper')).kind).toBe('folder');
    rmSync(folder);
    mkdirSync(join(folder, 'magpie.db'), { recursive: true });
    expect(refused(folder).kind).toBe('link');
  });

  it('something else than a database, or another program’s database', () => {
    const folder = freshFolder();
    mkdirSync(folder);
    writeFileSync(join(folder, 'magpie.db'), 'not a database at all, but longer than a header of a hundred bytes'.repeat(100));
    expect(refused(folder)).toEqual({
      kind: 'damaged',
      message: 'DATA/magpie.db: it is damaged: it is no database any more (file is not a database)',
    });
    rmSync(join(folder, 'magpie.db'));
    raw(folder).exec('CREATE TABLE notes (text TEXT)');
    expect(refused(folder)).toEqual({
      kind: 'foreign',
      message: "DATA/magpie.db: it is a database, but not Magpie's: move it away or use another data folder",
    });
  });

  it('a newer version [P24]', () => {
    const folder = usedFolder();
    raw(folder).pragma(`user_version = ${newestVersion() + 1}`);
    const words = `DATA/magpie.db: it is of version ${newestVersion() + 1}, written by a newer Magpie; this Magpie reads up to version ${newestVersion()}. Nothing was changed.`;
    expect(refused(folder)).toEqual({ kind: 'newer', message: words });
    expect(openReader(folder)).toMatchObject({ ok: false, fault: { kind: 'newer' } });
    expect(openBeside(folder)).toMatchObject({ ok: false, fault: { kind: 'newer' } });
  });

  it('a damaged page [P19]', () => {
    const folder = usedFolder();
    const path = join(folder, 'magpie.db');
    const bytes = readFileSync(path);
    const root = raw(folder).prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'purchases'").pluck().get() as number;
    bytes.fill(0xff, (root - 1) * 4_096, root * 4_096);
    writeFileSync(path, bytes);
    expect(refused(folder).kind).toBe('damaged');
  });

  it('a file that was cut [P19]', () => {
    const folder = usedFolder();
    truncateSync(join(folder, 'magpie.db'), 5 * 4_096 + 17);
    expect(refused(folder).kind).toBe('damaged');
  });

  it('an index that says otherwise than its table [P19]', () => {
    const folder = usedFolder();
    const path = join(folder, 'magpie.db');
    const bytes = readFileSync(path);
    const root = raw(folder)
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'one_live_purchase'")
      .pluck()
      .get() as number;
    const emptyLeaf = [0x0a, 0, 0, 0, 0, 0x10, 0, 0];
    bytes.fill(0, (root - 1) * 4_096, root * 4_096).set(emptyLeaf, (root - 1) * 4_096);
    writeFileSync(path, bytes);
    expect(raw(folder).pragma('quick_check', { simple: true }), 'the structure alone does not show it').toBe('ok');
    expect(refused(folder).kind).toBe('damaged');
  });

  it('an older file restored beside a write-ahead log of later days [P19 unattended-6]', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    for (let n = 1; n <= 30; n++) settled(ledger, begun(ledger, n), outcomes.bought(`early-${n}`));
    ledger.close();
    const path = join(folder, 'magpie.db');
    copyFileSync(path, `${folder}.backup`);
    const later = opened(folder);
    readBalance(later, 4_000, NOON + 70_000);
    for (let n = 31; n <= 200; n++) begun(later, n, NOON + 70_050);
    raw(folder).pragma('wal_checkpoint(PASSIVE)');
    for (let n = 1; n <= 30; n++) {
      later.apply(
        [{ kind: 'paid', purchaseId: n, paid: later.purchase(n)!.cost, transactionId: undefined, note: '' }],
        NOON + 70_060,
      );
    }
    const stale = `${folder}.wal`;
    copyFileSync(`${path}-wal`, stale);
    later.close();
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    copyFileSync(`${folder}.backup`, path);
    copyFileSync(stale, `${path}-wal`);
    expect(refused(folder)).toMatchObject({ kind: 'damaged' });
  });

  it('a write-ahead log whose database is gone', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    begun(ledger, 1);
    const copy = freshFolder();
    mkdirSync(copy);
    copyFileSync(join(folder, 'magpie.db-wal'), join(copy, 'magpie.db-wal'));
    expect(refused(copy)).toMatchObject({ kind: 'damaged', message: expect.stringContaining('its write-ahead log is there') });
    writeFileSync(join(copy, 'magpie.db'), '');
    expect(refused(copy)).toMatchObject({ kind: 'damaged' });
    expect(existsSync(join(copy, 'magpie.db-wal')), 'nothing was thrown away').toBe(true);
  });

  it('a file that another program has locked', () => {
    const folder = usedFolder();
    const other = raw(folder);
    other.pragma('locking_mode = EXCLUSIVE');
    other.exec('BEGIN EXCLUSIVE');
    expect(refused(folder)).toMatchObject({ kind: 'busy' });
  });

  it('for the commands beside a daemon: one that is not there, or not set up', () => {
    const folder = freshFolder();
    expect(openReader(folder)).toMatchObject({ ok: false, fault: { kind: 'missing' } });
    expect(openBeside(folder)).toMatchObject({ ok: false, fault: { kind: 'missing' } });
    expect(existsSync(folder)).toBe(false);
    mkdirSync(folder);
    writeFileSync(join(folder, 'magpie.db'), '');
    expect(openReader(folder)).toMatchObject({ ok: false, fault: { kind: 'older' } });
  });
});

describe('reading', () => {
  it('works where nothing else has the file open, and changes nothing in it', () => {
    const folder = usedFolder();
    const before = readFileSync(join(folder, 'magpie.db'));
    const reader = openReader(folder);
    if (!reader.ok) throw new Error(reader.fault.message);
    expect(reader.value.purchases()).toHaveLength(40);
    expect(reader.value.decisionsOf('1')).toEqual([]);
    expect(reader.value.usage('live', { strategy: 'cheap', marketHashName: '' }, NOON + 3).open).toBe(40);
    reader.value.close();
    expect(readFileSync(join(folder, 'magpie.db')).equals(before)).toBe(true);
  });
});

describe('an upgrade', () => {
  const before = newestVersion();
  const steps = [
    ...migrations,
    { to: before + 1, sql: 'ALTER TABLE halts ADD COLUMN extra TEXT; UPDATE halts SET extra = reason;' },
  ];

  it('keeps a backup of the version before, and its rows [S29]', () => {
    const folder = usedFolder();
    const path = join(folder, 'magpie.db');
    raw(folder).exec("INSERT INTO halts (reason, by_whom, at) VALUES ('old', 'person', 1)");
    const db = openForWriting(path, 'FULL', BUSY_MS.command);
    const backup = join(folder, 'backups', `upgrade-v${before}-2026-11-28T12-00-00Z.db`);
    expect(migrate(db, path, AT, steps)).toEqual({ ok: true, value: { from: before, to: before + 1, backup } });
    expect(db.pragma('user_version', { simple: true })).toBe(before + 1);
    expect(db.prepare('SELECT extra FROM halts').pluck().all()).toEqual(['old']);
    db.close();
    expect(mode(backup)).toBe('600');
    const kept = new Database(backup, { readonly: true });
    expect(kept.pragma('user_version', { simple: true })).toBe(before);
    expect(kept.prepare('SELECT count(*) FROM purchases').pluck().get()).toBe(40);
    expect(kept.pragma('integrity_check', { simple: true })).toBe('ok');
    kept.close();
    expect(readdirSync(join(folder, 'backups'))).toHaveLength(1);
  });

  it('of a ledger that is not set up yet is whole or nothing, of any other as far as it came [P9]', () => {
    const failing = [
      { to: 1, sql: 'CREATE TABLE one (x)' },
      { to: 2, sql: 'CREATE TABLE two (x)' },
      { to: 3, sql: 'CREATE nonsense' },
    ];
    const left = (from: number): unknown => {
      const db = new Database(':memory:');
      if (from > 0) upgrade(db, 0, failing.slice(0, from));
      expect(() => upgrade(db, from, failing)).toThrow('syntax error');
      const tables = db.prepare('SELECT name FROM sqlite_schema').pluck().all();
      return [db.pragma('user_version', { simple: true }), tables];
    };
    expect(left(0)).toEqual([0, []]);
    expect(left(1)).toEqual([2, ['one', 'two']]);
  });

  it('that fails changes nothing, and says so [P9]', () => {
    const folder = usedFolder();
    const path = join(folder, 'magpie.db');
    const db = openForWriting(path, 'FULL', BUSY_MS.command);
    const broken = [
      ...migrations,
      { to: before + 1, sql: 'ALTER TABLE halts ADD COLUMN extra TEXT; SELECT no_such_function();' },
    ];
    expect(migrate(db, path, AT, broken)).toMatchObject({ fault: { message: expect.stringContaining('no such function') } });
    expect(db.pragma('user_version', { simple: true })).toBe(before);
    expect(db.pragma('table_info(halts)')).toHaveLength(5);
    expect(migrate(db, path, AT, steps), 'and can be tried again').toMatchObject({ ok: true });
    db.close();
  });

  it('counts what an older version has bought by item, however its name was written', () => {
    const folder = freshFolder();
    mkdirSync(folder, { mode: 0o700 });
    const path = join(folder, 'magpie.db');
    writeFileSync(path, '', { mode: 0o600 });
    const old = openForWriting(path, 'FULL', BUSY_MS.command);
    expect(migrate(old, path, AT, migrations.slice(0, 1))).toEqual({ ok: true, value: undefined });
    const bought = old.prepare(
      `INSERT INTO purchases (account, lane, state, strategy, strategy_hash, market, listing_id, item_id, market_hash_name, price,
         price_micros, price_with_fee, cost, amount, committed, base_seq, seen_at, decided_at, created_at, updated_at, moved_at)
       VALUES ('a', 'live', 'bought', 'cheap', 'h', 'c5game', ?, 'i', ?, 1, 1000000, 1.05, 1050000, 1050000, 1, 0, 1, 1, ?, 1, 1)`,
    );
    bought.run('1', 'Ground Rebel  | Elite Crew', NOON);
    bought.run('2', ' ground rebel | Elite Crew', NOON);
    old.exec(
      `INSERT INTO orders (account, order_id, known_as, listed, amount, name, status_code, first_seen, last_seen)
       VALUES ('a', 'x', 'adopted', 1, 5, 'Ground Rebel | Elite Crew ', 'HOLD', ${NOON}, 1)`,
    );
    old.close();
    const result = openLedger({ folder });
    if (!result.ok) throw new Error(result.fault.message);
    expect(result.value.recounted).toBe(false);
    const probe = { strategy: 'cheap', marketHashName: 'Ground Rebel  | Elite Crew' };
    expect(result.value.ledger.usage('live', probe, NOON + 1)).toMatchObject({
      item: { hour: 3, day: 3, total: 3 },
      strategyItem: { hour: 2, day: 2, total: 2 },
      open: 3,
    });
    expect(result.value.ledger.timingsOf(1), 'of which nobody kept when it was on the disk').toEqual({
      ...{ seenAt: 1, decidedAt: 1, committedAt: undefined, sentAt: undefined, answeredAt: undefined },
    });
    result.value.ledger.close();
  });

  it('from an empty file needs no backup', () => {
    const folder = freshFolder();
    opened(folder).close();
    expect(readdirSync(folder)).toEqual(['magpie.db']);
    expect(dirname(join(folder, 'x'))).toBe(folder);
  });

  it('finds the sums as the rows give them, also where nothing is left of an item', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    const answered = begun(ledger, 1);
    const stranger = order('o1', { itemName: 'as the list writes it' });
    ledger.apply([{ kind: 'order', order: stranger, as: 'adopted', purchaseId: undefined }], NOON + 2);
    settled(ledger, answered, outcomes.bought('o1'), NOON + 3);
    ledger.close();
    const again = openLedger({ folder });
    expect(again).toMatchObject({ ok: true, value: { recounted: false } });
    if (again.ok) again.value.ledger.close();
  });

  it('puts the rules in force that this program knows, and the sums that the rows give', () => {
    const folder = usedFolder();
    const db = raw(folder);
    db.exec(
      'DROP TRIGGER rule_legal_moves; CREATE TRIGGER rule_of_old BEFORE DELETE ON halts BEGIN SELECT 1; END; UPDATE totals SET spend = 1',
    );
    const result = openLedger({ folder });
    if (!result.ok) throw new Error(result.fault.message);
    expect(result.value.recounted).toBe(true);
    const rules = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'rule%'").pluck().all();
    expect(rules).toContain('rule_legal_moves');
    expect(rules).not.toContain('rule_of_old');
    expect(result.value.ledger.totals('live', { strategy: 'cheap', marketHashName: '' }, NOON).spend).toBe(420_000_000);
    result.value.ledger.close();
    const again = openLedger({ folder });
    expect(again).toMatchObject({ ok: true, value: { recounted: false } });
    if (again.ok) again.value.ledger.close();
  });
});
