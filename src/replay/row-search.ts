import type Database from 'better-sqlite3';
import type { EpochMs } from '../domain/clock.ts';
import { damageWords, isDamage } from './damage.ts';

/** A row by what it is searched by: its session, and its time within that. */
interface Place {
  readonly row: number;
  readonly session: number;
  readonly at: EpochMs;
}

/** Rows from one to another, both included; empty where `last` is below `first`. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Finds rows by session and time without an index: both only ever grow with the row. Each look reads a page or two, where
 * a scan would read the whole table. Of a damaged table there is only what comes before the damage.
 */
export class RowSearch {
  /** Why nothing is known of what comes after the last row that can be read; undefined where nothing is damaged, as far as was seen. */
  readonly damage: string | undefined;
  readonly #from: Database.Statement;
  readonly #lastReadable: number;
  readonly #ends: Database.Statement;
  readonly #before: Database.Statement;

  constructor(db: Database.Database, table: 'poll' | 'input') {
    this.#from =
      table === 'poll'
        ? db.prepare('SELECT id AS row, session, ended_at AS at FROM poll WHERE id >= ? ORDER BY id LIMIT 1')
        : db.prepare('SELECT id AS row, session, at FROM input WHERE id >= ? ORDER BY id LIMIT 1');
    // One question for both ends would look at every row.
    this.#ends =
      table === 'poll'
        ? db.prepare('SELECT (SELECT min(id) FROM poll) AS first, (SELECT max(id) FROM poll) AS last')
        : db.prepare('SELECT (SELECT min(id) FROM input) AS first, (SELECT max(id) FROM input) AS last');
    this.#before =
      table === 'poll'
        ? db.prepare('SELECT max(id) FROM poll WHERE id < ?').pluck()
        : db.prepare('SELECT max(id) FROM input WHERE id < ?').pluck();
    const { last, damage } = this.#readable();
    this.#lastReadable = last;
    this.damage = damage;
  }

  /** The rows of a session. */
  ofSession(session: number): RowRange {
    const next = this.#firstWhere((place) => place.session > session);
    const last = this.#before.get(next) as number | null;
    return { first: this.#firstWhere((place) => place.session >= session), last: last ?? 0 };
  }

  /** The first row of a session whose time is not before `at`; the one after its last where there is none. */
  firstAt(session: number, at: EpochMs): number {
    return this.#firstWhere((place) => place.session > session || (place.session === session && place.at >= at));
  }

  /** The way to the last row is looked at once; where it is damaged, rows are followed from the first one on. */
  #readable(): { last: number; damage: string | undefined } {
    let last = 0;
    try {
      this.#ends.get();
      return { last: Number.MAX_SAFE_INTEGER, damage: undefined };
    } catch (error) {
      if (!isDamage(error)) throw error;
      for (;;) {
        const place = this.#placeFrom(last + 1);
        if (place === undefined) return { last, damage: damageWords(error) };
        last = place.row;
      }
    }
  }

  #placeFrom(row: number): Place | undefined {
    try {
      return this.#from.get(row) as Place | undefined;
    } catch (error) {
      if (isDamage(error)) return undefined;
      throw error;
    }
  }

  #bounds(): RowRange {
    if (this.damage !== undefined) return { first: 1, last: this.#lastReadable };
    const { first, last } = this.#ends.get() as { first: number | null; last: number | null };
    return { first: first ?? 1, last: last ?? 0 };
  }

  /** `holds` is false up to some row and true from there on. Gives that row; the one after the last where it holds for none. */
  #firstWhere(holds: (place: Place) => boolean): number {
    const { first, last } = this.#bounds();
    let low = first;
    let high = last + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const place = this.#from.get(middle) as Place | undefined;
      if (place === undefined || place.row >= high || holds(place)) high = middle;
      else low = place.row + 1;
    }
    // Numbers may be left out.
    const found = low > last ? undefined : (this.#from.get(low) as Place | undefined);
    return found?.row ?? last + 1;
  }
}
