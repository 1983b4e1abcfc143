import { Arrival, type SlicedAnswer } from './arrival.ts';
import { Cut } from './cut.ts';

const NOTHING: Buffer = Buffer.alloc(0);

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
  #room: Buffer = NOTHING;
  /** For the next answer; the two change places when it has been read. */
  #spare: Buffer = NOTHING;
  #arriving: Arrival | undefined;

  /** `prepare` is called once for each entry that was not there before. It may change the entry. */
  constructor(prepare: (entry: unknown) => void) {
    this.#prepare = prepare;
  }

  /** Reads the pieces of one answer; undefined when it has to be read whole. Never throws. */
  read(pieces: readonly Buffer[]): SlicedAnswer | undefined {
    let length = 0;
    for (const piece of pieces) length += piece.length;
    const arrival = this.arriving(length);
    for (const piece of pieces) arrival.push(piece);
    return arrival.end();
  }

  /**
   * Begins with an answer that is still to arrive, of so many bytes if that is known. Only one can: one that had begun before is left
   * to be read whole.
   */
  arriving(length = this.#former.bytes.length): Arrival {
    this.#arriving?.drop();
    const fits = this.#spare.length >= length && this.#spare.length <= 4 * length + ROOM_KEPT;
    const room = fits ? this.#spare : Buffer.allocUnsafeSlow(length + (length >> 3));
    this.#spare = NOTHING;
    const arrival = new Arrival({
      former: this.#former,
      prepare: this.#prepare,
      room,
      onEnd: (cut, used) => this.#ended(cut, used),
    });
    this.#arriving = arrival;
    return arrival;
  }

  #ended(cut: Cut | undefined, room: Buffer): void {
    this.#arriving = undefined;
    if (cut === undefined) {
      this.#spare = room;
      return;
    }
    this.#former = cut;
    [this.#room, this.#spare] = [room, this.#room];
  }
}

/** What reads the answers of one gateway. */
export function slicesReader(prepare: (entry: unknown) => void): SliceReader {
  return new SliceReader(prepare);
}
