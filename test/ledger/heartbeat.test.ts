import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Heartbeat } from '../../src/ledger/heartbeat.ts';
import { acquireFolderLock, isFolderHeld } from '../../src/ledger/lock.ts';
import { openReader } from '../../src/ledger/open.ts';
import { NOON } from '../support/values.ts';
import { freshFolder, freshLedger, raw } from './support.ts';

const alive: Heartbeat = {
  at: NOON,
  startedAt: NOON - 60_000,
  pid: 4_711,
  version: '0.1.0',
  mode: 'live',
  lastPollAt: NOON - 500,
  listings: 500,
  matching: 3,
  bad: 1,
  health: { reason: 'forbidden', message: 'the key may not read health', at: NOON },
  blockers: [{ reason: 'starting', detail: 'the account has not answered yet' }],
};

describe('the sign of life', () => {
  it('is read by others as it was written, and the newest counts', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    const reader = openReader(folder);
    if (!reader.ok) throw new Error(reader.fault.message);
    expect(reader.value.heartbeat()).toBeUndefined();
    ledger.saveHeartbeat(alive);
    ledger.saveHeartbeat({ ...alive, at: NOON + 1_000 });
    expect(reader.value.heartbeat()).toEqual({ ...alive, at: NOON + 1_000 });
    reader.value.close();
  });

  it('moves a log that grew while somebody read into the ledger, and cuts it back', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    const reader = raw(folder);
    reader.exec('BEGIN; SELECT count(*) FROM purchases');
    reader.prepare('SELECT count(*) FROM purchases').get();
    const message = 'x'.repeat(1_000_000);
    for (let n = 0; n < 20; n += 1)
      ledger.recordAlert({ kind: 'refund', at: NOON, message, next: undefined, purchaseId: undefined });
    const size = (): number => statSync(join(folder, 'magpie.db-wal')).size;
    expect(size()).toBeGreaterThan(19_000_000);
    reader.exec('COMMIT');
    for (const n of [1, 2, 3]) ledger.saveHeartbeat({ ...alive, at: NOON + n });
    expect(size()).toBeLessThan(9_000_000);
  });
});

describe('whether anybody holds a data folder', () => {
  it('is told without making anything', () => {
    const folder = freshFolder();
    expect(isFolderHeld(folder)).toBe(false);
    mkdirSync(folder);
    expect(isFolderHeld(folder)).toBe(false);
    const held = acquireFolderLock(folder);
    expect(isFolderHeld(folder)).toBe(true);
    expect(isFolderHeld(folder), 'asking takes nothing away').toBe(true);
    if (held.ok) held.lock.release();
    expect(isFolderHeld(folder)).toBe(false);
    const again = acquireFolderLock(folder);
    expect(again.ok).toBe(true);
    if (again.ok) again.lock.release();
  });
});
