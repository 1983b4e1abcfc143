/** Where a number is looked for first. Its low bits depend on all bits of the number. */
export function hashOf(number: number): number {
  let hash = Math.imul((number | 0) ^ Math.imul((number / 4_294_967_296) | 0, 0x9e37_79b1), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const FIRST = 1_024;

/** Numbers with a place each, in flat memory: asked and changed by the hundred million. A place that was left is given anew. */
export class NumberTable {
  #keys = new Float64Array(FIRST);
  /** One more than the place; 0: free. */
  #places = new Int32Array(FIRST);
  readonly #left: number[] = [];
  #size = 0;
  #used = 0;

  get size(): number {
    return this.#size;
  }

  /** Places that were ever given: they lie below this. */
  get places(): number {
    return this.#used;
  }

  /** −1: it is not there. */
  placeOf(number: number): number {
    const [keys, places] = [this.#keys, this.#places];
    const mask = keys.length - 1;
    for (let slot = hashOf(number) & mask; ; slot = (slot + 1) & mask) {
      const place = places[slot] as number;
      if (place === 0) return -1;
      if (keys[slot] === number) return place - 1;
    }
  }

  /** One that is not there. */
  add(number: number): number {
    if (2 * (this.#size + 1) > this.#keys.length) this.#grow();
    const place = this.#left.pop() ?? this.#used++;
    this.#put(number, place + 1);
    this.#size += 1;
    return place;
  }

  /** Nothing where it is not there. */
  remove(number: number): void {
    const [keys, places] = [this.#keys, this.#places];
    const mask = keys.length - 1;
    let slot = hashOf(number) & mask;
    while (places[slot] !== 0 && keys[slot] !== number) slot = (slot + 1) & mask;
    const place = places[slot] as number;
    if (place === 0) return;
    this.#left.push(place - 1);
    this.#size -= 1;
    // What was put further because this slot was taken moves up.
    for (let next = (slot + 1) & mask; places[next] !== 0; next = (next + 1) & mask) {
      const home = hashOf(keys[next] as number) & mask;
      if (((next - home) & mask) < ((next - slot) & mask)) continue;
      keys[slot] = keys[next] as number;
      places[slot] = places[next] as number;
      slot = next;
    }
    places[slot] = 0;
  }

  *entries(): Generator<readonly [number: number, place: number]> {
    for (const [slot, place] of this.#places.entries()) if (place > 0) yield [this.#keys[slot] as number, place - 1];
  }

  #put(number: number, mark: number): void {
    const mask = this.#keys.length - 1;
    let slot = hashOf(number) & mask;
    while (this.#places[slot] !== 0) slot = (slot + 1) & mask;
    this.#keys[slot] = number;
    this.#places[slot] = mark;
  }

  #grow(): void {
    const [keys, places] = [this.#keys, this.#places];
    this.#keys = new Float64Array(2 * keys.length);
    this.#places = new Int32Array(2 * keys.length);
    for (const [slot, mark] of places.entries()) if (mark > 0) this.#put(keys[slot] as number, mark);
  }
}
