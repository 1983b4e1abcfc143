import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Found, KeptTransfer, TransferAnswer, TransferKeys } from './kept.ts';

interface Row {
  readonly kept: KeptTransfer;
  readonly answer?: TransferAnswer | undefined;
}

/**
 * Keeps transfers in a folder of their own (0700), a file each (0600), synced with the folder's names before `keep` returns. The folder is
 * made when the first is kept; the one above it must be there. Throws what the file system says.
 */
export function transferKeysIn(folder: string): TransferKeys {
  return new TransferFolder(folder);
}

class TransferFolder implements TransferKeys {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  keep(kept: KeptTransfer): Found {
    makeFolder(this.#folder);
    const path = this.#pathOf(kept.purpose);
    const part = this.#written(path, { kept });
    try {
      // Never over one that is there: a rename would be, a link is not.
      linkSync(part, path);
      syncNames(this.#folder);
      return { kept, isNew: true };
    } catch (error) {
      if (!isThere(error)) throw error;
      // Another process may have given it its name and not yet made sure of it.
      syncNames(this.#folder);
      return { ...this.#read(path), isNew: false };
    } finally {
      rmSync(part, { force: true });
    }
  }

  done(purpose: string, answer: TransferAnswer): void {
    const path = this.#pathOf(purpose);
    renameSync(this.#written(path, { kept: this.#read(path).kept, answer }), path);
    syncNames(this.#folder);
  }

  release(purpose: string): void {
    rmSync(this.#pathOf(purpose), { force: true });
    syncNames(this.#folder);
  }

  #pathOf(purpose: string): string {
    return join(this.#folder, `${createHash('sha256').update(purpose).digest('hex').slice(0, 40)}.json`);
  }

  #written(path: string, row: Row): string {
    const part = `${path}.part-${process.pid}`;
    rmSync(part, { force: true });
    const descriptor = openSync(part, 'wx', 0o600);
    try {
      writeFileSync(descriptor, `${JSON.stringify(row, null, 2)}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return part;
  }

  #read(path: string): Row {
    const text = readFileSync(path, 'utf8');
    try {
      return JSON.parse(text) as Row;
    } catch (error) {
      throw new Error(`${path}: it is no JSON; move it away once you know whether its transfer was made`, { cause: error });
    }
  }
}

/** A link is refused: what it points to may be changed by somebody else. */
function makeFolder(folder: string): void {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) mkdirSync(folder, { mode: 0o700 });
  else if (!stats.isDirectory()) throw new Error(`${folder}: it must be a folder, and no link to one`);
  syncNames(join(folder, '..'));
}

/** Makes sure that the names in a folder survive a power cut. */
function syncNames(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function isThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}
