import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../domain/random.ts';
import { Secret } from '../domain/secret.ts';
import { prepareFolder } from '../ledger/folder.ts';

/** Where the token of a page without one of its own is kept, in the data folder. */
export const TOKEN_FILE = 'magpie.web-token';

const PIECES = 4;
const PIECE_BITS = 48;

/**
 * The token of a page for which none is configured: made once, and kept for its owner alone beside the ledger. One that others could
 * read, or that is none, is made anew. Throws what the system says where it cannot be kept.
 */
export function ownToken(folder: string, random: Random): Secret {
  const fault = prepareFolder(folder);
  if (fault !== undefined) throw new Error(fault.message);
  const path = join(folder, TOKEN_FILE);
  const kept = keptIn(path);
  if (kept !== undefined) return new Secret(kept);
  const piece = (): string =>
    Math.floor(random.next() * 2 ** PIECE_BITS)
      .toString(16)
      .padStart(PIECE_BITS / 4, '0');
  const token = Array.from({ length: PIECES }, piece).join('');
  const unfinished = `${path}.new`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, `${token}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(unfinished, path);
  return new Secret(token);
}

function keptIn(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile() || (stats.mode & 0o077) !== 0) return undefined;
  const text = readFileSync(path, 'utf8').trim();
  return /^[0-9a-f]{48}$/.test(text) ? text : undefined;
}
