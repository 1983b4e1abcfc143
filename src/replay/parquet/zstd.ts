import { compress, decompress, init } from '@bokuweb/zstd-wasm';

/** What a page of a column is packed and unpacked with. */
export interface Zstd {
  compress(input: Uint8Array): Uint8Array;
  /** Throws a RangeError where the input says that it is longer than `length`, or is no Zstandard; an Error where it is garbled. */
  decompress(input: Uint8Array, length: number): Uint8Array;
}

/** As the command line of Zstandard has it by default. */
const LEVEL = 3;

/** Nothing that we write has a page so large. */
const PAGE_BYTES_MAX = 512 * 1024 * 1024;

let loading: Promise<void> | undefined;

/** The same bytes on every version of Node, of which only the newer ones have a Zstandard of their own. */
export async function loadZstd(): Promise<Zstd> {
  loading ??= init();
  await loading;
  return {
    compress: (input) => compress(input, LEVEL),
    decompress: (input, length) => {
      const told = contentBytes(input) ?? length;
      if (told > length || length > PAGE_BYTES_MAX) throw new RangeError(`a page unpacks to ${Math.max(told, length)} bytes`);
      return decompress(input, { defaultHeapSize: length });
    },
  };
}

/** As the head of a frame has it (RFC 8878, 3.1.1.1); undefined where it says nothing. Memory is taken by that, so it is not taken on trust. */
function contentBytes(frame: Uint8Array): number | undefined {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (view.getUint32(0, true) !== 0xfd2fb528) throw new RangeError('a page is no Zstandard');
  const descriptor = view.getUint8(4);
  const single = (descriptor & 0x20) !== 0;
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const at = 5 + (single ? 0 : 1) + dictionary;
  switch (descriptor >> 6) {
    case 0:
      return single ? view.getUint8(at) : undefined;
    case 1:
      return view.getUint16(at, true) + 256;
    case 2:
      return view.getUint32(at, true);
    default:
      return Number(view.getBigUint64(at, true));
  }
}
