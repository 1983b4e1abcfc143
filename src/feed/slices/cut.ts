import { endsByItself, endsWord, sameBytes } from './json-bytes.ts';

/** Most entries that are not the one looked for differ in their ids, which stand first. */
const TRIED_FIRST = 64;

const LEAST_ROOM = 256;

/** The entries of an answer's list, and where each of them stands in its bytes. */
export class Cut {
  /** Those that are there: while an answer arrives they become more. */
  bytes: Buffer;
  /** In the list's order. */
  readonly entries: unknown[] = [];
  #starts: Int32Array;
  #ends: Int32Array;

  /** With room for so many entries; more make it grow. */
  constructor(bytes: Buffer, room = 0) {
    this.bytes = bytes;
    this.#starts = new Int32Array(room);
    this.#ends = new Int32Array(room);
  }

  get count(): number {
    return this.entries.length;
  }

  /** The byte at which an entry begins; 0 where there is no such entry. */
  startOf(index: number): number {
    return this.#starts[index] ?? 0;
  }

  /** The byte after an entry; 0 where there is no such entry. */
  endOf(index: number): number {
    return this.#ends[index] ?? 0;
  }

  add(start: number, end: number, entry: unknown): void {
    this.#fit(this.count + 1);
    this.#starts[this.count] = start;
    this.#ends[this.count] = end;
    this.entries.push(entry);
  }

  /**
   * How many entries of this cut, from its `from`th on, stand in other bytes at `at`, with all that is between them.
   */
  run(from: number, bytes: Buffer, at: number): number {
    const found = this.#matching(from, bytes, at);
    if (found === 0) return 0;
    // An object, a list or a text ends by itself, so one that is there byte for byte is there whole. A bare word may go on.
    const last = from + found - 1;
    const end = at + this.endOf(last) - this.startOf(from);
    return endsByItself(this.bytes[this.startOf(last)]) || endsWord(bytes[end]) ? found : found - 1;
  }

  #matching(from: number, bytes: Buffer, at: number): number {
    if (from >= this.count) return 0;
    const start = this.startOf(from);
    if (!sameBytes(this.bytes, start, bytes, at, Math.min(TRIED_FIRST, this.endOf(from) - start))) return 0;
    let found = 0;
    let step = 1;
    let growing = true;
    while (from + found < this.count) {
      const take = Math.min(step, this.count - from - found);
      if (this.#stand(from, found, take, bytes, at)) {
        found += take;
        step = growing ? step * 2 : Math.max(1, step >> 1);
      } else if (take === 1) break;
      else {
        growing = false;
        step = take >> 1;
      }
    }
    return found;
  }

  /** Takes over `count` entries of another cut, which stand here at `at`. */
  take(other: Cut, from: number, count: number, at: number): void {
    const shift = at - other.startOf(from);
    this.#fit(this.count + count);
    for (let index = from; index < from + count; index++) {
      this.#starts[this.count] = other.startOf(index) + shift;
      this.#ends[this.count] = other.endOf(index) + shift;
      this.entries.push(other.entries[index]);
    }
  }

  #fit(count: number): void {
    if (count <= this.#starts.length) return;
    const room = Math.max(LEAST_ROOM, 2 * count);
    const [starts, ends] = [new Int32Array(room), new Int32Array(room)];
    starts.set(this.#starts);
    ends.set(this.#ends);
    [this.#starts, this.#ends] = [starts, ends];
  }

  #stand(from: number, found: number, count: number, bytes: Buffer, at: number): boolean {
    const origin = this.startOf(from);
    const start = found === 0 ? origin : this.endOf(from + found - 1);
    const end = this.endOf(from + found + count - 1);
    const [first, last] = [at + start - origin, at + end - origin];
    return last <= bytes.length && bytes.compare(this.bytes, start, end, first, last) === 0;
  }
}
