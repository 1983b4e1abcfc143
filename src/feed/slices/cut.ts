import { endsByItself, endsWord, sameBytes } from './json-bytes.ts';

/** Most entries that are not the one looked for differ in their ids, which stand first. */
const TRIED_FIRST = 64;

/** The entries of an answer's list, and where each of them stands in its bytes. */
export class Cut {
  /** Those that are there: while an answer arrives they become more. */
  bytes: Buffer;
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  /** In the list's order; what is read in one go with its neighbours joins when they do. */
  readonly entries: unknown[] = [];

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get count(): number {
    return this.starts.length;
  }

  /**
   * How many entries of this cut, from its `from`th on, stand in other bytes at `at`, with all that is between them.
   */
  run(from: number, bytes: Buffer, at: number): number {
    const found = this.#matching(from, bytes, at);
    if (found === 0) return 0;
    // An object, a list or a text ends by itself, so one that is there byte for byte is there whole. A bare word may go on.
    const last = from + found - 1;
    const end = at + (this.ends[last] ?? 0) - (this.starts[from] ?? 0);
    return endsByItself(this.bytes[this.starts[last] ?? 0]) || endsWord(bytes[end]) ? found : found - 1;
  }

  #matching(from: number, bytes: Buffer, at: number): number {
    const start = this.starts[from];
    if (start === undefined || !sameBytes(this.bytes, start, bytes, at, Math.min(TRIED_FIRST, (this.ends[from] ?? 0) - start)))
      return 0;
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
    const shift = at - (other.starts[from] ?? 0);
    for (let index = from; index < from + count; index++) {
      this.starts.push((other.starts[index] ?? 0) + shift);
      this.ends.push((other.ends[index] ?? 0) + shift);
      this.entries.push(other.entries[index]);
    }
  }

  #stand(from: number, found: number, count: number, bytes: Buffer, at: number): boolean {
    const origin = this.starts[from] ?? 0;
    const start = (found === 0 ? origin : this.ends[from + found - 1]) ?? 0;
    const end = this.ends[from + found + count - 1] ?? 0;
    const [first, last] = [at + start - origin, at + end - origin];
    return last <= bytes.length && bytes.compare(this.bytes, start, end, first, last) === 0;
  }
}
