import { isUtf8 } from 'node:buffer';
import type { Cut } from './cut.ts';
import { Cutter, type Reached } from './cutter.ts';
import { CLOSING, Frame } from './frame.ts';

/** An answer of the live listings, as JSON.parse would give it. */
export interface SlicedAnswer {
  readonly value: unknown;
  /** The list in it, each entry of which is the very object that was handed on before if the service sent the same bytes again. */
  readonly listings: readonly unknown[];
}

/** The same of an answer as if it had been closed behind the last entry that has come whole. */
export interface SlicedPart extends SlicedAnswer {
  /** The byte after that entry. */
  readonly end: number;
}

/** An answer that has not come to its list by then is unusual; a tenth of it leads there. */
const FRAME_BYTES_MAX = 65_536;

const LEAST_ROOM = 65_536;

interface Holder {
  data: { listings: unknown };
}

export interface ArrivalOptions {
  /** The answer before. */
  readonly former: Cut;
  readonly prepare: (entry: unknown) => void;
  /** For the bytes. Nobody else writes there until `onEnd`. */
  readonly room: Buffer;
  /** Called once: with what is now the answer before, or undefined where there is none in this one; and with the room. */
  readonly onEnd: (cut: Cut | undefined, room: Buffer) => void;
}

/**
 * One answer while it arrives. What it hands on equals what JSON.parse makes of the same bytes; where it is not sure of that it hands
 * on nothing, and the answer is left to JSON.parse. Never throws.
 */
export class Arrival {
  readonly #options: ArrivalOptions;
  readonly #frame = new Frame();
  #room: Buffer;
  #length = 0;
  /** Where the list begins. */
  #begin: number | undefined;
  #cutter: Cutter | undefined;
  #reached: Reached = 'more';
  /** So many bytes, to the end of an entry, are UTF-8. */
  #sound = 0;
  #head: Holder | undefined;
  #over = false;

  constructor(options: ArrivalOptions) {
    this.#options = options;
    this.#room = options.room;
  }

  push(piece: Buffer): void {
    // What is unusual is read whole, from other bytes than these.
    if (this.#over || this.#reached === 'odd') return;
    const length = this.#length + piece.length;
    if (length > this.#room.length) this.#grow(length);
    piece.copy(this.#room, this.#length);
    this.#length = length;
  }

  /**
   * What the answer would be had it been closed behind the last entry that is there whole. Its list is the same one each time and grows.
   * undefined: its list has not begun, or it is unusual.
   */
  soFar(): SlicedPart | undefined {
    try {
      this.#readOn();
      const { listings, end } = this.#entries;
      if (listings === undefined || this.#reached === 'odd' || !this.#isSoundTo(end)) return undefined;
      return { value: this.#headWith(listings), listings, end };
    } catch {
      this.#reached = 'odd';
      return undefined;
    }
  }

  /** The whole answer, when all of it was pushed; undefined when it has to be read whole. */
  end(): SlicedAnswer | undefined {
    if (this.#over) return undefined;
    let answer: SlicedAnswer | undefined;
    try {
      answer = this.#whole();
    } catch {
      answer = undefined;
    }
    this.#finish(answer && this.#cutter?.cut);
    return answer;
  }

  /** The answer breaks off, or nobody wants it any more. */
  drop(): void {
    if (!this.#over) this.#finish(undefined);
  }

  #readOn(): void {
    if (this.#over || this.#reached !== 'more') return;
    const bytes = this.#room.subarray(0, this.#length);
    if (this.#begin === undefined) {
      this.#begin = this.#frame.begin(bytes);
      if (this.#begin === undefined) {
        if (this.#length > FRAME_BYTES_MAX) this.#reached = 'odd';
        return;
      }
      const { former, prepare } = this.#options;
      this.#cutter = new Cutter(this.#begin, former, prepare);
    }
    if (this.#cutter !== undefined) this.#reached = this.#cutter.readOn(bytes);
  }

  get #entries(): { readonly listings: readonly unknown[] | undefined; readonly end: number } {
    return { listings: this.#over ? undefined : this.#cutter?.cut.entries, end: this.#cutter?.end ?? 0 };
  }

  /** No character of UTF-8 is cut in two where an entry ends. */
  #isSoundTo(end: number): boolean {
    if (!isUtf8(this.#room.subarray(this.#sound, end))) {
      this.#reached = 'odd';
      return false;
    }
    this.#sound = end;
    return true;
  }

  /** Nothing stands between the last entry and the closing: with the entries, every byte has then passed JSON.parse. */
  #headWith(listings: readonly unknown[]): unknown {
    this.#head ??= JSON.parse(this.#room.toString('utf8', 0, this.#begin) + CLOSING) as Holder;
    this.#head.data.listings = listings;
    return this.#head;
  }

  #whole(): SlicedAnswer | undefined {
    this.#readOn();
    const [end, cutter] = [this.#reached, this.#cutter];
    const bytes = this.#room.subarray(0, this.#length);
    if (typeof end !== 'number' || cutter === undefined || !isUtf8(bytes.subarray(this.#sound))) return undefined;
    if (!this.#frame.ends(bytes, end)) return undefined;
    // The frame is parsed with an empty list in it: with the entries between, every byte has then passed JSON.parse.
    const around = bytes.toString('utf8', 0, this.#begin) + bytes.toString('utf8', end);
    const value = JSON.parse(around) as Holder;
    const listings = [...cutter.cut.entries];
    value.data.listings = listings;
    return { value, listings };
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(LEAST_ROOM, length + (length >> 1)));
    this.#room.copy(larger, 0, 0, this.#length);
    this.#room = larger;
  }

  #finish(cut: Cut | undefined): void {
    this.#over = true;
    const { onEnd } = this.#options;
    onEnd(cut, this.#room);
  }
}
