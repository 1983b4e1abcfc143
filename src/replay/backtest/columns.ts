const FIRST = 1_024;
const none = shared(0);

/** Numbers that are only ever added at the end, in memory that threads may share. */
export class Floats {
  #data = none;
  #length = 0;

  /** Numbers that lie somewhere already; nothing is copied. */
  static over(values: Float64Array<SharedArrayBuffer>): Floats {
    const floats = new Floats();
    [floats.#data, floats.#length] = [values, values.length];
    return floats;
  }

  get length(): number {
    return this.#length;
  }

  /** As they lie in memory. */
  get values(): Float64Array<SharedArrayBuffer> {
    return this.#data.subarray(0, this.#length);
  }

  push(value: number): number {
    if (this.#length === this.#data.length) {
      const larger = shared(Math.max(FIRST, this.#length * 2));
      larger.set(this.#data);
      this.#data = larger;
    }
    this.#data[this.#length] = value;
    return this.#length++;
  }

  /** The value at a place that there is. */
  at(index: number): number {
    return this.#data[index] as number;
  }

  set(index: number, value: number): void {
    this.#data[index] = value;
  }
}

/** How many of the first `length` values are at most `bound`; they must rise. */
export function countUpTo(values: { at(index: number): number; readonly length: number }, bound: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values.at(middle) <= bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

function shared(length: number): Float64Array<SharedArrayBuffer> {
  return new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT));
}
