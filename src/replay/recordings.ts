import type Database from 'better-sqlite3';
import type { EpochMs } from '../domain/clock.ts';
import { damageWords, isDamage } from './damage.ts';
import { inOrder } from './in-order.ts';
import type { Moment, RecordedGap, RecordedInput, RecordedSession, Source } from './moment.ts';
import type { RecordingCounts } from './recording-counts.ts';
import { type RowRange, RowSearch } from './row-search.ts';
import { SessionMoments, type Tables } from './session-moments.ts';
import { type Span, always, joined, within, without } from './span.ts';
import { StoredEvents } from './stored-events.ts';
import { openForReading } from './tape-schema.ts';

/** Longer without a complete answer is no coverage, whatever the pace of the polls. */
const BLIND_MS = 60_000;

/** A session that left at least one poll. */
interface Part {
  readonly source: Source;
  /** Of its polls that are left. */
  readonly rows: RowRange;
  /** From the first of them to the last. */
  readonly polled: Span;
  /** Its start, or the first poll that is left where earlier ones were trimmed. */
  readonly from: EpochMs;
  readonly gaps: readonly RecordedGap[];
  /** Why nothing after it can be read. */
  readonly damage: string | undefined;
}

/** A session of which all within a range is to be read. */
export interface SessionReading {
  readonly source: Source;
  /** Nothing of it is before and nothing after. */
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly moments: SessionMoments;
}

/** A recording that is read as a whole, beside a daemon that writes it or alone. Its methods may throw SQLite's errors. */
export class Recording {
  readonly path: string;
  readonly #db: Database.Database;
  readonly #tables: Tables;

  /** Throws TapeRefused when the file is no recording or a newer one, SQLite's error when it cannot be read. */
  constructor(path: string) {
    this.path = path;
    this.#db = openForReading(path);
    const db = this.#db;
    this.#tables = {
      ...{ db, events: new StoredEvents(db), polls: new RowSearch(db, 'poll'), inputs: new RowSearch(db, 'input') },
    };
  }

  close(): void {
    this.#db.close();
  }

  /** In the order in which they began. */
  sessions(): readonly RecordedSession[] {
    return this.#db
      .prepare('SELECT id, started_at AS startedAt, stopped_at AS stoppedAt, version, mode FROM session ORDER BY id')
      .all()
      .map((row) => {
        const { stoppedAt, ...session } = row as Omit<RecordedSession, 'stoppedAt'> & { stoppedAt: number | null };
        return { ...session, stoppedAt: stoppedAt ?? undefined };
      });
  }

  /** Stretches of which nothing is missing: from the first complete poll of each session to its last, without gaps and blind times. */
  coverage(): readonly Span[] {
    return this.#parts().flatMap((part) => this.#covered(part));
  }

  /** From the first poll of each session that is left to its last, gaps included. */
  polled(): readonly Span[] {
    return this.#parts().map(({ polled: { from, to } }) => ({ from, to }));
  }

  /** Stretches of a session of which something is missing: gaps that were noted, and times without a complete answer. */
  gaps(): readonly RecordedGap[] {
    return this.#parts().flatMap((part) => [...part.gaps, ...this.#blind(part)].toSorted((a, b) => a.from - b.from));
  }

  /** How many rows there are of each kind. */
  counts(): Omit<RecordingCounts, 'damage'> {
    const one = (statement: Database.Statement): number => statement.pluck().get() as number;
    return {
      polls: one(this.#db.prepare('SELECT count(*) FROM poll')),
      completePolls: one(this.#db.prepare('SELECT count(*) FROM poll WHERE complete = 1')),
      ...this.#tables.events.counts(),
      inputs: one(this.#db.prepare('SELECT count(*) FROM input')),
    };
  }

  /** What each session within a range has to say, to be begun when its time comes. */
  series(range: Span, screen?: Tables['screen']): { session: RecordedSession; from: EpochMs; begin: () => Generator<Moment> }[] {
    return this.#within(range).map(({ source, gaps, ...part }) => {
      const from = Math.max(range.from, part.from);
      const begin = (): Generator<Moment> =>
        untilDamage(
          source,
          from,
          new SessionMoments({ ...this.#tables, screen }, source, gaps).within({ from, to: range.to }),
          part.damage,
        );
      return { session: source.session, from, begin };
    });
  }

  /** The sessions within a range, to be read one by one; undefined where something is known to be damaged. */
  readings(range: Span): readonly SessionReading[] | undefined {
    const parts = this.#within(range);
    if (parts.some(({ damage }) => damage !== undefined)) return undefined;
    return parts.map(({ source, gaps, polled, ...part }) => {
      const from = Math.max(range.from, part.from);
      const to = Math.max(polled.to, this.#lastInputAt(source.session.id) ?? polled.to);
      return { source, from, to, moments: new SessionMoments(this.#tables, source, gaps) };
    });
  }

  /** The live buys that were noted within a range, whatever session they belong to. */
  attempts({ from, to }: Span): readonly RecordedInput[] {
    const statement = this.#db.prepare(
      "SELECT kind, at, value FROM input WHERE kind = 'attempt' AND at >= ? AND at < ? ORDER BY id",
    );
    return statement.all(from, to) as RecordedInput[];
  }

  #within(range: Span): readonly Part[] {
    return this.#parts().filter(({ polled }) => polled.to >= range.from && polled.from < range.to);
  }

  #lastInputAt(session: number): EpochMs | undefined {
    const { first, last } = this.#tables.inputs.ofSession(session);
    if (first > last) return undefined;
    return this.#db
      .prepare('SELECT max(at) FROM input WHERE id BETWEEN ? AND ?')
      .pluck()
      .get(Math.max(first, last - 512), last) as EpochMs;
  }

  /**
   * Events of one type that a session in which a moment lies was told before it, in their order; those of other sessions are not. What was
   * trimmed, or is damaged, is not known. Looks through all events of the session up to there.
   */
  *toldBefore(at: EpochMs, type: string): Generator<RecordedInput> {
    const { db, inputs } = this.#tables;
    const events = db.prepare(
      `SELECT kind, at, value FROM input WHERE id >= ? AND id < ? AND kind = 'event' AND instr(value, '"type":' || ?) > 0 ORDER BY id`,
    );
    for (const { source, from, polled } of this.#parts()) {
      if (from >= at || polled.to < at) continue;
      const { id } = source.session;
      const rows = events.iterate(inputs.ofSession(id).first, inputs.firstAt(id, at), JSON.stringify(type));
      yield* untilDamaged(rows as IterableIterator<RecordedInput>);
    }
  }

  #covered(part: Part): readonly Span[] {
    const ends = this.#db.prepare(
      'SELECT min(began_at) AS "from", max(ended_at) AS "to" FROM poll WHERE id BETWEEN ? AND ? AND complete = 1',
    );
    const { from, to } = ends.get(part.rows.first, part.rows.last) as { from: number | null; to: number | null };
    if (from === null || to === null) return [];
    return without(
      { from, to },
      [...part.gaps, ...this.#blind(part)].toSorted((a, b) => a.from - b.from),
    );
  }

  /** Between two complete polls so long that listings may have come and gone unseen. */
  #blind({ rows }: Part): readonly RecordedGap[] {
    const spans = this.#db.prepare(
      `SELECT "from", "to", polls FROM (
         SELECT began_at AS "to", lag(ended_at) OVER (ORDER BY id) AS "from", id - lag(id) OVER (ORDER BY id) - 1 AS polls
         FROM poll WHERE id BETWEEN ? AND ? AND complete = 1
       ) WHERE "to" - "from" > ?`,
    );
    const found = spans.all(rows.first, rows.last, BLIND_MS) as (Span & { polls: number })[];
    return found.map((span) => ({ ...span, inputs: 0, reason: 'no complete answer of the service' }));
  }

  #gapsBySession(): { readonly of: ReadonlyMap<number, readonly RecordedGap[]>; readonly damage: string | undefined } {
    const of = new Map<number, RecordedGap[]>();
    const statement = this.#db.prepare(
      'SELECT session, from_at AS "from", to_at AS "to", polls, inputs, reason FROM gap ORDER BY id',
    );
    try {
      for (const { session, ...gap } of statement.all() as (RecordedGap & { session: number })[]) {
        const own = of.get(session) ?? [];
        own.push(gap);
        of.set(session, own);
      }
      return { of, damage: undefined };
    } catch (error) {
      if (isDamage(error)) return { of, damage: damageWords(error) };
      throw error;
    }
  }

  #parts(): readonly Part[] {
    const { polls, inputs } = this.#tables;
    const times = this.#db.prepare(
      'SELECT min(seq) AS seq, min(began_at) AS "from", max(ended_at) AS "to" FROM poll WHERE id IN (?, ?) HAVING count(*) > 0',
    );
    const gaps = this.#gapsBySession();
    const damage = polls.damage ?? inputs.damage ?? gaps.damage;
    const parts = this.sessions().flatMap((session): Part[] => {
      const { first, last } = polls.ofSession(session.id);
      const polled = first <= last ? (times.get(first, last) as (Span & { seq: number }) | undefined) : undefined;
      if (polled === undefined) return [];
      const from = polled.seq === 1 ? Math.min(session.startedAt, polled.from) : polled.from;
      const source = { recording: this.path, session };
      const rows = { first, last };
      return [{ source, rows, polled, from, gaps: gaps.of.get(session.id) ?? [], damage: undefined }];
    });
    // Nobody knows what the last one that can be read has lost.
    return parts.map((part, index) => (index === parts.length - 1 ? { ...part, damage } : part));
  }
}

/**
 * Everything that recordings hold of a range (`from` included, `to` not; of polls their end counts), in the order of time, sessions that
 * overlap side by side. Memory is bounded by one page of each session that is under way, and the listings that stand at its beginning.
 * A session that is damaged is told up to there.
 */
export function* momentsOf(recordings: readonly Recording[], range: Span = always, screen?: Tables['screen']): Generator<Moment> {
  yield* inOrder(recordings.flatMap((recording) => recording.series(range, screen)));
}

/** Stretches of a range that at least one of the recordings covers without a gap, in the order of time. */
export function coverageOf(recordings: readonly Recording[], range: Span = always): readonly Span[] {
  const spans = recordings.flatMap((recording) => recording.coverage());
  return joined(spans.map((span) => within(span, range)).filter((span) => span !== undefined));
}

/** What can be read. */
function* untilDamaged<T>(rows: Iterable<T>): Generator<T> {
  try {
    yield* rows;
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

/** `damage`: what is known beforehand to have become of the rest. */
function* untilDamage(source: Source, from: EpochMs, moments: Iterable<Moment>, damage: string | undefined): Generator<Moment> {
  let at = from;
  let found = damage;
  try {
    for (const moment of moments) {
      at = moment.at;
      yield moment;
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
    found = damageWords(error);
  }
  if (found !== undefined) yield { kind: 'damage', at, source, message: found };
}
