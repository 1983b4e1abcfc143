import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Secret } from '../domain/secret.ts';
import { printable } from '../domain/text.ts';
import { codeOf } from '../ledger/failure.ts';
import { nameForGood } from '../ledger/folder.ts';
import { CommandFailure, exits } from './exit.ts';

/** Room for a key, held before anybody is asked for one: whoever shows a key once must not meet a full or closed disk. */
export interface KeyFile {
  /** Writes `NAME=KEY` for good (0600, synced) and gives the file its name; returns where it is. A file of that name is never overwritten: the new one goes beside it. */
  keep(variable: string, key: Secret): string;
  /** Gives the room back, where no key came. */
  release(): void;
}

/** Larger than any key with its name: what is written later takes blocks that are there. */
const ROOM_BYTES = 4_096;

/** Holds room for a key under a temporary name beside `path`. Throws CommandFailure where nothing can be written there. */
export function roomForKey(path: string, give: typeof nameForGood = nameForGood): KeyFile {
  const part = `${path}.${process.pid}.part`;
  let file: number | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    file = openSync(part, 'wx', 0o600);
    writeFileSync(file, '#'.repeat(ROOM_BYTES));
    fsyncSync(file);
  } catch (error) {
    if (file !== undefined) closeSync(file);
    if (file !== undefined) rmSync(part, { force: true });
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(
      exits.failed,
      `Nothing was sent: a key is shown once, and there is no room to keep it: ${printable(why, 500)}. → --key-file FILE names another place`,
    );
  }
  closeSync(file);
  let hasKey = false;
  return {
    keep: (variable, key) => {
      hasKey = true;
      try {
        rewrite(part, `${variable}=${key.reveal()}\n`);
        const kept = named(part, path, give);
        rmSync(part, { force: true });
        return kept;
      } catch (error) {
        throw notNamed(part, path, error);
      }
    },
    // The only copy of a key is nothing to tidy up.
    release: () => {
      if (!hasKey) rmSync(part, { force: true });
    },
  };
}

function notNamed(part: string, path: string, error: unknown): CommandFailure {
  const [why, where] = [error instanceof Error ? error.message : String(error), printable(part, 500)];
  const next = 'move what is there to a safe place: the service does not show the key again';
  return new CommandFailure(
    exits.failed,
    `The key was made, and could not be kept as it should: ${printable(why, 500)}. It is in ${where} or in ${printable(path, 500)}. → ${next}`,
  );
}

/** In place, so that it needs no room that may be gone by now; what is left of the room is cut off last. */
function rewrite(part: string, text: string): void {
  const file = openSync(part, 'r+', 0o600);
  try {
    writeFileSync(file, text.padEnd(ROOM_BYTES, '\n'));
    fsyncSync(file);
    ftruncateSync(file, Buffer.byteLength(text));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Under the name itself, or under the first of `NAME.2`, `NAME.3`… that is free. */
function named(part: string, path: string, give: typeof nameForGood): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? path : `${path}.${count}`;
    try {
      give(part, name);
      return name;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}
