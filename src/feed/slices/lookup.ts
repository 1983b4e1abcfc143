import type { Cut } from './cut.ts';
import { sameBytes } from './json-bytes.ts';

/** The first bytes of an entry, which hold its ids: enough to guess by which entry it is. */
const HINT_BYTES = 64;

/** New entries in a row, none an edit in its old place, before the former answer is searched; from then on it is. */
const LOST_AFTER = 8;

/** Searches in a row without a find before most entries are taken for new without one. */
const HOPELESS_AFTER = 64;
const SEARCHED_WHEN_HOPELESS = 16;

/**
 * Guesses where in the former answer an entry stood. Every guess is compared byte for byte before it counts, so a wrong one costs
 * time alone.
 */
export class Lookup {
  readonly #former: Cut;
  #places: Map<string, number> | undefined;
  #missed = 0;

  constructor(former: Cut) {
    this.#former = former;
  }

  /** What comes has nothing to do with what stood here before. */
  get isLost(): boolean {
    return this.#places !== undefined || this.#missed >= LOST_AFTER;
  }

  /** Where the entry that begins at `at` may have stood. */
  find(bytes: Buffer, at: number): number | undefined {
    if (!this.isLost || this.#former.count === 0) return undefined;
    if (this.#missed > HOPELESS_AFTER && this.#missed % SEARCHED_WHEN_HOPELESS !== 0) return undefined;
    this.#places ??= this.#placesByHint();
    return this.#places.get(hint(bytes, at));
  }

  /** Whether the entry that begins at `at` begins as one of the former answer did. */
  isEdit(index: number, bytes: Buffer, at: number): boolean {
    const start = this.#former.starts[index];
    return start !== undefined && sameBytes(this.#former.bytes, start, bytes, at, HINT_BYTES);
  }

  found(): void {
    this.#missed = 0;
  }

  missed(): void {
    this.#missed++;
  }

  #placesByHint(): Map<string, number> {
    const places = new Map<string, number>();
    const { bytes, starts } = this.#former;
    for (let index = 0; index < starts.length; index++) places.set(hint(bytes, starts[index] ?? 0), index);
    return places;
  }
}

function hint(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, Math.min(at + HINT_BYTES, bytes.length));
}
