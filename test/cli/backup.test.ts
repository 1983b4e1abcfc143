import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acquireFolderLock } from '../../src/ledger/lock.ts';
import { begun } from '../ledger/support.ts';
import { ledgerAt, magpie, place } from './harness.ts';

const withConfig = ['--config', 'magpie.yaml'] as const;

describe('backup', () => {
  it('says what it wrote, how large it is, and how to put it back, also while a daemon holds the folder', async () => {
    const cwd = place();
    begun(ledgerAt(cwd), 1);
    const held = acquireFolderLock(join(cwd, 'data'));
    const { code, out, err } = await magpie(['backup', ...withConfig], { cwd });
    if (held.ok) held.lock.release();
    expect({ code, err, held: held.ok }).toEqual({ code: 0, err: '', held: true });
    expect(out.replace(/\(\d+ kB\)/, '(… kB)')).toMatchInlineSnapshot(`
      "Backed up the ledger to data/backups/magpie-2026-01-05T12-00-00Z.db (… kB), synced and checked
      Configuration magpie.yaml, data folder data
      It holds no keys and no recordings. To put it back, stop Magpie, then
      → magpie restore --config magpie.yaml data/backups/magpie-2026-01-05T12-00-00Z.db
      "
    `);
    const file = join(cwd, 'data/backups/magpie-2026-01-05T12-00-00Z.db');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('goes where it is told, and is one JSON document for a program', async () => {
    const cwd = place();
    begun(ledgerAt(cwd), 1);
    const { code, out } = await magpie(['backup', "it's.db", '--json', ...withConfig], { cwd });
    const file = join(cwd, "it's.db");
    expect({ code, document: JSON.parse(out) as unknown }).toEqual({
      code: 0,
      document: { ok: true, file, bytes: statSync(file).size, restore: "magpie restore --config magpie.yaml 'it'\\''s.db'" },
    });
    expect(existsSync(join(cwd, 'data/backups'))).toBe(false);
  });

  it('is never written over anything: exit 2, and what was there is as it was', async () => {
    const cwd = place();
    ledgerAt(cwd);
    writeFileSync(join(cwd, 'mine.db'), 'mine');
    const { code, err, out } = await magpie(['backup', 'mine.db', ...withConfig], { cwd });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(`No backup: ${cwd}/mine.db: it is there already`);
    expect(readFileSync(join(cwd, 'mine.db'), 'utf8')).toBe('mine');
    expect(readdirSync(cwd).filter((name) => name.includes('.part'))).toEqual([]);
  });

  it('is not made where there is no ledger, or no such folder to put it in: exit 1', async () => {
    const cwd = place();
    const none = await magpie(['backup', ...withConfig], { cwd });
    expect(none.code).toBe(1);
    expect(none.err).toContain('There is no ledger in');
    ledgerAt(cwd);
    const nowhere = await magpie(['backup', 'no/such/folder.db', '--json', ...withConfig], { cwd });
    expect(nowhere.code).toBe(1);
    expect(JSON.parse(nowhere.out)).toMatchObject({
      ok: false,
      exitCode: 1,
      message: expect.stringContaining('No backup') as string,
    });
  });
});
