import type Database from 'better-sqlite3';
import type { EpochMs } from '../domain/clock.ts';
import { TapeDamaged } from './damage.ts';
import type { PassedOver, RecordedEvent } from './moment.ts';
import type { LoadedSegment, Screen, SegmentRow } from './segment/loaded.ts';
import { SegmentStore } from './segment/store.ts';
import { SEGMENT_BITS } from './tape-schema.ts';

/** An event as it lies in a recording, its text with it. */
export interface StoredEvent {
  /** Counts the events of the recording; those of one poll follow each other. */
  readonly row: number;
  readonly session: number;
  /** Row of the poll that showed it, which may have been trimmed. */
  readonly poll: number;
  readonly at: EpochMs;
  readonly kind: RecordedEvent['kind'];
  readonly market: string;
  readonly listing: string;
  readonly position: number | null;
  readonly chunk: number | null;
  readonly text: string | null;
  readonly passedOver?: PassedOver | undefined;
  readonly reason: string | null;
}

/** Events where they lie: a stretch of a segment by index, or rows of their own. */
export type EventSlice =
  | { readonly segment: LoadedSegment; readonly from: number; readonly to: number }
  | { readonly rows: readonly StoredEvent[] };

/** Rows looked at in one go; between two of these a daemon may write and trim. */
const ROWS_AT_ONCE = 20_000;

const COLUMNS = `event.id AS row, event.session, event.poll, event.at, event.kind, event.market, event.listing, event.position,
  event.chunk, text.text, event.reason FROM event LEFT JOIN text ON text.id = event.text`;

/** A stretch of rows that lie in one place: in a segment, or each by itself. */
interface Stretch {
  readonly after: number;
  readonly upTo: number;
  readonly segment: SegmentRow | undefined;
}

/** The events of a recording, by row, wherever they lie. Its methods throw what SQLite throws, and TapeDamaged. */
export class StoredEvents {
  readonly #segments: SegmentStore;
  readonly #between: Database.Statement;
  readonly #keys: Database.Statement;
  readonly #last: Database.Statement;
  readonly #ofPoll: Database.Statement;
  readonly #ofListing: Database.Statement;
  readonly #loose: Database.Statement;
  readonly #twice: Database.Statement;

  constructor(db: Database.Database) {
    this.#segments = new SegmentStore(db);
    this.#between = db.prepare(`SELECT ${COLUMNS} WHERE event.id > ? AND event.id <= ? ORDER BY event.id LIMIT ?`);
    this.#last = db.prepare('SELECT coalesce(max(id), 0) FROM event').pluck();
    this.#ofPoll = db.prepare('SELECT id FROM event WHERE id > ? AND id <= ? AND poll >= ? ORDER BY id LIMIT 1').pluck();
    this.#keys = db
      .prepare('SELECT id, session, kind, market, listing FROM event WHERE id > ? AND id <= ? ORDER BY id LIMIT ?')
      .raw();
    this.#loose = db.prepare('SELECT (SELECT count(*) FROM event) AS events, (SELECT count(*) FROM text) AS texts');
    this.#twice = db.prepare('SELECT count(*) FROM event WHERE id BETWEEN ? AND ?').pluck();
    this.#ofListing = db.prepare(
      `WITH RECURSIVE run (n, last) AS (
         SELECT min(id) >> ${SEGMENT_BITS}, max(id) >> ${SEGMENT_BITS} FROM event UNION ALL SELECT n + 1, last FROM run WHERE n < last
       )
       SELECT event.id FROM run CROSS JOIN event ON (event.id >> ${SEGMENT_BITS}) = run.n AND event.listing = ? ORDER BY event.id`,
    );
  }

  /** Row of the last one of all; 0 where there is none. */
  last(): number {
    const segment = this.#segments.between(0, Number.MAX_SAFE_INTEGER).at(-1);
    return Math.max(this.#last.get() as number, segment?.lastEvent ?? 0);
  }

  /** How many there are, and of how many texts: what was not compacted yet, and what was. */
  counts(): { readonly events: number; readonly texts: number; readonly segments: number; readonly compacted: number } {
    const segments = this.#segments.between(0, Number.MAX_SAFE_INTEGER);
    const compacted = segments.reduce((sum, { events }) => sum + events, 0);
    const kept = segments.reduce((sum, { shape }) => sum + shape.texts, 0);
    const loose = this.#loose.get() as { events: number; texts: number };
    // Rows that a segment holds as well count once.
    const twice = segments.reduce(
      (sum, { firstEvent, lastEvent }) => sum + (this.#twice.get(firstEvent, lastEvent) as number),
      0,
    );
    return { events: compacted + loose.events - twice, texts: kept + loose.texts, segments: segments.length, compacted };
  }

  /** The first one after a row that a poll, or one after it, showed. */
  firstOfPoll(poll: number, after: number): number | undefined {
    // To the end, wherever that is: the way to the last row may be damaged.
    for (const stretch of this.#stretches(after, Number.MAX_SAFE_INTEGER)) {
      const found = stretch.segment
        ? this.#firstInSegment(stretch.segment, stretch, poll)
        : (this.#ofPoll.get(stretch.after, stretch.upTo, poll) as number | undefined);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Those after one row, up to another; through a screen without the texts that it passes over. */
  between(after: number, upTo: number, screen?: Screen): readonly StoredEvent[] {
    return this.#stretches(after, upTo).flatMap((stretch) => {
      if (stretch.segment === undefined) return this.rows(stretch.after, stretch.upTo, Number.MAX_SAFE_INTEGER);
      const segment = this.#segments.load(stretch.segment);
      const [first, end] = [segment.after(stretch.after), segment.after(stretch.upTo)];
      return Array.from({ length: end - first }, (_, index) => segment.event(first + index, screen));
    });
  }

  /** The same where they lie. */
  slices(after: number, upTo: number): readonly EventSlice[] {
    return this.#stretches(after, upTo).map((stretch): EventSlice => {
      if (stretch.segment === undefined) return { rows: this.rows(stretch.after, stretch.upTo, Number.MAX_SAFE_INTEGER) };
      const segment = this.#segments.load(stretch.segment);
      return { segment, from: segment.after(stretch.after), to: segment.after(stretch.upTo) };
    });
  }

  /** The first so many that lie each in a row of its own. */
  rows(after: number, upTo: number, limit: number): readonly StoredEvent[] {
    return after < upTo ? (this.#between.all(after, upTo, limit) as StoredEvent[]).map(withText) : [];
  }

  /** All of one listing id, whatever its market, oldest first. */
  ofListing(id: string): readonly StoredEvent[] {
    const loose = this.#ofListing.pluck().all(id) as number[];
    return this.#stretches(0, this.last()).flatMap(({ after, upTo, segment: row }) => {
      if (row === undefined)
        return loose.filter((each) => each > after && each <= upTo).flatMap((each) => this.rows(each - 1, each, 1));
      const segment = this.#segments.load(row);
      return Array.from({ length: row.events }, (_, index) => index)
        .filter((index) => segment.listingAt(index) === id)
        .map((index) => segment.event(index));
    });
  }

  /** The last event of each listing of a session that stood once everything up to a row had happened, oldest first. */
  standing(session: number, after: number, upTo: number): readonly StoredEvent[] {
    const last = new Map<string, number>();
    for (const { row, of, kind, key } of this.#keyed(after, upTo)) {
      if (of !== session || kind === 'bad') continue;
      if (kind === 'gone') last.delete(key);
      else last.set(key, row);
    }
    return [...last.values()].toSorted((a, b) => a - b).flatMap((row) => this.between(row - 1, row));
  }

  *#keyed(after: number, upTo: number): Generator<{ row: number; of: number; kind: string; key: string }> {
    for (const stretch of this.#stretches(after, upTo)) {
      if (stretch.segment === undefined) {
        yield* this.#keyedRows(stretch);
        continue;
      }
      const segment = this.#segments.load(stretch.segment);
      const end = segment.after(stretch.upTo);
      for (let index = segment.after(stretch.after); index < end; index++)
        yield { row: segment.rowAt(index), of: segment.row.session, kind: segment.kindAt(index), key: segment.keyAt(index) };
    }
  }

  *#keyedRows({ after, upTo }: Stretch): Generator<{ row: number; of: number; kind: string; key: string }> {
    for (let from = after; from < upTo;) {
      const rows = this.#keys.all(from, upTo, ROWS_AT_ONCE) as [number, number, string, string, string][];
      for (const [row, of, kind, market, listing] of rows) yield { row, of, kind, key: `${market}:${listing}` };
      from = rows.length < ROWS_AT_ONCE ? upTo : (rows.at(-1)?.[0] ?? upTo);
    }
  }

  #firstInSegment(row: SegmentRow, { after, upTo }: Stretch, poll: number): number | undefined {
    const segment = this.#segments.load(row);
    const end = segment.after(upTo);
    for (let index = segment.after(after); index < end; index++) {
      if (segment.pollAt(index) >= poll) return segment.rowAt(index);
    }
    return undefined;
  }

  /** Where the rows after one, up to another, lie. What a segment holds is not looked for elsewhere. */
  #stretches(after: number, upTo: number): readonly Stretch[] {
    const found: Stretch[] = [];
    let from = after;
    for (const segment of this.#segments.between(after, upTo)) {
      if (segment.firstEvent - 1 > from) found.push({ after: from, upTo: segment.firstEvent - 1, segment: undefined });
      found.push({ after: Math.max(from, segment.firstEvent - 1), upTo: Math.min(upTo, segment.lastEvent), segment });
      from = segment.lastEvent;
    }
    if (from < upTo) found.push({ after: from, upTo, segment: undefined });
    return found;
  }
}

/** A text that is gone is no text that never was. */
function withText(event: StoredEvent): StoredEvent {
  if (event.text !== null || event.kind === 'gone') return event;
  throw new TapeDamaged(`the text of event ${event.row} is lost`);
}
