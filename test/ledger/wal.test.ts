import { appendFileSync, closeSync, cpSync, openSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { NOON } from '../support/values.ts';
import { begun, freshFolder, freshLedger, opened, outcomes, raw, settled } from './support.ts';

const PAGE_BYTES = 4_096;
const HEADER_BYTES = 32;
const FRAME_BYTES = 24 + PAGE_BYTES;

type Damage = (wal: string) => void;

const none: Damage = () => undefined;

function garbled(at: (size: number) => number, bytes = 4): Damage {
  return (wal) => {
    const file = openSync(wal, 'r+');
    writeSync(file, Buffer.alloc(bytes, 0xa5), 0, bytes, at(statSync(wal).size));
    closeSync(file);
  };
}

function buys(ledger: Ledger, from: number): void {
  for (let n = from; n < from + 5; n++) settled(ledger, begun(ledger, n), outcomes.bought(`o-${n}`));
}

/** What a killed process leaves: everything since the ledger was made, or since a start that found it anchored, is in the log. */
function killed({ anchored }: { anchored: boolean }, damage: Damage, work?: (folder: string, ledger: Ledger) => void): string {
  const folder = freshFolder();
  const first = freshLedger(folder);
  if (anchored) {
    first.apply([{ kind: 'look', beganAt: NOON, baseTotal: 3 }], NOON);
    first.close();
  }
  const ledger = anchored ? opened(folder) : first;
  buys(ledger, 1);
  work?.(folder, ledger);
  const copy = freshFolder();
  cpSync(folder, copy, { recursive: true });
  damage(join(copy, 'magpie.db-wal'));
  return copy;
}

function start(folder: string): string {
  const result = openLedger({ folder });
  if (!result.ok) return result.fault.kind + result.fault.message.slice(result.fault.message.indexOf(': '));
  result.value.ledger.close();
  return result.value.forgot ? 'has forgotten' : 'is whole';
}

describe('a write-ahead log that is damaged after it was written [P19 P20]', () => {
  const damages: [string, Damage][] = [
    ['at its head', garbled(() => 8, 16)],
    ['in its first page', garbled(() => HEADER_BYTES + 24 + 100)],
    ['in the head of a frame', garbled(() => HEADER_BYTES + 3 * FRAME_BYTES + 2, 1)],
    ['in the middle', garbled(() => HEADER_BYTES + 5 * FRAME_BYTES + 24 + 100)],
  ];

  it.each(damages)('%s is told of, once', (_, damage) => {
    const folder = killed({ anchored: true }, damage);
    expect([start(folder), start(folder)]).toEqual(['has forgotten', 'is whole']);
  });

  it.each(damages.slice(0, 2))('%s before the ledger knew what was there before it is refused, at each start', (_, damage) => {
    const folder = killed({ anchored: false }, damage);
    const refusal = 'damaged: it is damaged, and everything that the ledger knows is in it';
    expect([start(folder), start(folder)]).toEqual([refusal, refusal]);
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
    expect(start(killed({ anchored: true }, damage))).toBe('is whole');
  });

  it('is told from one that was begun anew over an older one', () => {
    const folder = killed({ anchored: true }, none, (made, ledger) => {
      buys(ledger, 6);
      const other = raw(made);
      other.pragma('wal_checkpoint(RESTART)');
      other.close();
      buys(ledger, 11);
    });
    expect(start(folder)).toBe('is whole');
  });
});
