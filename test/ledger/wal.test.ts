import { appendFileSync, existsSync, readFileSync, truncateSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backUpLedger } from '../../src/ledger/backup.ts';
import { hasForgotten } from '../../src/ledger/forgotten.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openBeside, openLedger, openReader } from '../../src/ledger/open.ts';
import { restoreLedger } from '../../src/ledger/restore.ts';
import { NOON, wideLimits } from '../support/values.ts';
import { type Damage, buys, copyOf, damages, garbled, killed, none } from './damaged-log.ts';
import { freshFolder, freshLedger, opened, raw, wish } from './support.ts';

function start(folder: string): string {
  const result = openLedger({ folder });
  if (!result.ok) return wordsOf(result.fault);
  if (result.value.forgot) result.value.ledger.haltForgotten(NOON);
  result.value.ledger.close();
  return result.value.forgot ? 'has forgotten' : 'is whole';
}

function wordsOf({ kind, message }: { readonly kind: string; readonly message: string }): string {
  return kind + message.slice(message.indexOf(': '));
}

function logOf(folder: string): Buffer {
  return readFileSync(join(folder, 'magpie.db-wal'));
}

function haltsIn(folder: string): readonly string[] {
  const reader = openReader(folder);
  if (!reader.ok) return [wordsOf(reader.fault)];
  const halts = reader.value.standingHalts().map(({ by }) => by);
  reader.value.close();
  return halts;
}

const NOTHING_LEFT = 'damaged: it is damaged, and everything that the ledger knows is in it';
const LOST = 'log: it is damaged, and what the ledger wrote last is lost';

describe('a write-ahead log that is damaged after it was written [P19 P20]', () => {
  it.each(damages)('%s is told of, once', (_, damage) => {
    const folder = killed({ anchored: true, damage });
    expect([start(folder), start(folder)]).toEqual(['has forgotten', 'is whole']);
  });

  it.each(damages.slice(0, 2))('%s before the ledger knew what was there before it is refused, at each start', (_, damage) => {
    const folder = killed({ anchored: false, damage });
    expect([start(folder), start(folder)]).toEqual([NOTHING_LEFT, NOTHING_LEFT]);
  });

  it.each<[string, Damage]>([
    ['whole', none],
    ['torn in its last commit', (wal) => truncateSync(wal, statSync(wal).size - 100)],
    ['wrong in its last page', garbled((size) => size - 100)],
    ['followed by zeros', (wal) => appendFileSync(wal, Buffer.alloc(20_000))],
    ['empty', (wal) => truncateSync(wal, 0)],
    ['shorter than its head', (wal) => truncateSync(wal, 20)],
    ['nothing but zeros', (wal) => writeFileSync(wal, Buffer.alloc(statSync(wal).size))],
  ])('is told from one that is %s, as the end of a process or of the power may leave it', (_, damage) => {
    expect(start(killed({ anchored: true, damage }))).toBe('is whole');
  });

  it('is told from one that was begun anew over an older one', () => {
    const work = (made: string, ledger: Ledger): void => {
      buys(ledger, 6);
      const other = raw(made);
      other.pragma('wal_checkpoint(RESTART)');
      other.close();
      buys(ledger, 11);
    };
    expect(start(killed({ anchored: true, damage: none, work }))).toBe('is whole');
  });
});

describe('what is lost of a write-ahead log [P19 P20]', () => {
  it.each(damages)('%s may have held a halt: the start stands halted until a person resumes', (_, damage) => {
    const folder = killed({ anchored: true, damage });
    expect(start(folder)).toBe('has forgotten');
    const ledger = opened(folder);
    const halt = ledger.halted();
    expect(halt).toMatchObject({ by: 'start', at: NOON });
    expect(halt?.reason).toContain('whether buying had been halted, nobody can say');
    ledger.bindAccount('account-1');
    const asked = () => ledger.commitIntent(wish(), wideLimits, NOON + 60_000);
    expect(asked()).toMatchObject({ ok: false, reason: 'halted' });
    ledger.resume(NOON);
    expect(asked()).not.toMatchObject({ reason: 'halted' });
    ledger.close();
    expect(start(folder)).toBe('is whole');
  });

  it.each(damages)(
    '%s is known at each opening until a start has halted for it, which keeps no command from working beside it',
    (_, damage) => {
      const folder = killed({ anchored: true, damage });
      const first = openLedger({ folder });
      if (!first.ok) throw new Error(first.fault.message);
      const beside = openBeside(folder);
      if (!beside.ok) throw new Error(beside.fault.message);
      beside.value.close();
      const before = copyOf(folder);
      first.value.ledger.haltForgotten(NOON);
      const after = copyOf(folder);
      first.value.ledger.close();
      expect([first.value.forgot, start(before), start(after)]).toEqual([true, 'has forgotten', 'is whole']);
      expect(haltsIn(before)).toEqual(['start']);
    },
  );

  it.each(damages)('%s is left as it is by a start that is refused for something else', (_, damage) => {
    const ruin = (folder: string): void => {
      const file = join(folder, 'magpie.db');
      const bytes = readFileSync(file);
      writeFileSync(file, bytes.fill(0xff, 2 * 4_096, 6 * 4_096));
    };
    const folder = killed({ anchored: true, damage });
    ruin(folder);
    const log = logOf(folder);
    expect(start(folder)).toMatch(/^damaged/);
    expect(logOf(folder).equals(log)).toBe(true);
  });

  it.each(damages)('%s is not lost on a command that would change something first', (_, damage) => {
    const folder = killed({ anchored: true, damage });
    const log = logOf(folder);
    const beside = openBeside(folder);
    expect(beside.ok ? 'it was opened' : wordsOf(beside.fault)).toBe(LOST);
    expect(haltsIn(folder)).toEqual([]);
    expect([logOf(folder).equals(log), hasForgotten(folder), start(folder)]).toEqual([true, true, 'has forgotten']);
  });

  it.each(damages)('%s, where it was all that there is, is left as it is by every command', (_, damage) => {
    const folder = killed({ anchored: false, damage });
    const log = logOf(folder);
    const beside = openBeside(folder);
    expect(beside.ok ? 'it was opened' : wordsOf(beside.fault)).toBe(NOTHING_LEFT);
    haltsIn(folder);
    expect([logOf(folder).equals(log), start(folder)]).toEqual([true, NOTHING_LEFT]);
  });

  it('is told to a reader that finds nothing set up', () => {
    expect(haltsIn(killed({ anchored: false, damage: damages[0]?.[1] ?? none }))).toEqual([NOTHING_LEFT]);
  });

  it('is not lost while whoever wrote it lives: commands work beside them', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    buys(ledger, 1);
    garbled(() => 5_000)(join(folder, 'magpie.db-wal'));
    const beside = openBeside(folder);
    if (!beside.ok) throw new Error(beside.fault.message);
    beside.value.halt('enough', 'person', NOON);
    beside.value.close();
    expect([ledger.halted()?.reason, hasForgotten(folder)]).toEqual(['enough', false]);
  });

  it.each([true, false])('makes a restore halt, whether or not somebody has opened it meanwhile: %s', async (isOpened) => {
    const source = freshFolder();
    const other = freshLedger(source);
    other.apply([{ kind: 'look', beganAt: NOON, baseTotal: 3 }], NOON);
    const folder = killed({ anchored: true, damage: garbled(() => 5_000) });
    const file = join(dirname(folder), 'backup.db');
    const made = await backUpLedger(source, file);
    expect(made.ok).toBe(true);
    if (isOpened) {
      const command = openLedger({ folder });
      if (command.ok) command.value.ledger.close();
    }
    expect(restoreLedger({ folder, file, at: NOON })).toMatchObject({ ok: true, value: { unreadable: !isOpened } });
    expect(haltsIn(folder)).toEqual([isOpened ? 'start' : 'restore']);
    expect([start(folder), existsSync(join(folder, 'magpie.db.forgot'))]).toEqual(['is whole', false]);
  });
});
