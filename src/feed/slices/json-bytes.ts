/*
 * Where the parts of a JSON text begin and end, told from its bytes. Of JSON these are always right; of anything else they say
 * something all the same, so whoever uses them has JSON.parse confirm what they found.
 */

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
const BACKSLASH = 0x5c;

/** The first byte at `at` or after it that is no white space of JSON's; the length where there is none. */
export function pastSpace(bytes: Buffer, at: number): number {
  let next = at;
  while (next < bytes.length && isSpace(bytes[next])) next++;
  return next;
}

/** The byte after the string that begins at `at`; -1 when it does not end. */
export function endOfString(bytes: Buffer, at: number): number {
  for (let next = at + 1; next < bytes.length; next++) {
    const byte = bytes[next];
    if (byte === QUOTE) return next + 1;
    if (byte === BACKSLASH) next++;
  }
  return -1;
}

/** The byte after the value that begins at `at`; -1 when it does not end, or nothing begins there. */
export function endOfValue(bytes: Buffer, at: number): number {
  const first = bytes[at];
  if (first === QUOTE) return endOfString(bytes, at);
  return first === OPEN_OBJECT || first === OPEN_LIST ? endOfHolder(bytes, at) : endOfWord(bytes, at);
}

function endOfHolder(bytes: Buffer, at: number): number {
  let depth = 0;
  for (let next = at; next < bytes.length; next++) {
    const byte = bytes[next];
    if (byte === QUOTE) {
      // Written out here: most bytes of an answer are read in this loop.
      for (next++; next < bytes.length && bytes[next] !== QUOTE; next++) if (bytes[next] === BACKSLASH) next++;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
    else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && --depth === 0) return next + 1;
  }
  return -1;
}

/** A number, `true`, `false` or `null`. */
function endOfWord(bytes: Buffer, at: number): number {
  let next = at;
  while (next < bytes.length && !endsWord(bytes[next])) next++;
  return next > at && next < bytes.length ? next : -1;
}

/** Whether a value that begins with this byte shows by itself where it ends. */
export function endsByItself(first: number | undefined): boolean {
  return first === QUOTE || first === OPEN_OBJECT || first === OPEN_LIST;
}

/** Whether a bare word ends before this byte. */
export function endsWord(byte: number | undefined): boolean {
  return byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT || isSpace(byte);
}

/** Whether so many bytes are the same, for few bytes: comparing them here is over before a call to native code has begun. */
export function sameBytes(a: Buffer, aAt: number, b: Buffer, bAt: number, count: number): boolean {
  for (let offset = 0; offset < count; offset++) if (a[aAt + offset] !== b[bAt + offset]) return false;
  return true;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
