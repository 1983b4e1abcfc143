import { isUtf8 } from 'node:buffer';
import { Cut } from './cut.ts';
import { Cutter } from './cutter.ts';
import { Frame } from './frame.ts';

/** An answer of the live listings, as JSON.parse would give it. */
export interface SlicedAnswer {
  readonly value: unknown;
  /** The list in it, each entry of which is the very object that was handed on before if the service sent the same bytes again. */
  readonly listings: readonly unknown[];
}

const NOTHING = Buffer.alloc(0);

/** Room for that much is kept, however short the answers become. */
const ROOM_KEPT = 1024 * 1024;

/**
 * Reads answers of the live listings by what is different from the one before: most of each is what was there already. Whatever
 * it hands on equals what JSON.parse makes of the whole text; an answer of which it is not sure of that is left to JSON.parse.
 */
export class SliceReader {
  readonly #prepare: (entry: unknown) => void;
  #former = new Cut(NOTHING);
  /** What the former answer's bytes are in. */
  #room = NOTHING;
  /** For the next answer; the two change places when it has been read. */
  #spare = NOTHING;

  /** `prepare` is called once for each entry that was not there before. It may change the entry. */
  constructor(prepare: (entry: unknown) => void) {
    this.#prepare = prepare;
  }

  /** Reads the pieces of one answer; undefined when it has to be read whole. Never throws. */
  read(pieces: readonly Buffer[]): SlicedAnswer | undefined {
    const bytes = this.#joined(pieces);
    if (!isUtf8(bytes)) return undefined;
    try {
      return this.#answerIn(bytes);
    } catch {
      return undefined;
    }
  }

  #joined(pieces: readonly Buffer[]): Buffer {
    let length = 0;
    for (const piece of pieces) length += piece.length;
    const fits = this.#spare.length >= length && this.#spare.length <= 4 * length + ROOM_KEPT;
    if (!fits) this.#spare = Buffer.allocUnsafeSlow(length + (length >> 3));
    let at = 0;
    for (const piece of pieces) at += piece.copy(this.#spare, at);
    return this.#spare.subarray(0, length);
  }

  #answerIn(bytes: Buffer): SlicedAnswer | undefined {
    const frame = new Frame(bytes);
    const begin = frame.begin();
    if (begin === undefined) return undefined;
    const cutter = new Cutter(bytes, this.#former, this.#prepare);
    const end = cutter.read(begin);
    if (end === undefined || !frame.ends(end)) return undefined;
    // The frame is parsed with an empty list in it: with the entries between, every byte has then passed JSON.parse.
    const around = bytes.toString('utf8', 0, begin) + bytes.toString('utf8', end);
    const value = JSON.parse(around) as { readonly data: { listings: unknown } };
    const listings = [...cutter.cut.entries];
    value.data.listings = listings;
    this.#former = cutter.cut;
    [this.#room, this.#spare] = [this.#spare, this.#room];
    return { value, listings };
  }
}

/** What reads the answers of one gateway. */
export function slicesReader(prepare: (entry: unknown) => void): (pieces: readonly Buffer[]) => SlicedAnswer | undefined {
  const reader = new SliceReader(prepare);
  return (pieces) => reader.read(pieces);
}
