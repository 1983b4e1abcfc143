import { isAscii } from 'node:buffer';
import { CLOSE_OBJECT, OPEN_OBJECT, endOfValue } from './json-bytes.ts';

/** An entry that is longer is unusual; listings are a hundred times shorter. */
export const ENTRY_BYTES_MAX = 65_536;

/** So much is decoded at first, and so much at the most where one new entry follows the other. */
const WINDOW_LEAST = 1_024;
const WINDOW_MOST = 65_536;

/** What stands between the beginnings of two entries' first values is a dozen bytes, with white space a few more. */
const BOUNDARY_BYTES_MAX = 64;

/** Wrong guesses in one answer, after which none are made: each costs more than it saves. */
const WRONG_MAX = 16;

const COLON = ':';

/**
 * Reads the entries of an answer that were not there before. Where one ends is guessed by what stood before the first value of another,
 * `},{"itemId":`, which is found many times faster than all that is in an entry is looked through. A guess counts where JSON.parse finds
 * an object in just these bytes: then it ends there, whatever follows.
 */
export class NewEntries {
  /** The one that was read last. */
  entry: unknown;
  #bytes: Buffer = Buffer.alloc(0);
  /** Bytes from `#from` on, each a character. */
  #text = '';
  #from = 0;
  #window = WINDOW_LEAST;
  #boundary: string | undefined;
  #wrong = 0;

  /**
   * Reads the entry that begins at `start`, behind another that ended at `before`; returns the byte after it. -1: it is not there
   * whole, or too long. Throws what JSON.parse throws.
   */
  read(bytes: Buffer, start: number, before: number): number {
    this.#bytes = bytes;
    const guess = bytes[start] === OPEN_OBJECT && this.#wrong < WRONG_MAX ? this.#guess(start, before) : -1;
    if (guess >= 0 && this.#isEntry(start, guess)) return guess;
    const end = endOfValue(bytes, start);
    if (end < 0 || end - start > ENTRY_BYTES_MAX) return -1;
    this.entry = JSON.parse(this.#textOf(start, end));
    return end;
  }

  #isEntry(start: number, end: number): boolean {
    try {
      this.entry = JSON.parse(this.#textOf(start, end));
      return true;
    } catch {
      this.#wrong++;
      this.#boundary = undefined;
      return false;
    }
  }

  #guess(start: number, before: number): number {
    this.#boundary ??= this.#boundaryAt(start, before);
    if (this.#boundary === undefined) return -1;
    if (!this.#holds(start)) this.#decode(start);
    for (;;) {
      const at = this.#text.indexOf(this.#boundary, start - this.#from);
      if (at >= 0) return this.#from + at + 1;
      const end = this.#from + this.#text.length;
      if (end === this.#bytes.length || end - start >= WINDOW_MOST) return -1;
      this.#decode(start);
    }
  }

  /** What stands from the end of the entry before to this one's first value. */
  #boundaryAt(start: number, before: number): string | undefined {
    const most = Math.min(before - 1 + BOUNDARY_BYTES_MAX, this.#bytes.length);
    if (before < 1 || this.#bytes[before - 1] !== CLOSE_OBJECT || start >= most) return undefined;
    const text = this.#bytes.toString('latin1', before - 1, most);
    const colon = text.indexOf(COLON, start - before + 1);
    return colon < 0 ? undefined : text.slice(0, colon + 1);
  }

  #holds(at: number): boolean {
    return at >= this.#from && at < this.#from + this.#text.length;
  }

  /** More at a time where one new entry follows the other. */
  #decode(start: number): void {
    const follows = start >= this.#from && start - this.#from <= this.#text.length;
    this.#window = follows ? Math.min(2 * this.#window, WINDOW_MOST) : WINDOW_LEAST;
    this.#from = start;
    this.#text = this.#bytes.toString('latin1', start, Math.min(start + this.#window, this.#bytes.length));
  }

  #textOf(start: number, end: number): string {
    if (!isAscii(this.#bytes.subarray(start, end))) return this.#bytes.toString('utf8', start, end);
    const from = start - this.#from;
    if (from < 0 || end - this.#from > this.#text.length) return this.#bytes.toString('latin1', start, end);
    return this.#text.slice(from, end - this.#from);
  }
}
