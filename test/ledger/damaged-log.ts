import { closeSync, cpSync, mkdirSync, openSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { NOON } from '../support/values.ts';
import { begun, freshFolder, freshLedger, opened, outcomes, settled } from './support.ts';

const PAGE_BYTES = 4_096;
const HEADER_BYTES = 32;
const FRAME_BYTES = 24 + PAGE_BYTES;

/** What is done to a write-ahead log. */
export type Damage = (wal: string) => void;

export const none: Damage = () => undefined;

export function garbled(at: (size: number) => number, bytes = 4): Damage {
  return (wal) => {
    const file = openSync(wal, 'r+');
    writeSync(file, Buffer.alloc(bytes, 0xa5), 0, bytes, at(statSync(wal).size));
    closeSync(file);
  };
}

/** Each loses most of what the log holds, or all. */
export const damages: readonly (readonly [string, Damage])[] = [
  ['at its head', garbled(() => 8, 16)],
  ['in its first page', garbled(() => HEADER_BYTES + 24 + 100)],
  ['in the head of a frame', garbled(() => HEADER_BYTES + 3 * FRAME_BYTES + 2, 1)],
  ['in the middle', garbled(() => HEADER_BYTES + 5 * FRAME_BYTES + 24 + 100)],
];

export function buys(ledger: Ledger, from: number): void {
  for (let n = from; n < from + 5; n++) settled(ledger, begun(ledger, n), outcomes.bought(`o-${n}`));
}

export interface Killed {
  /** The ledger knows which orders were there before it, from a run that has ended. */
  readonly anchored: boolean;
  readonly damage: Damage;
  /** Done after five purchases. */
  readonly work?: (folder: string, ledger: Ledger) => void;
  /** The data folder, which is made. */
  readonly target?: string;
}

/** What a killed process leaves: everything since the ledger was made, or since a start that found it anchored, is in the log. */
export function killed({ anchored, damage, work, target = freshFolder() }: Killed): string {
  const folder = freshFolder();
  const first = freshLedger(folder);
  if (anchored) {
    first.apply([{ kind: 'look', beganAt: NOON, baseTotal: 3 }], NOON);
    first.close();
  }
  const ledger = anchored ? opened(folder) : first;
  buys(ledger, 1);
  work?.(folder, ledger);
  ledger.halt('stop at once', 'person', NOON);
  copyOf(folder, target);
  damage(join(target, 'magpie.db-wal'));
  return target;
}

/** The files of a ledger as they are now, as a kill leaves them. */
export function copyOf(folder: string, target = freshFolder()): string {
  mkdirSync(dirname(target), { recursive: true });
  cpSync(folder, target, { recursive: true });
  return target;
}
