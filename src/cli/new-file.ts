import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../ledger/failure.ts';
import { nameForGood, statOf, syncFolder } from '../ledger/folder.ts';
import { CommandFailure, exits } from './exit.ts';

/** Under its name only once it is whole and on the disk. */
export function toNewFile<T>(path: string, fill: (write: (text: string) => void) => T): T {
  const part = partOf(path);
  return making(path, part, () => {
    const result = written(part, (file) => fill((text) => writeAll(file, Buffer.from(text, 'utf8'))));
    nameForGood(part, path);
    return result;
  });
}

/** A folder of files that only its owner can read; under its name only once all of them are whole and on the disk. */
export function toNewFolder<T>(path: string, fill: (write: (name: string, bytes: Uint8Array) => void) => T): T {
  const part = partOf(path);
  return making(path, part, () => {
    mkdirSync(part, { mode: 0o700 });
    const result = fill((name, bytes) => written(join(part, name), (file) => writeAll(file, bytes)));
    syncFolder(part);
    if (statOf(path) !== undefined) throw isThere(path);
    renameSync(part, path);
    syncFolder(dirname(path));
    return result;
  });
}

const partOf = (path: string): string => `${path}.${process.pid}.part`;

/** What cannot be made whole is not left behind. */
function making<T>(path: string, part: string, make: () => T): T {
  try {
    if (statOf(path) !== undefined) throw isThere(path);
    return make();
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw isThere(path);
    if (codeOf(error) === '') throw error;
    throw new CommandFailure(exits.failed, `Nothing was written: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

function written<T>(path: string, fill: (file: number) => T): T {
  const file = openSync(path, 'wx', 0o600);
  try {
    const result = fill(file);
    fsyncSync(file);
    return result;
  } finally {
    closeSync(file);
  }
}

/** The system may take less at once than it is given. */
function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}

export function isThere(path: string): CommandFailure {
  return new CommandFailure(exits.wrong, `Nothing was written: ${path} is there already, and nothing is ever overwritten.`);
}
