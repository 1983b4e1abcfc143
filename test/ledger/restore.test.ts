import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { backUpLedger } from '../../src/ledger/backup.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openBeside, openReader } from '../../src/ledger/open.ts';
import { restoreLedger } from '../../src/ledger/restore.ts';
import { NOON } from '../support/values.ts';
import { begun, freshFolder, freshLedger, opened, outcomes, settled } from './support.ts';

const LATER = NOON + 3_600_000;
const KEPT = 'magpie.db.before-2026-01-05T13-00-00Z';

/** A ledger that has looked at its orders, with one purchase. */
function begunLedger(folder = freshFolder()): { folder: string; ledger: Ledger } {
  const ledger = freshLedger(folder);
  ledger.apply([{ kind: 'look', beganAt: NOON, baseTotal: 3 }], NOON);
  settled(ledger, begun(ledger, 1), outcomes.bought('order-1'));
  return { folder, ledger };
}

interface Scene {
  readonly folder: string;
  /** A backup that knows one purchase. */
  readonly file: string;
}

/** A folder whose ledger knows two purchases, closed; `work` is done with it before. */
async function scene(work: (ledger: Ledger) => void = () => undefined): Promise<Scene> {
  const { folder, ledger } = begunLedger();
  const file = join(dirname(folder), 'backup.db');
  const made = await backUpLedger(folder, file);
  if (!made.ok) throw new Error(made.fault.message);
  settled(ledger, begun(ledger, 2), outcomes.unknown());
  work(ledger);
  ledger.close();
  return { folder, file };
}

function restored({ folder, file }: Scene, crashPoint?: (name: string) => void): ReturnType<typeof restoreLedger> {
  return restoreLedger({ folder, file, at: LATER, crashPoint });
}

function listingsOf(folder: string): string[] {
  const ledger = opened(folder);
  const listings = [...ledger.everyPurchase()].map(({ listingId }) => listingId);
  ledger.close();
  return listings;
}

/** The ledger that was put aside, in a folder of its own. */
function keptOf(folder: string): string {
  const other = freshFolder();
  mkdirSync(other, { recursive: true });
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(join(folder, KEPT + suffix))) copyFileSync(join(folder, KEPT + suffix), join(other, `magpie.db${suffix}`));
  }
  return other;
}

function ruin(path: string): void {
  writeFileSync(path, Buffer.alloc(8_192, 0x5a));
}

describe('a restored ledger', () => {
  it('is the backup, with what was there whole beside it [P20]', async () => {
    const { folder, file } = await scene();
    const before = readFileSync(file);
    expect(restored({ folder, file })).toEqual({
      ok: true,
      value: { kept: join(folder, KEPT), unreadable: false, newestRowAt: NOON + 2 },
    });
    expect(listingsOf(folder)).toEqual(['1']);
    expect(listingsOf(keptOf(folder))).toEqual(['1', '2']);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(folder).filter((name) => name.includes('restoring'))).toEqual([]);
  });

  it('holds where nothing was, and where the old one was killed with its log beside it', async () => {
    const { folder, file } = await scene();
    const fresh = freshFolder();
    expect(restored({ folder: fresh, file })).toMatchObject({ ok: true, value: { kept: undefined, unreadable: false } });
    expect(listingsOf(fresh)).toEqual(['1']);

    const ledger = opened(folder);
    settled(ledger, begun(ledger, 3), outcomes.unknown());
    const killed = freshFolder();
    mkdirSync(killed, { recursive: true });
    for (const suffix of ['', '-wal']) copyFileSync(join(folder, `magpie.db${suffix}`), join(killed, `magpie.db${suffix}`));
    expect(restored({ folder: killed, file })).toMatchObject({ ok: true });
    expect(listingsOf(killed)).toEqual(['1']);
    expect(listingsOf(keptOf(killed))).toEqual(['1', '2', '3']);
  });

  it('stands halted where the old one did, once, and is as slow as the service asked us to be', async () => {
    const { folder, file } = await scene((ledger) => {
      ledger.halt('ended before', 'person', NOON + 5);
      ledger.resume(NOON + 6);
      ledger.halt('too many refusals', 'refusals-in-row', NOON + 7);
      ledger.halt('me too', 'person', NOON + 8);
      ledger.saveSlowUntil(LATER + 60_000);
    });
    restored({ folder, file });
    const ledger = opened(folder);
    expect(ledger.standingHalts()).toEqual([
      { reason: 'too many refusals', by: 'refusals-in-row', at: NOON + 7 },
      { reason: 'me too', by: 'person', at: NOON + 8 },
    ]);
    expect(ledger.slowUntil()).toBe(LATER + 60_000);
  });

  it('stands halted where the old one cannot be read, which is kept as it is', async () => {
    const { folder, file } = await scene();
    ruin(join(folder, 'magpie.db'));
    const before = readFileSync(join(folder, 'magpie.db'));
    expect(restored({ folder, file })).toMatchObject({ ok: true, value: { kept: join(folder, KEPT), unreadable: true } });
    expect(readFileSync(join(folder, KEPT)).equals(before)).toBe(true);
    const ledger = opened(folder);
    expect(ledger.standingHalts()).toMatchObject([{ by: 'restore', at: LATER }]);
    expect(ledger.haltedOnDisk()?.reason).toContain('could not be read');
  });

  it.each([
    ['where it cannot be read', (folder: string) => ruin(join(folder, 'magpie.db'))],
    ['where it was moved away', (folder: string) => rmSync(join(folder, 'magpie.db'))],
    ['as it is', () => undefined],
  ])('stands halted for what the old one had lost, which no start had halted for yet, %s', async (_, change) => {
    const { folder, file } = await scene();
    const mark = join(folder, 'magpie.db.forgot');
    writeFileSync(mark, '', { mode: 0o600 });
    change(folder);
    restored({ folder, file });
    const ledger = opened(folder);
    expect(ledger.standingHalts()).toHaveLength(1);
    expect(existsSync(mark)).toBe(false);
  });

  it('is never read with the log of the old one, which may be all that is left of that', async () => {
    const { folder, file } = await scene();
    const ledger = opened(folder);
    for (const number of [3, 4, 5]) settled(ledger, begun(ledger, number), outcomes.unknown());
    const left = freshFolder();
    mkdirSync(left, { recursive: true });
    copyFileSync(join(folder, 'magpie.db-wal'), join(left, 'magpie.db-wal'));
    expect(restored({ folder: left, file })).toMatchObject({ ok: true, value: { unreadable: true } });
    expect(existsSync(join(left, `${KEPT}-wal`))).toBe(true);
    expect(listingsOf(left)).toEqual(['1']);
  });
});

describe('a restore that is interrupted', () => {
  const points = ['copied', 'decided', 'carried', 'aside'].map((name) => `restore:${name}`);

  it.each(points)('at %s leaves the old ledger or the new one, whole', async (point) => {
    const there = await scene((ledger) => ledger.halt('stop', 'person', NOON + 7));
    const stop = (name: string): void => {
      if (name === point) throw new Error('killed');
    };
    expect(() => restored(there, stop)).toThrow('killed');
    const decided = point !== 'restore:copied';
    const reader = openReader(there.folder);
    expect(reader.ok ? 'open' : reader.fault.kind).toBe(decided ? 'restoring' : 'open');
    if (reader.ok) reader.value.close();
    expect(listingsOf(there.folder)).toEqual(decided ? ['1'] : ['1', '2']);
    const ledger = opened(there.folder);
    expect(ledger.standingHalts()).toEqual([{ reason: 'stop', by: 'person', at: NOON + 7 }]);
    ledger.close();
    if (decided) expect(listingsOf(keptOf(there.folder))).toEqual(['1', '2']);
    expect(restoreLedger({ ...there, at: LATER + 1_000 })).toMatchObject({ ok: true });
  });

  it.each(['restore:aside', 'restore:aside-wal'])('at %s over a ruin is ended by the next start', async (point) => {
    const there = await scene();
    const ledger = opened(there.folder);
    begun(ledger, 3);
    const left = freshFolder();
    mkdirSync(left, { recursive: true });
    for (const suffix of ['', '-wal']) copyFileSync(join(there.folder, `magpie.db${suffix}`), join(left, `magpie.db${suffix}`));
    ruin(join(left, 'magpie.db'));
    const stop = (name: string): void => {
      if (name === point) throw new Error('killed');
    };
    expect(() => restored({ ...there, folder: left }, stop)).toThrow('killed');
    expect(listingsOf(left)).toEqual(['1']);
    expect(readdirSync(left).toSorted()).toContain(`${KEPT}-wal`);
    expect(opened(left).standingHalts()).toHaveLength(1);
  });
});

describe('nothing is restored', () => {
  async function refusal(there: Scene): Promise<string> {
    const before = readdirSync(there.folder).toSorted();
    const done = restored(there);
    expect(readdirSync(there.folder).toSorted()).toEqual(before);
    expect(listingsOf(there.folder)).toEqual(['1', '2']);
    return done.ok ? 'restored' : done.fault.kind;
  }

  it('from what is missing, no database, none of Magpie’s, damaged, or the ledger itself', async () => {
    const { folder, file } = await scene();
    const other = join(dirname(folder), 'other.db');
    expect(await refusal({ folder, file: other })).toBe('missing');
    writeFileSync(other, 'no database at all, but long enough to be one '.repeat(100));
    expect(await refusal({ folder, file: other })).toBe('damaged');
    rmSync(other);
    const foreign = new Database(other);
    foreign.exec('CREATE TABLE notes (text)');
    foreign.close();
    expect(await refusal({ folder, file: other })).toBe('foreign');
    const bytes = readFileSync(file);
    writeFileSync(other, bytes.fill(0xff, 4_096 * 2, 4_096 * 12));
    expect(await refusal({ folder, file: other })).toBe('damaged');
    expect(await refusal({ folder, file: join(folder, 'magpie.db') })).toBe('taken');
  });

  it('from a ledger of a newer Magpie, and an older one is brought up', async () => {
    const { folder, file } = await scene();
    const db = new Database(file);
    const version = db.pragma('user_version', { simple: true }) as number;
    db.pragma(`user_version = ${version + 1}`);
    expect(await refusal({ folder, file })).toBe('newer');
    db.exec('DROP TABLE reference_days; DROP TABLE reference_names; DROP TABLE shadows; DROP TABLE rule_changes');
    db.pragma('user_version = 2');
    db.close();
    expect(restored({ folder, file })).toMatchObject({ ok: true });
    expect(listingsOf(folder)).toEqual(['1']);
  });

  it('from one of another account, or from before the first look at the orders, which would count none of them', async () => {
    const { folder, file } = await scene();
    const db = new Database(file);
    db.exec("UPDATE meta SET value = 'account-2' WHERE key = 'account'");
    expect(await refusal({ folder, file })).toBe('account');
    db.exec("UPDATE meta SET value = 'account-1' WHERE key = 'account'; DELETE FROM meta WHERE key = 'baselineAt'");
    db.close();
    expect(await refusal({ folder, file })).toBe('foreign');
  });

  it('while a command has the old ledger open: what that writes must not be lost', async () => {
    const there = await scene();
    const beside = openBeside(there.folder);
    if (!beside.ok) throw new Error(beside.fault.message);
    expect(restored(there)).toMatchObject({ ok: false, fault: { kind: 'busy' } });
    beside.value.halt('stop', 'person', NOON + 9);
    beside.value.close();
    expect(restored(there)).toMatchObject({ ok: true });
    expect(opened(there.folder).standingHalts()).toHaveLength(1);
  });

  it('over a link', async () => {
    const { file } = await scene();
    const { folder } = await scene();
    rmSync(join(folder, 'magpie.db'));
    mkdirSync(join(folder, 'magpie.db'));
    expect(restored({ folder, file })).toMatchObject({ ok: false, fault: { kind: 'link' } });
  });
});
