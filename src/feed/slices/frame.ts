import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  endOfString,
  endOfValue,
  pastSpace,
} from './json-bytes.ts';

/** The names that lead to the list. */
const WAY = ['data', 'listings'] as const;

/** Members of one object; no answer has a tenth of it. */
const NAMES_MAX = 100;

const BACKSLASH = '\\';

const NOTHING = Buffer.alloc(0);

/** What closes everything that is open where the list's entries stand. */
export const CLOSING = ']}}';

/**
 * What stands around the list of an answer: `{"requestId":…,"success":true,"data":{"listings":[` before it, `],"listingsCount":…}}`
 * after it, with any other members, in any order. A name that stands twice, or that is written with an escape, is unusual: then
 * nothing here vouches for where the list is.
 */
export class Frame {
  #bytes: Buffer = NOTHING;
  /** Names seen so far in each object that is open. */
  #names: Set<string>[] = [];

  /**
   * The byte after the list's opening bracket; undefined when the answer does not begin as answers do, or has not come so far. Once
   * it is found, more bytes do not move it.
   */
  begin(bytes: Buffer): number | undefined {
    this.#bytes = bytes;
    this.#names = [];
    let at = pastSpace(this.#bytes, 0);
    for (const name of WAY) {
      if (this.#bytes[at] !== OPEN_OBJECT) return undefined;
      this.#names.push(new Set());
      const value = this.#valueOf(name, at + 1);
      if (value === undefined) return undefined;
      at = value;
    }
    return this.#bytes[at] === OPEN_LIST ? at + 1 : undefined;
  }

  /** Whether the answer goes on behind the list's closing bracket, which stands at `at`, and ends as answers do. Asked once. */
  ends(bytes: Buffer, at: number): boolean {
    this.#bytes = bytes;
    if (this.#bytes[at] !== CLOSE_LIST) return false;
    let next = pastSpace(this.#bytes, at + 1);
    while (this.#names.length > 0) {
      const end = this.#endOfObject(next);
      if (end === undefined) return false;
      this.#names.pop();
      next = pastSpace(this.#bytes, end);
    }
    return next === this.#bytes.length;
  }

  /** Where the value of the name begins, in the object whose members begin at `at`. */
  #valueOf(name: string, at: number): number | undefined {
    let next: number | undefined = pastSpace(this.#bytes, at);
    for (;;) {
      const member = this.#member(next);
      if (member === undefined || member.name === name) return member?.value;
      next = pastSpace(this.#bytes, endOfValue(this.#bytes, member.value));
      if (this.#bytes[next] !== COMMA) return undefined;
      next = pastSpace(this.#bytes, next + 1);
    }
  }

  /** The byte after the object's closing brace; `at` is what follows a member's value. */
  #endOfObject(at: number): number | undefined {
    let next = at;
    while (this.#bytes[next] === COMMA) {
      const member = this.#member(pastSpace(this.#bytes, next + 1));
      const end = member === undefined ? -1 : endOfValue(this.#bytes, member.value);
      if (end < 0) return undefined;
      next = pastSpace(this.#bytes, end);
    }
    return this.#bytes[next] === CLOSE_OBJECT ? next + 1 : undefined;
  }

  #member(at: number): { name: string; value: number } | undefined {
    if (this.#bytes[at] !== QUOTE) return undefined;
    const end = endOfString(this.#bytes, at);
    if (end < 0) return undefined;
    const name = this.#bytes.toString('latin1', at + 1, end - 1);
    const names = this.#names.at(-1);
    if (!names || names.size >= NAMES_MAX || names.has(name) || name.includes(BACKSLASH)) return undefined;
    names.add(name);
    const colon = pastSpace(this.#bytes, end);
    return this.#bytes[colon] === COLON ? { name, value: pastSpace(this.#bytes, colon + 1) } : undefined;
  }
}
