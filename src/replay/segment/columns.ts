/** Bytes that one value of a column takes; 0 where all are the same. */
export type Width = 0 | 1 | 2 | 4 | 8;

/** How the values of a column lie in its bytes: each is `base + scale × what lies there`, or itself where the width is 8. */
export interface Layout {
  readonly name: string;
  readonly width: Width;
  readonly base: number;
  readonly scale: number;
  readonly length: number;
}

export interface EncodedColumn {
  readonly layout: Layout;
  readonly bytes: Uint8Array;
}

/** The values of a column, as they lie in memory and one by one. */
export interface Column {
  readonly layout: Layout;
  /** What lies there; undefined where all values are the base. */
  readonly data: Uint8Array | Uint16Array | Uint32Array | Float64Array | undefined;
  at(index: number): number;
  /** Every value, for whoever goes through all of them; where `into` is given, there. */
  all(into?: Float64Array): Float64Array;
}

/** Room for the values of one segment after the other, by name: of a long recording it would be asked for anew by the gigabyte. */
export class Scratch {
  readonly #rooms = new Map<string, Float64Array>();

  /** What was there before under that name is not needed any more. */
  of(name: string, length: number): Float64Array {
    const known = this.#rooms.get(name);
    if (known !== undefined && known.length >= length) return known.subarray(0, length);
    const room = new Float64Array(length);
    this.#rooms.set(name, room);
    return room;
  }
}

/** Takes as few bytes as the values need: whole numbers by what they have in common, all others as they are. */
export function encodeColumn(name: string, values: readonly number[]): EncodedColumn {
  const { base, scale, most } = commonOf(values);
  const width = widthOf(most);
  const length = values.length;
  if (width === 8) return { layout: { name, width, base: 0, scale: 1, length }, bytes: bytesOf(Float64Array.from(values)) };
  const layout = { name, width, base, scale, length };
  if (width === 0) return { layout, bytes: new Uint8Array(0) };
  const short = values.map((value) => (value - base) / scale);
  const data = width === 1 ? Uint8Array.from(short) : width === 2 ? Uint16Array.from(short) : Uint32Array.from(short);
  return { layout, bytes: bytesOf(data) };
}

/** The column whose bytes begin at `offset`, a multiple of eight; nothing is copied. */
export function columnAt(layout: Layout, buffer: ArrayBufferLike, offset: number): Column {
  const { width, base, scale, length } = layout;
  switch (width) {
    case 0:
      return { layout, data: undefined, at: () => base, all: (into = new Float64Array(length)) => into.fill(base) };
    case 8: {
      const data = new Float64Array(buffer, offset, length);
      return { layout, data, at: (index) => data[index] ?? Number.NaN, all: (into) => copied(data, into) };
    }
    default: {
      const data =
        width === 1
          ? new Uint8Array(buffer, offset, length)
          : width === 2
            ? new Uint16Array(buffer, offset, length)
            : new Uint32Array(buffer, offset, length);
      const at = (index: number): number => base + scale * (data[index] ?? Number.NaN);
      return { layout, data, at, all: (into = new Float64Array(length)) => spread(data, { base, scale }, into) };
    }
  }
}

function copied(data: Float64Array, into: Float64Array | undefined): Float64Array {
  into?.set(data);
  return into ?? data;
}

function spread(data: ArrayLike<number>, { base, scale }: Pick<Layout, 'base' | 'scale'>, all: Float64Array): Float64Array {
  for (let index = 0; index < all.length; index++) all[index] = base + scale * (data[index] as number);
  return all;
}

function widthOf(most: number): Width {
  if (most === 0) return 0;
  if (most < 256) return 1;
  if (most < 65_536) return 2;
  return most < 2 ** 32 ? 4 : 8;
}

/** The least value, what all others are multiples of beyond it, and the largest multiple; Infinity where one is no whole number. */
function commonOf(values: readonly number[]): { base: number; scale: number; most: number } {
  let base = Number.POSITIVE_INFINITY;
  let top = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) return { base: 0, scale: 1, most: Number.POSITIVE_INFINITY };
    if (value < base) base = value;
    if (value > top) top = value;
  }
  if (values.length === 0) return { base: 0, scale: 1, most: 0 };
  let scale = 0;
  for (const value of values) scale = scale === 1 ? 1 : divisorOf(scale, value - base);
  return { base, scale: Math.max(1, scale), most: (top - base) / Math.max(1, scale) };
}

function divisorOf(a: number, b: number): number {
  let [large, small] = [a, b];
  while (small > 0) [large, small] = [small, large % small];
  return large;
}

function bytesOf(data: Uint8Array | Uint16Array | Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
