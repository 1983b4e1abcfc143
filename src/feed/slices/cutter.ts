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

/** Where the list's closing bracket stands; or the bytes end before it; or it is unusual. */
export type Reached = number | 'more' | 'odd';

/**
 * Cuts the list of an answer into its entries, as its bytes arrive. What stands in the former answer byte for byte is taken over from
 * there, the same object; only the rest is parsed. Which entry is compared with which only decides how fast that goes.
 */
export class Cutter {
  readonly cut: Cut;
  readonly #former: Cut;
  readonly #lookup: Lookup;
  readonly #prepare: (entry: unknown) => void;
  /** The entry of the former answer that is expected next. */
  #expected = 0;
  #at: number;
  /** What may stand there. */
  #awaited: 'entry or end' | 'entry' | 'comma or end' = 'entry or end';

  /** The list's first entry begins at `at` or after it. */
  constructor(at: number, former: Cut, prepare: (entry: unknown) => void) {
    this.cut = new Cut(former.bytes.subarray(0, 0));
    this.#at = at;
    this.#former = former;
    this.#lookup = new Lookup(former);
    this.#prepare = prepare;
  }

  /** The byte after the last entry that is there whole; where the list begins while there is none. */
  get end(): number {
    return this.cut.ends.at(-1) ?? this.#at;
  }

  /**
   * Reads on in an answer of which so many bytes are there. All entries that are there whole have been handed to `prepare` and stand
   * in the cut then. Throws what JSON.parse throws, after which it must not be asked again.
   */
  readOn(bytes: Buffer): Reached {
    this.cut.bytes = bytes;
    const reached = this.#cutOn(bytes);
    this.#parsePending();
    return reached;
  }

  #cutOn(bytes: Buffer): Reached {
    for (;;) {
      const at = pastSpace(bytes, this.#at);
      const byte = bytes[at];
      if (byte === undefined) return 'more';
      if (this.#awaited !== 'entry' && byte === CLOSE_LIST) return at;
      if (this.#awaited === 'comma or end') {
        if (byte !== COMMA || this.cut.count >= ENTRIES_MAX) return 'odd';
        this.#at = at + 1;
        this.#awaited = 'entry';
      } else {
        // An entry that is not there whole is looked at again when there is more.
        if (!this.#takeKnown(at) && !this.#takeNew(at)) return bytes.length - at > ENTRY_BYTES_MAX ? 'odd' : 'more';
        this.#at = this.end;
        this.#awaited = 'comma or end';
      }
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
