import type { Cut } from './cut.ts';
import { sameBytes } from './json-bytes.ts';

/** The first bytes of an entry, which hold its ids: enough to guess by which entry it is. */
const HINT_BYTES = 64;

/**
 * New entries in a row, none an edit in its old place, before the former answer is searched; from then on it is. Where it is long, more:
 * to make it searchable costs as much as to parse a few hundredths of it.
 */
const LOST_AFTER = 8;
const LOST_AFTER_PART = 64;

/** Searches in a row without a find before most entries are taken for new without one. */
const HOPELESS_AFTER = 64;
const SEARCHED_WHEN_HOPELESS = 16;

/**
 * Guesses where in the former answer an entry stood. Every guess is compared byte for byte before it counts, so a wrong one costs
 * time alone.
 */
export class Lookup {
  readonly #former: Cut;
  readonly #lostAfter: number;
  #places: Places | undefined;
  #missed = 0;

  constructor(former: Cut) {
    this.#former = former;
    this.#lostAfter = Math.max(LOST_AFTER, former.count / LOST_AFTER_PART);
  }

  /** What comes has nothing to do with what stood here before. */
  get isLost(): boolean {
    return this.#places !== undefined || this.#missed >= this.#lostAfter;
  }

  /** Where the entry that begins at `at` may have stood. */
  find(bytes: Buffer, at: number): number | undefined {
    if (!this.isLost || this.#former.count === 0) return undefined;
    const hopeless = this.#missed - this.#lostAfter > HOPELESS_AFTER;
    if (hopeless && this.#missed % SEARCHED_WHEN_HOPELESS !== 0) return undefined;
    this.#places ??= new Places(this.#former);
    return this.#places.get(bytes, at);
  }

  /** Whether the entry that begins at `at` begins as one of the former answer did. */
  isEdit(index: number, bytes: Buffer, at: number): boolean {
    const { bytes: before, count } = this.#former;
    return index < count && sameBytes(before, this.#former.startOf(index), bytes, at, HINT_BYTES);
  }

  found(): void {
    this.#missed = 0;
  }

  missed(): void {
    this.#missed++;
  }
}

/** A place that is taken is passed over so many times; whoever finds none is not found by its beginning. */
const PROBES_MAX = 16;

/** The entries of a cut by how they begin: a hash of that, in a table that is at most half full. */
class Places {
  readonly #hashes: Int32Array;
  readonly #table: Int32Array;

  constructor(cut: Cut) {
    this.#hashes = new Int32Array(cut.count);
    this.#table = new Int32Array(2 ** Math.ceil(Math.log2(2 * cut.count + 1))).fill(-1);
    for (let index = 0; index < cut.count; index++) {
      const hash = hashAt(cut.bytes, cut.startOf(index));
      this.#hashes[index] = hash;
      const slot = this.#slotFor(hash);
      if (slot !== undefined) this.#table[slot] = index;
    }
  }

  get(bytes: Buffer, at: number): number | undefined {
    const slot = this.#slotFor(hashAt(bytes, at));
    const index = slot === undefined ? -1 : (this.#table[slot] ?? -1);
    return index < 0 ? undefined : index;
  }

  /** Where an entry of that hash stands, or may. */
  #slotFor(hash: number): number | undefined {
    for (let probe = 0; probe < PROBES_MAX; probe++) {
      const slot = (hash + probe) & (this.#table.length - 1);
      const index = this.#table[slot] ?? -1;
      if (index < 0 || this.#hashes[index] === hash) return slot;
    }
    return undefined;
  }
}

/** FNV-1a, with a last stir so that its low bits depend on all. */
function hashAt(bytes: Buffer, at: number): number {
  const end = Math.min(at + HINT_BYTES, bytes.length);
  let hash = 0x811c9dc5;
  for (let next = at; next < end; next++) hash = Math.imul(hash ^ (bytes[next] ?? 0), 0x01000193);
  return hash ^ (hash >>> 15);
}
