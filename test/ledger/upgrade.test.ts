import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { backupsFolder } from '../../src/ledger/backup-names.ts';
import { BUSY_MS, openForWriting } from '../../src/ledger/connection.ts';
import { migrate, migrations, newestVersion } from '../../src/ledger/migrate.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { restoreLedger } from '../../src/ledger/restore.ts';
import { NOON } from '../support/values.ts';
import { freshFolder } from './support.ts';

const DAY = 86_400_000;

/** The data folder of an older Magpie: a real file that its steps alone have made, with an account, a halt and a purchase. */
function oldFolder(version: number, folder = freshFolder()): string {
  mkdirSync(folder, { mode: 0o700, recursive: true });
  const path = join(folder, 'magpie.db');
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  writeFileSync(path, '', { mode: 0o600 });
  const db = openForWriting(path, 'FULL', BUSY_MS.command);
  expect(migrate(db, path, NOON, migrations.slice(0, version)).ok).toBe(true);
  db.exec(`
    INSERT INTO meta (key, value) VALUES ('account', 'account-1'), ('baselineAt', '${NOON}'), ('baseTotal', '0');
    INSERT INTO halts (reason, by_whom, at) VALUES ('let me look', 'person', ${NOON});
    INSERT INTO purchases (account, lane, state, strategy, strategy_hash, market, listing_id, item_id, market_hash_name, price,
      price_micros, price_with_fee, cost, amount, committed, base_seq, seen_at, decided_at, created_at, updated_at, moved_at)
    VALUES ('account-1', 'live', 'bought', 'cheap', 'h', 'c5game', '1', 'i', 'Ground Rebel | Elite Crew', 1, 1000000, 1.05, 1050000,
      1050000, 1, 0, 1, 1, ${NOON}, 1, 1);`);
  db.close();
  return folder;
}

function contents(path: string): { version: unknown; purchases: unknown; sound: unknown } {
  const db = new Database(path, { readonly: true });
  const purchases = db.prepare('SELECT count(*) FROM purchases').pluck().get();
  const told = {
    version: db.pragma('user_version', { simple: true }),
    purchases,
    sound: db.pragma('quick_check', { simple: true }),
  };
  db.close();
  return told;
}

function upgraded(folder: string, at: number): string {
  const result = openLedger({ folder, at });
  if (!result.ok) throw new Error(result.fault.message);
  result.value.ledger.close();
  return result.value.upgraded?.backup ?? 'nothing was upgraded';
}

const versions = migrations.map(({ to }) => to).filter((version) => version < newestVersion());

describe('the ledger of an older Magpie', () => {
  it.each(versions)('of version %i is upgraded, after a copy of it that is whole and checked [S29]', (version) => {
    const folder = oldFolder(version);
    const backup = upgraded(folder, NOON);
    expect(backup).toBe(
      join(backupsFolder(folder), `upgrade-v${version}-${new Date(NOON).toISOString().slice(0, 19).replaceAll(':', '-')}Z.db`),
    );
    expect((statSync(backup).mode & 0o777).toString(8)).toBe('600');
    expect(contents(backup)).toEqual({ version, purchases: 1, sound: 'ok' });
    expect(contents(join(folder, 'magpie.db'))).toEqual({ version: newestVersion(), purchases: 1, sound: 'ok' });
    expect(upgraded(folder, NOON + DAY), 'the next start').toBe('nothing was upgraded');
  });

  it('can be had back: its copy is one that `magpie restore` takes', () => {
    const folder = oldFolder(1);
    const file = upgraded(folder, NOON);
    expect(restoreLedger({ file, folder, at: NOON + DAY })).toMatchObject({ ok: true, value: { unreadable: false } });
    const result = openLedger({ folder });
    if (!result.ok) throw new Error(result.fault.message);
    expect(result.value.ledger.purchases().map(({ listingId }) => listingId)).toEqual(['1']);
    expect(result.value.ledger.halted()).toMatchObject({ reason: 'let me look' });
    result.value.ledger.close();
  });

  it('leaves one copy for each of the last three versions, however often it is gone back and forth, and no other file is touched', () => {
    const folder = oldFolder(1);
    const backups = backupsFolder(folder);
    mkdirSync(backups);
    const others = ['scheduled-2026-11-01T00-00-00Z.db', 'magpie-2026-11-01T00-00-00Z.db', 'notes.txt'];
    for (const name of [...others, 'upgrade-v2-2026-11-01T00-00-00Z.db.part']) writeFileSync(join(backups, name), 'x');
    for (let day = 0; day < 9; day++) upgraded(oldFolder(1 + (day % versions.length), folder), NOON + day * DAY);
    const left = readdirSync(backups).filter((name) => !others.includes(name));
    expect(left).toHaveLength(Math.min(3, versions.length));
    expect(new Set(left.map((name) => /^upgrade-v(\d+)-/.exec(name)?.[1])).size, 'each of another version').toBe(left.length);
    expect(readdirSync(backups)).toEqual(expect.arrayContaining(others));
  });

  it('keeps the copy that was just made, also where the clock or the file claims to be older than a copy that is there', () => {
    const folder = oldFolder(2);
    upgraded(folder, NOON);
    const backup = upgraded(oldFolder(2, folder), NOON - DAY);
    expect(backup).toContain('upgrade-v2-');
    expect(contents(backup)).toEqual({ version: 2, purchases: 1, sound: 'ok' });
    for (const version of versions) upgraded(oldFolder(version, folder), NOON + version * DAY);
    expect(contents(upgraded(oldFolder(1, folder), NOON + 9 * DAY)), 'of a version older than those kept').toMatchObject({
      version: 1,
    });
  });

  it('keeps one copy, however often an upgrade fails after it was made', () => {
    const folder = oldFolder(1);
    const path = join(folder, 'magpie.db');
    const spoilt = [...migrations.slice(0, -1), { to: newestVersion(), sql: 'INSERT INTO no_such_table VALUES (1);' }];
    for (let day = 0; day < 5; day++) {
      const db = openForWriting(path, 'FULL', BUSY_MS.command);
      expect(migrate(db, path, NOON + day * DAY, spoilt).ok).toBe(false);
      db.close();
    }
    const left = readdirSync(backupsFolder(folder)).map((name) => name.slice(0, 10));
    expect(left).toEqual(['upgrade-v1', `upgrade-v${newestVersion() - 1}`]);
  });

  it('is opened also where an older copy cannot be removed', () => {
    const folder = oldFolder(2);
    mkdirSync(join(backupsFolder(folder), 'upgrade-v2-2001-11-01T00-00-00Z.db'), { recursive: true });
    expect(contents(upgraded(folder, NOON)).version).toBe(2);
  });

  it.each([
    ['a file stands where the folder of backups should be', (place: string) => writeFileSync(place, '')],
    ['a link does', (place: string) => symlinkSync('/nowhere', place)],
  ])('stays as it is where no copy can be made, and says what to do: %s', (_, spoil) => {
    const folder = oldFolder(1);
    spoil(backupsFolder(folder));
    const before = readFileSync(join(folder, 'magpie.db'));
    const result = openLedger({ folder, at: NOON });
    expect(result.ok).toBe(false);
    const message = result.ok ? '' : result.fault.message;
    expect(message).toContain(
      'it is of version 1 and must be upgraded, but the backup that comes first could not be made. Nothing was changed.',
    );
    expect(message).toContain(`→ make sure that ${backupsFolder(folder)} can be written and has `);
    expect(contents(join(folder, 'magpie.db')).version).toBe(1);
    expect(readFileSync(join(folder, 'magpie.db')).equals(before)).toBe(true);
    rmSync(backupsFolder(folder));
    expect(upgraded(folder, NOON), 'once there is room').toContain('upgrade-v1-');
  });
});
