import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { TapeDamaged } from '../damage.ts';
import type { Built } from './build.ts';
import { type Layout, encodeColumn } from './columns.ts';

/** Texts in one piece: enough alike to become small, few enough to be read in a moment. */
export const TEXTS_IN_PIECE = 64;

/** In pieces of what is Node's default it takes three times as long. */
const INFLATED_AT_ONCE = 65_536;

/** A part of a segment as it lies in the file. */
export interface Piece {
  readonly data: Uint8Array;
  readonly crc: number;
}

/** What the pieces of a segment are: first one for each column, then the words, then the texts. */
export interface SegmentShape {
  readonly columns: readonly Layout[];
  readonly texts: number;
}

/** The pieces of a segment, one after the other, and its shape at the end: each is made only when it is asked for. */
export function* piecesOf({ columns, words, texts }: Built): Generator<Piece, SegmentShape> {
  const layouts: Layout[] = [];
  for (const [name, values] of columns) {
    const { layout, bytes } = encodeColumn(name, values);
    layouts.push(layout);
    yield piece(bytes);
  }
  yield piece(packed(words));
  for (let at = 0; at < texts.length; at += TEXTS_IN_PIECE) yield piece(packed(texts.slice(at, at + TEXTS_IN_PIECE)));
  return { columns: layouts, texts: texts.length };
}

export function textsOf(data: Uint8Array): readonly string[] {
  return JSON.parse(inflated(data).toString()) as readonly string[];
}

/** Throws TapeDamaged where a piece is not as it was written. */
export function checked({ data, crc }: Piece, what: string): Uint8Array {
  if (crc32(data) === crc) return data;
  throw new TapeDamaged(`${what} is not as it was written`);
}

function piece(data: Uint8Array): Piece {
  return { data, crc: crc32(data) };
}

function packed(value: unknown): Uint8Array {
  return deflateRawSync(JSON.stringify(value));
}

export function inflated(data: Uint8Array): Buffer {
  return inflateRawSync(data, { chunkSize: INFLATED_AT_ONCE });
}
