import { foldCase } from './text.ts';

/** Says whether a text, already folded by `foldCase`, matches as a whole. */
export type Glob = (folded: string) => boolean;

/**
 * Compiles a glob in which `*` stands for any run of characters and `?` for exactly one; everything else stands for itself,
 * without case and in Unicode NFC. The whole text must match. The time to match grows with the length of the text, whatever
 * the pattern: nothing is ever tried twice.
 */
export function compileGlob(pattern: string): Glob {
  const pieces = foldCase(pattern).split(/\*+/);
  const [head = '', ...rest] = pieces;
  const tail = rest.pop();
  if (tail === undefined) return (text) => text.length === head.length && standsAt(head, text, 0);
  const inner = rest.filter((piece) => piece !== '').map((piece) => ({ length: piece.length, find: finder(piece) }));
  const least = head.length + tail.length + inner.reduce((sum, piece) => sum + piece.length, 0);
  return (text) => {
    if (text.length < least) return false;
    const tailAt = text.length - tail.length;
    if (!standsAt(head, text, 0) || !standsAt(tail, text, tailAt)) return false;
    // The first place where a piece fits leaves the most room for those after it, so going back is never needed.
    let at = head.length;
    for (const piece of inner) {
      const found = piece.find(text, at);
      if (found < 0) return false;
      at = found + piece.length;
      if (at > tailAt) return false;
    }
    return true;
  };
}

/** Whether any of several globs matches. */
export function compileGlobs(patterns: readonly string[]): Glob {
  const globs = patterns.map(compileGlob);
  const [only] = globs;
  if (globs.length === 1 && only) return only;
  return (text) => {
    for (const glob of globs) if (glob(text)) return true;
    return false;
  };
}

function standsAt(piece: string, text: string, at: number): boolean {
  for (let i = 0; i < piece.length; i++) {
    const wanted = piece.charCodeAt(i);
    if (wanted !== QUESTION_MARK && wanted !== text.charCodeAt(at + i)) return false;
  }
  return true;
}

const QUESTION_MARK = 0x3f;

/** Finds the first place at or after `from` where a piece stands, or -1. */
type Finder = (text: string, from: number) => number;

function finder(piece: string): Finder {
  return piece.includes('?') ? shiftAnd(piece) : (text, from) => text.indexOf(piece, from);
}

/**
 * Baeza-Yates and Gonnet's shift-and search: bit i of the state says that the piece's first i+1 characters stand right before
 * here, so that a piece with `?` is found in one pass over the text.
 */
function shiftAnd(piece: string): Finder {
  if (piece.length > 32) return longShiftAnd(piece);
  const { masks, rows, asciiRows } = masksOf(piece, 1);
  const lastBit = 1 << (piece.length - 1);
  return (text, from) => {
    const { length } = text;
    let state = 0;
    for (let at = from; at < length; at++) {
      const code = text.charCodeAt(at);
      const row = code < 128 ? (asciiRows[code] as number) : (rows.get(code) ?? 0);
      state = ((state << 1) | 1) & (masks[row] as number);
      if (state & lastBit) return at - piece.length + 1;
    }
    return -1;
  };
}

/** The same with a state of several machine words. */
function longShiftAnd(piece: string): Finder {
  const words = Math.ceil(piece.length / 32);
  const { masks, rows } = masksOf(piece, words);
  const lastBit = 1 << ((piece.length - 1) & 31);
  return (text, from) => {
    const state = new Int32Array(words);
    for (let at = from; at < text.length; at++) {
      const row = (rows.get(text.charCodeAt(at)) ?? 0) * words;
      let carry = 1;
      let word = 0;
      for (let w = 0; w < words; w++) {
        const before = state[w] as number;
        word = ((before << 1) | carry) & (masks[row + w] as number);
        state[w] = word;
        carry = before >>> 31;
      }
      if (word & lastBit) return at - piece.length + 1;
    }
    return -1;
  };
}

interface Masks {
  /** For each different character of the piece a row of bits: the places where it may stand. Row 0 is for all other characters. */
  readonly masks: Int32Array;
  readonly rows: ReadonlyMap<number, number>;
  readonly asciiRows: Uint8Array;
}

function masksOf(piece: string, words: number): Masks {
  const codes = [...new Set(Array.from({ length: piece.length }, (_, i) => piece.charCodeAt(i)))].filter(
    (code) => code !== QUESTION_MARK,
  );
  const masks = new Int32Array((codes.length + 1) * words);
  for (const [row, code] of [undefined, ...codes].entries()) {
    for (let i = 0; i < piece.length; i++) {
      const wanted = piece.charCodeAt(i);
      if (wanted !== QUESTION_MARK && wanted !== code) continue;
      const word = row * words + (i >> 5);
      masks[word] = (masks[word] as number) | (1 << (i & 31));
    }
  }
  const rows = new Map(codes.map((code, index) => [code, index + 1]));
  return { masks, rows, asciiRows: Uint8Array.from({ length: 128 }, (_, code) => rows.get(code) ?? 0) };
}
