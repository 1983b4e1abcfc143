import { NumberTable, hashOf } from './number-table.ts';

/** So many are counted exactly; of more, a part that is known is counted and scaled. */
const EXACT_MAX = 1_048_576;

/** Counts different numbers in bounded memory: exact up to a million, within a few thousandths beyond. The order in which they come makes no difference. */
export class Distinct {
  readonly #max: number;
  #kept = new NumberTable();
  /** Only numbers whose hash ends in zeros here are kept. */
  #mask = 0;

  constructor(max = EXACT_MAX) {
    this.#max = max;
  }

  get count(): number {
    return this.#kept.size * (this.#mask + 1);
  }

  add(number: number): void {
    if ((sliceOf(number) & this.#mask) !== 0 || this.#kept.placeOf(number) >= 0) return;
    this.#kept.add(number);
    while (this.#kept.size > this.#max) this.#halve();
  }

  #halve(): void {
    this.#mask = 2 * this.#mask + 1;
    const kept = new NumberTable();
    for (const [number] of this.#kept.entries()) if ((sliceOf(number) & this.#mask) === 0) kept.add(number);
    this.#kept = kept;
  }
}

/** Other bits than the table goes by, else what is kept would crowd in it. */
function sliceOf(number: number): number {
  return Math.imul(hashOf(number), 0x9e37_79b1) >>> 16;
}
