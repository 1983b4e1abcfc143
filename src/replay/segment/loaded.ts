import { micros } from '../../domain/money.ts';
import type { PassedOver } from '../moment.ts';
import type { StoredEvent } from '../stored-events.ts';
import { type Words, kindsInOrder } from './build.ts';
import { type Column, columnAt } from './columns.ts';
import { type Piece, type SegmentShape, TEXTS_IN_PIECE, checked, inflated, textsOf } from './pieces.ts';
import type { WordReader } from './words.ts';

/** Where a segment lies, and what it covers. */
export interface SegmentRow {
  readonly id: number;
  readonly session: number;
  readonly firstEvent: number;
  readonly lastEvent: number;
  readonly lastPoll: number;
  readonly events: number;
  readonly toAt: number;
  readonly shape: SegmentShape;
}

/** Says of each offer of a segment whether it is asked for; undefined: all are. */
export type Screen = (segment: LoadedSegment) => Uint8Array | undefined;

/** Reads the nth piece of a segment. */
export type ReadPiece = (segment: number, n: number) => Piece;

/**
 * The columns of a segment in memory that threads can share; its texts are read when they are asked for. Throws TapeDamaged where it
 * is not as it was written.
 */
export class LoadedSegment {
  readonly row: SegmentRow;
  /** By name: events in the order of time, offers clustered by item. */
  readonly columns: ReadonlyMap<string, Column>;
  readonly buffer: SharedArrayBuffer;
  readonly #read: ReadPiece;
  readonly #reader: WordReader;
  readonly #texts = new Map<number, readonly string[]>();
  #words: Words | undefined;
  #screened: { readonly by: Screen; readonly wanted: Uint8Array | undefined } | undefined;

  constructor(row: SegmentRow, read: ReadPiece, reader: WordReader) {
    const { columns } = row.shape;
    const offsets: number[] = [];
    let size = 0;
    for (const { width, length } of columns) {
      offsets.push(size);
      size += Math.ceil((width * length) / 8) * 8;
    }
    this.buffer = new SharedArrayBuffer(size);
    const bytes = new Uint8Array(this.buffer);
    for (const [n, { name }] of columns.entries())
      bytes.set(checked(read(row.id, n), `column ${name} of segment ${row.id}`), offsets[n]);
    this.row = row;
    this.columns = new Map(columns.map((layout, n) => [layout.name, columnAt(layout, this.buffer, offsets[n] ?? 0)]));
    this.#read = read;
    this.#reader = reader;
  }

  get words(): Words {
    const n = this.row.shape.columns.length;
    this.#words ??= this.#reader.read(inflated(checked(this.#read(this.row.id, n), `the words of segment ${this.row.id}`)));
    return this.#words;
  }

  /** The index of the first event after a row. */
  after(row: number): number {
    let low = 0;
    let high = this.row.events;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.rowAt(middle) > row) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  rowAt(index: number): number {
    return this.row.firstEvent + index + this.#value('row', index);
  }

  pollAt(index: number): number {
    return this.#value('momentPoll', this.#value('moment', index));
  }

  /**
   * `session`, `poll` and so on, as if it lay in a row of its own. An entry that the screen passes over comes without its text, which is read
   * when it is asked for.
   */
  event(index: number, screen?: Screen): StoredEvent {
    const offer = this.#value('offer', index);
    const moment = this.#value('moment', index);
    const reason = this.#value('reason', index);
    const [position, chunk] = [this.#value('position', index), this.#value('chunk', index)];
    const passedOver = screen !== undefined && offer >= 0 && this.wantedBy(screen)?.[offer] === 0;
    // By the hundred thousand: one plain object each.
    return {
      row: this.rowAt(index),
      session: this.row.session,
      poll: this.#value('momentPoll', moment),
      at: this.#value('momentAt', moment),
      kind: this.kindAt(index),
      market: this.words.markets[this.#value('market', index)] ?? '',
      listing: this.listingAt(index),
      position: position < 0 ? null : position,
      chunk: chunk < 0 ? null : chunk,
      text: offer < 0 || passedOver ? null : this.#text(offer),
      passedOver: passedOver ? this.#passedOver(offer) : undefined,
      reason: reason < 0 ? null : (this.words.reasons[reason] ?? ''),
    };
  }

  /** Which offers a screen lets through, by 1; undefined: all. Asked once for each screen. */
  wantedBy(screen: Screen): Uint8Array | undefined {
    if (this.#screened?.by !== screen) this.#screened = { by: screen, wanted: screen(this) };
    return this.#screened.wanted;
  }

  listingAt(index: number): string {
    const number = this.#value('listing', index);
    return number < 0 ? (this.words.listings[-1 - number] ?? '') : String(number);
  }

  keyAt(index: number): string {
    return `${this.words.markets[this.#value('market', index)] ?? ''}:${this.listingAt(index)}`;
  }

  kindAt(index: number): StoredEvent['kind'] {
    return kindsInOrder[this.#value('kind', index)] ?? 'bad';
  }

  #passedOver(offer: number): PassedOver {
    const steam = this.#value('steam', offer);
    return {
      name: this.words.items[this.#value('item', offer)]?.[1] ?? '',
      cost: micros(this.#value('cost', offer)),
      steam: steam === 0 ? undefined : micros(steam),
      text: () => this.#text(offer),
    };
  }

  #value(name: string, index: number): number {
    return this.columns.get(name)?.at(index) ?? Number.NaN;
  }

  #text(offer: number): string {
    const block = Math.floor(offer / TEXTS_IN_PIECE);
    let texts = this.#texts.get(block);
    if (texts === undefined) {
      const n = this.row.shape.columns.length + 1 + block;
      texts = textsOf(checked(this.#read(this.row.id, n), `texts of segment ${this.row.id}`));
      this.#texts.set(block, texts);
    }
    return texts[offer % TEXTS_IN_PIECE] ?? '';
  }
}
