import { Cut } from './cut.ts';
import { CLOSE_LIST, COMMA, pastSpace } from './json-bytes.ts';
import { Lookup } from './lookup.ts';
import { ENTRY_BYTES_MAX, NewEntries } from './new-entries.ts';

/** A list that is longer is read whole: no market is, and what is kept of each entry adds up. */
const ENTRIES_MAX = 200_000;

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
  readonly #new = new NewEntries();
  readonly #prepare: (entry: unknown) => void;
  /** The entry of the former answer that is expected next. */
  #expected = 0;
  #at: number;
  /** What may stand there. */
  #awaited: 'entry or end' | 'entry' | 'comma or end' = 'entry or end';

  /** The list's first entry begins at `at` or after it. */
  constructor(at: number, former: Cut, prepare: (entry: unknown) => void) {
    this.cut = new Cut(former.bytes.subarray(0, 0), former.count + (former.count >> 4));
    this.#at = at;
    this.#former = former;
    this.#lookup = new Lookup(former);
    this.#prepare = prepare;
  }

  /** The byte after the last entry that is there whole; where the list begins while there is none. */
  get end(): number {
    const { cut } = this;
    return cut.count === 0 ? this.#at : cut.endOf(cut.count - 1);
  }

  /**
   * Reads on in an answer of which so many bytes are there. All entries that are there whole have been handed to `prepare` and stand
   * in the cut then. Throws what JSON.parse throws, after which it must not be asked again.
   */
  readOn(bytes: Buffer): Reached {
    this.cut.bytes = bytes;
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
    this.cut.take(this.#former, from, count, start);
    this.#expected = from + count;
    this.#lookup.found();
    return true;
  }

  #takeNew(start: number): boolean {
    const { bytes, count } = this.cut;
    const end = this.#new.read(bytes, start, this.cut.endOf(count - 1));
    if (end < 0) return false;
    this.#prepare(this.#new.entry);
    this.cut.add(start, end, this.#new.entry);
    // An edit stands where the entry stood before; anything else stands beside it.
    if (this.#lookup.isEdit(this.#expected, bytes, start)) this.#expected++;
    else this.#lookup.missed();
    return true;
  }
}
