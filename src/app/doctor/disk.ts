import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../domain/clock.ts';
import { bytesText } from '../../domain/text.ts';
import { ledgerBytes } from '../../ledger/backup.ts';
import { trialSync } from '../../ledger/folder.ts';
import { type Finding, bad, doubt, good } from './finding.ts';

/** A commit of a purchase waits for one sync; a disk slower than this loses listings to others. */
const SYNC_SLOW_MS = 50;

/** With less than this nothing can be relied on. */
const FREE_LEAST_BYTES = 20_000_000;

/** File systems by the number that `statfs` gives (linux/magic.h), with what is wrong about them as a place of a ledger. */
const unfit: Readonly<Record<number, { readonly name: string; readonly why: string; readonly status: 'warn' | 'fail' }>> = {
  0x6969: { name: 'NFS', why: 'SQLite cannot rely on locks and syncs of a network file system', status: 'fail' },
  0xff534d42: { name: 'CIFS', why: 'SQLite cannot rely on locks and syncs of a network file system', status: 'fail' },
  0xfe534d42: { name: 'SMB', why: 'SQLite cannot rely on locks and syncs of a network file system', status: 'fail' },
  0x01021997: {
    name: '9p',
    why: 'it is shared with another system, whose locks and syncs SQLite cannot rely on',
    status: 'warn',
  },
  0x65735546: { name: 'FUSE', why: 'whether it keeps locks and syncs depends on what is behind it', status: 'warn' },
  0x01021994: { name: 'tmpfs', why: 'it is memory: what is on it is gone at the next restart', status: 'warn' },
  0x858458f6: { name: 'ramfs', why: 'it is memory: what is on it is gone at the next restart', status: 'warn' },
  0x794c7630: { name: 'overlayfs', why: 'it is the layer of a container: what is on it goes with the container', status: 'warn' },
};

export interface DiskOptions {
  /** The data folder; need not exist. */
  readonly data: string;
  readonly minFreeBytes: number;
  readonly clock: Pick<Clock, 'now'>;
}

/** The disk that the data folder is on: whether it can be written, how long a sync takes, how much is free, and what kind it is. */
export function diskFindings({ data, minFreeBytes, clock }: DiskOptions): readonly Finding[] {
  const place = existing(data);
  return [writing(data, place, clock), ...room(data, place, minFreeBytes)];
}

function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));
}

function writing(data: string, place: string, clock: Pick<Clock, 'now'>): Finding {
  const next = `make ${data} a folder that this user can write, or name another one with \`data:\``;
  try {
    if (place !== data) {
      accessSync(place, constants.W_OK | constants.X_OK);
      return good('disk', `the data folder ${data} is made at the first start, in ${place}, which can be written`);
    }
    const ms = trialSync(data, () => clock.now());
    const words = `${data} can be written, and a sync takes ${ms.toFixed(1)} ms`;
    if (ms <= SYNC_SLOW_MS) return good('disk', words);
    return doubt('disk', `${words}: each purchase waits for one before it leaves`, 'put the data folder on a faster disk');
  } catch (error) {
    return bad('disk', `${place}: ${error instanceof Error ? error.message : String(error)}`, next);
  }
}

function room(data: string, place: string, minFreeBytes: number): readonly Finding[] {
  try {
    const { bavail, bsize, type } = statfsSync(place);
    const odd = unfit[type >>> 0];
    const next = 'put the data folder on a disk of this machine';
    const kind =
      odd === undefined ? [] : [{ check: 'file system', status: odd.status, message: `${odd.name}: ${odd.why}`, next }];
    return [free(bavail * bsize, minFreeBytes, ledgerBytes(data)), ...kind];
  } catch (error) {
    return [doubt('free space', `cannot be told: ${error instanceof Error ? error.message : String(error)}`, 'look at the disk')];
  }
}

function free(bytes: number, wanted: number, ledger: number): Finding {
  const words = `${bytesText(bytes)} free`;
  if (bytes < FREE_LEAST_BYTES) return bad('free space', `${words}: when it is full nothing is bought`, 'free some space');
  if (bytes < wanted)
    return doubt('free space', `${words}, less than disk.minFree (${bytesText(wanted)}): no backup is made`, 'free some space');
  if (bytes < 2 * ledger)
    return doubt('free space', `${words}, and the ledger takes ${bytesText(ledger)}: a backup may not fit`, 'free some space');
  return good('free space', words);
}
