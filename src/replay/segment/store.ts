import type Database from 'better-sqlite3';
import { TapeDamaged } from '../damage.ts';
import { PIECES_MAX, hasSegments } from '../tape-schema.ts';
import { LoadedSegment, type SegmentRow } from './loaded.ts';
import type { Piece, SegmentShape } from './pieces.ts';
import { WordReader } from './words.ts';

/** Kept in memory: what is read next lies in the same segment, or in the one after it. */
const LOADED_MAX = 2;

/** The segments of a recording. Its methods throw what SQLite throws, and TapeDamaged. */
export class SegmentStore {
  readonly #db: Database.Database;
  readonly #loaded = new Map<string, LoadedSegment>();
  /** As read from the file; a segment that is whole never changes. */
  readonly #shapes = new Map<string, SegmentShape>();
  readonly #words = new WordReader();
  #pieces: Database.Statement | undefined;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  /** Those that hold any event after one row up to another, in the order of time. */
  between(after: number, upTo: number): readonly SegmentRow[] {
    if (!hasSegments(this.#db)) return [];
    const rows = this.#db
      .prepare(
        `SELECT id, session, first_event AS firstEvent, last_event AS lastEvent, last_poll AS lastPoll, events, to_at AS toAt, shape
         FROM segment WHERE whole = 1 AND last_event > ? AND first_event <= ? ORDER BY first_event`,
      )
      .all(after, upTo) as (Omit<SegmentRow, 'shape'> & { shape: string })[];
    return rows.map(({ shape, ...row }) => ({ ...row, shape: this.#shape(row, shape) }));
  }

  /** Its columns, and the way to its texts. */
  load(row: SegmentRow): LoadedSegment {
    const known = this.#loaded.get(nameOf(row));
    if (known !== undefined) return known;
    const segment = new LoadedSegment(row, (id, n) => this.#piece(id, n), this.#words);
    for (const oldest of this.#loaded.keys()) {
      if (this.#loaded.size < LOADED_MAX) break;
      this.#loaded.delete(oldest);
    }
    this.#loaded.set(nameOf(row), segment);
    return segment;
  }

  #shape(row: Omit<SegmentRow, 'shape'>, text: string): SegmentShape {
    const known = this.#shapes.get(nameOf(row));
    if (known !== undefined) return known;
    const shape = shapeOf(row.id, text);
    this.#shapes.set(nameOf(row), shape);
    return shape;
  }

  #piece(segment: number, n: number): Piece {
    // Only where there are segments there is such a table.
    this.#pieces ??= this.#db.prepare('SELECT data, crc FROM piece WHERE id = ?');
    const found = this.#pieces.get(segment * PIECES_MAX + n);
    if (found !== undefined) return found as Piece;
    throw new TapeDamaged(`piece ${n} of segment ${segment} is lost`);
  }
}

function shapeOf(id: number, text: string): SegmentShape {
  try {
    return JSON.parse(text) as SegmentShape;
  } catch {
    throw new TapeDamaged(`the shape of segment ${id} is not as it was written`);
  }
}

/** Numbers of segments come again once all are trimmed; those of events never do. */
function nameOf({ id, firstEvent }: Pick<SegmentRow, 'id' | 'firstEvent'>): string {
  return `${id} ${firstEvent}`;
}
