export type Strict = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string };

/** Deeper than any answer of this service by far. */
const DEPTH_MAX = 32;

/**
 * JSON that can be read in one way only. Beyond what JSON.parse refuses: nesting deeper than 32, and a name that stands twice in one
 * object, of which JSON.parse silently keeps the last.
 */
export function parseStrictly(text: string): Strict {
  if (isDeep(text)) return { ok: false, why: `it is nested more than ${DEPTH_MAX} deep` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, why: 'it is not JSON, or cut off' };
  }
  return namesRepeat(text) ? { ok: false, why: 'a name stands twice in one object' } : { ok: true, value };
}

function isDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === '{' || character === '[') {
      if (++depth > DEPTH_MAX) return true;
    } else if (character === '}' || character === ']') depth--;
  }
  return false;
}

/** Expects text that JSON.parse has accepted. */
function namesRepeat(text: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{') open.push(new Set());
    else if (character === '[') open.push(undefined);
    else if (character === '}' || character === ']') open.pop();
    else if (character === '"') {
      const end = endOfString(text, at);
      const names = open.at(-1);
      if (names && isFollowedByColon(text, end)) {
        const name: unknown = JSON.parse(text.slice(at, end + 1));
        if (typeof name !== 'string' || names.has(name)) return true;
        names.add(name);
      }
      at = end;
    }
  }
  return false;
}

/** Index of the closing quote of the string that opens at `start`; the end of the text when it never closes. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '"') return at;
  }
  return text.length;
}

function isFollowedByColon(text: string, end: number): boolean {
  let at = end + 1;
  while (at < text.length && /\s/.test(text[at] ?? '')) at++;
  return text[at] === ':';
}
