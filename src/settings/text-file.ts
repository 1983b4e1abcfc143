import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import type { FileFault } from './file-fault.ts';

/** No configuration or strategy a person writes comes near this; what does is a bomb or another kind of file. */
const BYTES_MAX = 256 * 1024;

export type TextFile =
  | { readonly ok: true; readonly text: string; readonly mode: number }
  | { readonly ok: false; readonly fault: FileFault };

/** How a path is shown to a person: relative to the working folder when it lies below it. */
export function shownPath(path: string, cwd: string): string {
  const below = relative(cwd, path);
  return below === '' || below.startsWith('..') || isAbsolute(below) ? path : below;
}

/**
 * Reads a text file that a person wrote. Whatever is no whole, readable UTF-8 text of at most 256 KiB is a fault: a folder, a
 * device, binary data, a file that changed while it was being read. `mode` holds the permission bits.
 */
export function readTextFile(path: string, shown: string): TextFile {
  const broken = (message: string, suggestion?: string, line = 1, column = 1): TextFile => ({
    ok: false,
    fault: { file: shown, line, column, path: '', message, suggestion },
  });
  let read: ReturnType<typeof readWhole>;
  try {
    read = readWhole(path);
  } catch (error) {
    const { message, suggestion } = whyUnreadable(error, 'file');
    return broken(message, suggestion);
  }
  if (typeof read === 'string') return broken(read);
  const { bytes, mode } = read;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return broken('is UTF-16 text', 'save it as UTF-8');
  const good = decode(bytes);
  if (good.text === undefined) {
    const { line, column } = placeAfter(good.before);
    return broken('is not UTF-8 text', 'save it as UTF-8', line, column);
  }
  const nul = good.text.indexOf('\0');
  if (nul !== -1) {
    const { line, column } = placeAfter(good.text.slice(0, nul));
    return broken('holds a NUL character: it is no text file, or was damaged', undefined, line, column);
  }
  return { ok: true, text: good.text, mode };
}

/** The bytes of a regular file, or in words why it is not read. Throws what the file system throws. */
function readWhole(path: string): { bytes: Buffer; mode: number } | string {
  // Opening a FIFO would wait for its writer; what is no regular file is turned away by its kind.
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const before = fstatSync(handle, { bigint: true });
    if (!before.isFile()) return before.isDirectory() ? 'is a folder, not a file' : 'is not a regular file';
    if (before.size > BYTES_MAX) return `is larger than ${BYTES_MAX / 1024} KiB`;
    const bytes = readFileSync(handle);
    const after = fstatSync(handle, { bigint: true });
    // An editor that writes in place leaves a moment in which the file is shorter and still valid.
    if (after.mtimeNs !== before.mtimeNs || after.size !== before.size || BigInt(bytes.length) !== after.size) {
      return 'changed while it was being read; try again';
    }
    return { bytes, mode: Number(before.mode & 0o777n) };
  } finally {
    closeSync(handle);
  }
}

/** Why a file or folder could not be read, in words, from what the file system threw. */
export function whyUnreadable(error: unknown, what: 'file' | 'folder'): { message: string; suggestion: string | undefined } {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  const words = wordsOf(code, what);
  return { message: words, suggestion: stepOf(code, what) };
}

function stepOf(code: string, what: 'file' | 'folder'): string | undefined {
  if (code === 'EACCES' || code === 'EPERM') return 'check its owner and permissions';
  const isMissing = code === 'ENOENT' && what === 'file';
  return isMissing ? 'check the path: it is relative to the folder that you are in' : undefined;
}

function wordsOf(code: string, what: 'file' | 'folder'): string {
  switch (code) {
    case 'ENOENT':
      return `there is no such ${what}`;
    case 'EACCES':
    case 'EPERM':
      return 'may not be read by this user';
    case 'ELOOP':
      return 'is a link that leads nowhere';
    case 'EISDIR':
      return 'is a folder, not a file';
    case 'ENOTDIR':
      return what === 'folder' ? 'is not a folder' : 'there is no such file';
    default:
      return `cannot be read (${code})`;
  }
}

/** The text, without a byte order mark; or, when a byte is wrong, the good text before it. */
function decode(bytes: Buffer): { text: string } | { text: undefined; before: string } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { text: undefined, before: goodPrefix(bytes) };
  }
}

function goodPrefix(bytes: Buffer): string {
  let [good, bad] = [0, bytes.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (decodesSoFar(bytes.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  return new TextDecoder().decode(bytes.subarray(0, good), { stream: true });
}

function decodesSoFar(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Line and column, from 1, of what follows the given text. */
function placeAfter(text: string): { line: number; column: number } {
  const lines = text.split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** A warning when a text does not end with a line break: it may be the first part of a longer one that is still valid. */
export function cutShort(text: string, shown: string): FileFault[] {
  if (text === '' || text.endsWith('\n')) return [];
  const { line, column } = placeAfter(text);
  const message = 'does not end with a line break, so its end may have been cut off';
  return [{ file: shown, line, column, path: '', message, suggestion: 'look at its end, and add a line break' }];
}
