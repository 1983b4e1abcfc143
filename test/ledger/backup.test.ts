import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { backUpLedger } from '../../src/ledger/backup.ts';
import { backupName, backupsFolder } from '../../src/ledger/backup-names.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openReader } from '../../src/ledger/open.ts';
import { APPLICATION_ID } from '../../src/ledger/schema.ts';
import { NOON } from '../support/values.ts';
import { begun, freshFolder, freshLedger, opened, outcomes, raw, settled } from './support.ts';

/** The ledger that a copy holds, from a folder of its own. */
function ledgerOf(file: string): Ledger {
  const folder = freshFolder();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'magpie.db'), readFileSync(file), { mode: 0o600 });
  return opened(folder);
}

function stateOf(folder: string): { folder: string; ledger: Ledger; target: string } {
  const ledger = freshLedger(folder);
  settled(ledger, begun(ledger, 1), outcomes.bought('order-1'));
  settled(ledger, begun(ledger, 2), outcomes.unknown());
  return { folder, ledger, target: join(dirname(folder), 'copy.db') };
}

describe('a backup', () => {
  it('is a whole ledger of what was committed, in one file that only its owner reads [S29]', async () => {
    const { folder, ledger, target } = stateOf(freshFolder());
    const made = await backUpLedger(folder, target);
    expect(made).toEqual({ ok: true, value: { path: target, bytes: statSync(target).size } });
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(target)).toSorted()).toEqual(['copy.db', 'data']);
    begun(ledger, 3);
    const copy = ledgerOf(target);
    expect([...copy.everyPurchase()]).toEqual([...ledger.everyPurchase()].slice(0, 2));
    expect(copy.account()).toBe('account-1');
  });

  it('needs no write-ahead log, and keeps the mark and version of a ledger', async () => {
    const { folder, target } = stateOf(freshFolder());
    await backUpLedger(folder, target);
    const db = new Database(target, { readonly: true });
    onTestFinished(() => void db.close());
    expect(db.pragma('journal_mode', { simple: true })).toBe('delete');
    expect(db.pragma('application_id', { simple: true })).toBe(APPLICATION_ID);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  it('keeps nobody from writing while it is made, and shows one moment', async () => {
    const { folder, ledger, target } = stateOf(freshFolder());
    const alertAt = (at: number) => ({ kind: 'refund', at, message: `${at}`, next: undefined, purchaseId: 1 }) as const;
    ledger.recordAlert(alertAt(NOON));
    let written = 1;
    let done = false;
    const made = backUpLedger(folder, target).finally(() => (done = true));
    while (!done) {
      ledger.recordAlert(alertAt(NOON + written++));
      await new Promise((resolve) => void setImmediate(resolve));
    }
    expect(await made).toMatchObject({ ok: true });
    const copied = ledgerOf(target).alertsOf(1);
    expect(copied.length).toBeGreaterThanOrEqual(1);
    expect(written).toBeGreaterThan(1);
    expect(copied).toEqual(ledger.alertsOf(1).slice(0, copied.length));
  });

  it('is made of a ledger that nobody has open, and of one that an older Magpie left', async () => {
    const { folder, ledger, target } = stateOf(freshFolder());
    ledger.close();
    raw(folder).pragma('user_version = 2');
    expect(await backUpLedger(folder, target)).toMatchObject({ ok: true });
    expect(openReader(folder)).toMatchObject({ ok: false, fault: { kind: 'older' } });
  });

  it('goes to the folder of backups, which is made, as closed to others as the data folder', async () => {
    const { folder } = stateOf(freshFolder());
    const name = backupName(NOON);
    expect(name).toBe('magpie-2026-01-05T12-00-00Z.db');
    expect(await backUpLedger(folder, join(backupsFolder(folder), name))).toMatchObject({ ok: true });
    expect(statSync(backupsFolder(folder)).mode & 0o777).toBe(0o700);
  });
});

describe('no backup is made', () => {
  it.each([
    ['a file', (path: string) => writeFileSync(path, 'mine')],
    ['an empty file', (path: string) => writeFileSync(path, '')],
    ['a folder', (path: string) => mkdirSync(path)],
    ['a link to nothing', (path: string) => symlinkSync('/nowhere/at/all', path)],
  ])('over %s', async (_, put) => {
    const { folder, target } = stateOf(freshFolder());
    put(target);
    const before = readdirSync(dirname(target));
    expect(await backUpLedger(folder, target)).toMatchObject({ ok: false, fault: { kind: 'taken' } });
    expect(readdirSync(dirname(target))).toEqual(before);
  });

  it('under a name of Magpie’s own in the data folder', async () => {
    const { folder } = stateOf(freshFolder());
    for (const name of ['magpie.db-journal', 'magpie.db.restoring', 'recording.db'])
      expect(await backUpLedger(folder, join(folder, name))).toMatchObject({ ok: false, fault: { kind: 'taken' } });
  });

  it('where nothing can be written, and nothing is left there', async () => {
    const { folder, target } = stateOf(freshFolder());
    const nowhere = join(dirname(target), 'not', 'there', 'copy.db');
    expect(await backUpLedger(folder, nowhere)).toMatchObject({ ok: false, fault: { kind: 'folder' } });
    expect(existsSync(join(dirname(target), 'not'))).toBe(false);
  });

  it('of a ledger that is damaged, missing or none of Magpie’s', async () => {
    const { folder, ledger, target } = stateOf(freshFolder());
    const root = raw(folder).prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'purchases'").pluck().get() as number;
    ledger.close();
    const path = join(folder, 'magpie.db');
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xff, (root - 1) * 4_096, root * 4_096));
    expect(await backUpLedger(folder, target)).toMatchObject({ ok: false, fault: { kind: 'damaged' } });

    const other = freshFolder();
    expect(await backUpLedger(other, target)).toMatchObject({ ok: false, fault: { kind: 'missing' } });
    mkdirSync(other);
    const foreign = new Database(join(other, 'magpie.db'));
    foreign.exec('CREATE TABLE notes (text)');
    foreign.close();
    expect(await backUpLedger(other, target)).toMatchObject({ ok: false, fault: { kind: 'foreign' } });
    expect(existsSync(target)).toBe(false);
  });

  it('once it is called off, and nothing is left of it', async () => {
    const { folder, target } = stateOf(freshFolder());
    const stopping = new AbortController();
    const made = backUpLedger(folder, target, stopping.signal);
    stopping.abort();
    expect(await made).toMatchObject({ ok: false, fault: { message: expect.stringContaining('being stopped') as string } });
    expect(readdirSync(dirname(target))).toEqual(['data']);
  });
});
