import { statSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { journalPath, openToRead, openToWrite } from '../../src/treasury/journal-file.ts';
import { TreasuryJournal } from '../../src/treasury/journal.ts';
import { freshFolder } from '../e2e/fresh-folder.ts';
import { NOON, dollars } from '../support/values.ts';
import { usualPolicy } from './stage.ts';

const to = { email: 'child1@sandbox.example' };
const toB = { email: 'child2@sandbox.example' };

function opened(folder = freshFolder()): { journal: TreasuryJournal; folder: string } {
  const file = openToWrite(folder);
  if (!file.ok) throw new Error(file.fault.message);
  const journal = new TreasuryJournal(file.value);
  onTestFinished(() => journal.close());
  return { journal, folder };
}

describe("the treasury's journal", () => {
  it('is a file for its owner alone, synced with each commit, and tells the same after it was opened again', () => {
    const { journal, folder } = opened();
    const written = journal.write(usualPolicy, { child: 'a', amount: dollars(180) }, to, 'k-1', NOON);
    expect(written).toMatchObject({
      ok: true,
      transfer: { id: 1, state: 'open', amountCents: 18_000, amount: dollars(180), to },
    });
    expect(statSync(journalPath(folder)).mode & 0o777).toBe(0o600);
    const file = openToWrite(folder);
    expect(file.ok && file.value.pragma('synchronous', { simple: true })).toBe(2);
    if (file.ok) file.value.close();
    expect(opened(folder).journal.open()).toMatchObject([{ idempotencyKey: 'k-1' }]);
  });

  it.each([
    ['a second while one is open', { child: 'a', amount: dollars(1) }, 'a transfer to this child is open'],
    ['what is beyond the cap of one', { child: 'b', amount: dollars(201) }, 'perTransfer'],
    ['a child that the configuration does not name', { child: 'c', amount: dollars(1) }, 'names no such child'],
  ])('writes no %s, whatever was decided', (_, intended, why) => {
    const { journal } = opened();
    journal.write(usualPolicy, { child: 'a', amount: dollars(180) }, to, 'k-1', NOON);
    expect(journal.write(usualPolicy, intended, intended.child === 'a' ? to : toB, 'k-2', NOON)).toEqual({
      ok: false,
      why: expect.stringContaining(why),
    });
    expect(journal.transfers(0).length).toBe(1);
  });

  it('holds what is open and what was moved in a day against who gets it, whatever the child is called by then', () => {
    const { journal } = opened();
    journal.write(usualPolicy, { child: 'a', amount: dollars(200) }, to, 'k-1', NOON);
    const renamed = { email: 'Child1@sandbox.example' };
    const asB = (amount: number, key: string): unknown =>
      journal.write(usualPolicy, { child: 'b', amount: dollars(amount) }, renamed, key, NOON);
    expect(asB(1, 'k-2')).toEqual({ ok: false, why: 'a transfer to this child is open' });
    journal.settle(1, { state: 'made', by: 'service' }, NOON);
    expect(
      journal.write({ ...usualPolicy, hour: dollars(1_000) }, { child: 'b', amount: dollars(200) }, renamed, 'k-3', NOON).ok,
    ).toBe(true);
    journal.settle(2, { state: 'made', by: 'service' }, NOON);
    expect(asB(101, 'k-4')).toEqual({ ok: false, why: 'the cap child-day would be exceeded' });
    expect(journal.write(usualPolicy, { child: 'b', amount: dollars(101) }, toB, 'k-5', NOON).ok).toBe(true);
  });

  it('holds caps from its rows, open ones whatever their age, and made ones from when that was known', () => {
    const { journal } = opened();
    const policy = { ...usualPolicy, hour: dollars(300) };
    journal.write(policy, { child: 'a', amount: dollars(200) }, to, 'k-1', NOON - 5 * 3_600_000);
    expect(journal.write(policy, { child: 'b', amount: dollars(150) }, to, 'k-2', NOON)).toMatchObject({ ok: false });
    journal.settle(1, { state: 'made', by: 'service' }, NOON);
    const soon = journal.write(policy, { child: 'b', amount: dollars(150) }, to, 'k-3', NOON + 3_599_999);
    expect(soon).toEqual({ ok: false, why: 'the cap hour would be exceeded' });
    expect(journal.write(policy, { child: 'b', amount: dollars(150) }, to, 'k-4', NOON + 3_600_000)).toMatchObject({ ok: true });
  });

  it('writes and sends nothing while halted, shows the first cause, and forgets what it compared with when a person resumes', () => {
    const { journal } = opened();
    journal.write(usualPolicy, { child: 'a', amount: dollars(1) }, to, 'k-1', NOON);
    journal.keepTopReading({ balance: dollars(10), askedAt: NOON });
    journal.halt('first', 'treasury', NOON);
    journal.halt('second', 'person', NOON);
    journal.halt('first', 'treasury', NOON);
    expect(journal.halted()).toEqual({ reason: 'first', by: 'treasury', at: NOON });
    expect(journal.attempting(1)).toBe(false);
    expect(journal.write(usualPolicy, { child: 'b', amount: dollars(1) }, to, 'k-2', NOON)).toEqual({
      ok: false,
      why: 'halted: first',
    });
    journal.resume(NOON);
    expect([journal.halted(), journal.topReading(), journal.attempting(1)]).toEqual([undefined, undefined, true]);
  });

  it('settles a transfer once', () => {
    const { journal } = opened();
    journal.write(usualPolicy, { child: 'a', amount: dollars(1) }, to, 'k-1', NOON);
    expect(journal.settle(1, { state: 'made', by: 'service', requestId: 'r' }, NOON)).toBe(true);
    expect(journal.settle(1, { state: 'not-made', by: 'person' }, NOON)).toBe(false);
    expect(journal.transfer(1)).toMatchObject({ state: 'made', settledBy: 'service', requestId: 'r' });
  });

  it.each([
    ['a settled row changes', "UPDATE transfers SET state = 'refused' WHERE id = 1", 'a settled transfer never changes'],
    ['a row goes', 'DELETE FROM transfers', 'a transfer is never deleted'],
    ['an amount changes', 'UPDATE transfers SET amount_cents = 5 WHERE id = 2', 'what was sent never changes'],
    ['a key changes', "UPDATE transfers SET idempotency_key = 'x' WHERE id = 2", 'what was sent never changes'],
    [
      'a child has two that are open',
      `INSERT INTO transfers (idempotency_key, child, to_email, amount_cents, state, attempts, created_at, next_at)
       VALUES ('k-9', 'b', 'b@x.yy', 1, 'open', 1, 0, 0)`,
      'UNIQUE constraint failed',
    ],
    [
      'a key stands twice',
      `INSERT INTO transfers (idempotency_key, child, to_email, amount_cents, state, attempts, created_at, next_at)
       VALUES ('k-2', 'c', 'c@x.yy', 1, 'open', 1, 0, 0)`,
      'UNIQUE constraint failed',
    ],
  ])('refuses by itself that %s', (_, sql, words) => {
    const { journal, folder } = opened();
    journal.write(usualPolicy, { child: 'a', amount: dollars(1) }, to, 'k-1', NOON);
    journal.settle(1, { state: 'made', by: 'service' }, NOON);
    journal.write(usualPolicy, { child: 'b', amount: dollars(1) }, to, 'k-2', NOON);
    const raw = new Database(journalPath(folder));
    onTestFinished(() => void raw.close());
    expect(() => raw.exec(sql)).toThrow(words);
  });

  it('is none where there is none, and takes no other database and no other file for one', () => {
    const folder = freshFolder();
    expect(openToRead(folder)).toEqual({ ok: true, value: undefined });
    const other = new Database(journalPath(folder));
    other.exec('CREATE TABLE t (x)');
    other.close();
    for (const open of [openToRead, openToWrite])
      expect(open(folder)).toMatchObject({ ok: false, fault: { message: expect.stringContaining('no journal of a treasury') } });
    const another = freshFolder();
    writeFileSync(journalPath(another), 'what is this');
    expect(openToWrite(another).ok).toBe(false);
  });
});
