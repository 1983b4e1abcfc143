import { Cut } from './cut.ts';
import { CLOSE_LIST, COMMA, endOfValue, pastSpace } from './json-bytes.ts';
import { Lookup } from './lookup.ts';

/** A list that is longer is read whole: no market is, and what is kept of each entry adds up. */
const ENTRIES_MAX = 200_000;

/** An entry that is longer is unusual; listings are a hundred times shorter. */
const ENTRY_BYTES_MAX = 65_536;

/** How many new entries that stand in a row are parsed in one go. */
const PARSED_AT_ONCE = 32;

/** How many entries may have gone in one place without being looked for. */
const GONE_IN_A_ROW = 4;

/**
 * Cuts the list of an answer into its entries. What stands in the former answer byte for byte is taken over from there, the same
 * object; only the rest is parsed. Which entry is compared with which only decides how fast that goes.
 */
export class Cutter {
  readonly cut: Cut;
  readonly #former: Cut;
  readonly #lookup: Lookup;
  readonly #prepare: (entry: unknown) => void;
  /** The entry of the former answer that is expected next. */
  #expected = 0;

  constructor(bytes: Buffer, former: Cut, prepare: (entry: unknown) => void) {
    this.cut = new Cut(bytes);
    this.#former = former;
    this.#lookup = new Lookup(former);
    this.#prepare = prepare;
  }

  /**
   * Reads the list whose first entry begins at `at` or after it. Returns where its closing bracket stands; undefined when it does
   * not end, or is unusual. Throws what JSON.parse throws.
   */
  read(at: number): number | undefined {
    const { bytes } = this.cut;
    let start = pastSpace(bytes, at);
    if (bytes[start] === CLOSE_LIST) return start;
    for (;;) {
      if (!this.#takeKnown(start) && !this.#takeNew(start)) return undefined;
      const next = pastSpace(bytes, this.cut.ends.at(-1) ?? 0);
      if (bytes[next] === CLOSE_LIST) {
        this.#parsePending();
        return next;
      }
      if (bytes[next] !== COMMA || this.cut.count >= ENTRIES_MAX) return undefined;
      start = pastSpace(bytes, next + 1);
    }
  }

  #takeKnown(start: number): boolean {
    const { bytes } = this.cut;
    const reach = this.#lookup.isLost ? 0 : GONE_IN_A_ROW;
    for (let gone = 0; gone <= reach; gone++) if (this.#takeFrom(this.#expected + gone, bytes, start)) return true;
    const elsewhere = this.#lookup.find(bytes, start);
    return elsewhere !== undefined && this.#takeFrom(elsewhere, bytes, start);
  }

  #takeFrom(from: number, bytes: Buffer, start: number): boolean {
    const count = this.#former.run(from, bytes, start);
    if (count === 0) return false;
    this.#parsePending();
    this.cut.take(this.#former, from, count, start);
    this.#expected = from + count;
    this.#lookup.found();
    return true;
  }

  #takeNew(start: number): boolean {
    const { bytes, starts, ends, entries } = this.cut;
    const end = endOfValue(bytes, start);
    if (end < 0 || end - start > ENTRY_BYTES_MAX) return false;
    starts.push(start);
    ends.push(end);
    // An edit stands where the entry stood before; anything else stands beside it.
    if (this.#lookup.isEdit(this.#expected, bytes, start)) this.#expected++;
    else this.#lookup.missed();
    if (starts.length - entries.length >= PARSED_AT_ONCE) this.#parsePending();
    return true;
  }

  /** Parses the entries that were cut but not read yet. What JSON.parse accepts as a list was cut where its entries end. */
  #parsePending(): void {
    const { bytes, starts, ends, entries } = this.cut;
    const count = starts.length - entries.length;
    if (count === 0) return;
    const text = bytes.toString('utf8', starts[entries.length], ends.at(-1));
    const parsed = JSON.parse(`[${text}]`) as unknown[];
    if (parsed.length !== count) throw new SyntaxError('an entry was cut where it does not end');
    for (const entry of parsed) {
      this.#prepare(entry);
      entries.push(entry);
    }
  }
}
