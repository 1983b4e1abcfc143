import type Database from 'better-sqlite3';
import { statSync } from 'node:fs';
import type { EpochMs } from '../domain/clock.ts';
import type { ChangeKind } from '../engine/snapshot.ts';
import { SEGMENT_BITS, openForReading } from './tape-schema.ts';

/** One thing that happened to a listing. */
export interface ListingEvent {
  readonly kind: ChangeKind | 'gone' | 'bad';
  /** When it was seen whole, or found gone. */
  readonly at: EpochMs;
  /** The poll of its session that showed it; undefined when that poll was trimmed. */
  readonly pollSeq: number | undefined;
  /** When the poll before that ended: it happened after this. undefined when there was none in that session. */
  readonly afterPollAt: EpochMs | undefined;
  readonly position: number | undefined;
  readonly chunk: number | undefined;
  /** The entry as the service sent it; undefined when it is gone. */
  readonly raw: unknown;
  /** Why it is bad; undefined otherwise. */
  readonly reason: string | undefined;
}

/** All that the recording knows of one listing. */
export interface ListingHistory {
  readonly market: string;
  readonly id: string;
  readonly firstSeenAt: EpochMs;
  /** The last complete poll that still showed it. */
  readonly lastSeenAt: EpochMs;
  /** When it was found gone for the last time; undefined while it stands, or where its session ended with it standing. */
  readonly goneAt: EpochMs | undefined;
  /** It stood in the newest poll recorded. */
  readonly standing: boolean;
  /** Oldest first. */
  readonly events: readonly ListingEvent[];
}

export interface Span {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

export interface TapeInfo {
  /** Undefined while nothing is recorded. */
  readonly from: EpochMs | undefined;
  readonly to: EpochMs | undefined;
  readonly polls: number;
  readonly completePolls: number;
  readonly events: number;
  readonly texts: number;
  readonly inputs: number;
  readonly sessions: number;
  /** What was being recorded: from the first poll of each session to its last, without the gaps. */
  readonly coverage: readonly Span[];
  /** Of the file and its write-ahead log. */
  readonly bytes: number;
}

interface EventRow {
  session: number;
  poll: number;
  at: number;
  kind: ListingEvent['kind'];
  market: string;
  listing: string;
  position: number | null;
  chunk: number | null;
  reason: string | null;
  seq: number | null;
  text: string | null;
}

/** Reads a recording, also while a daemon writes it. Every method may throw SQLite's errors. */
export class TapeReader {
  readonly #db: Database.Database;
  readonly #path: string;
  readonly #completePoll: Database.Statement;

  /** Throws TapeRefused when the file is no recording or a newer one, SQLite's error when it cannot be read. */
  constructor(path: string) {
    this.#path = path;
    this.#db = openForReading(path);
    this.#completePoll = this.#db
      .prepare('SELECT ended_at FROM poll WHERE session = ? AND id <= ? AND complete = 1 ORDER BY id DESC LIMIT 1')
      .pluck();
  }

  close(): void {
    this.#db.close();
  }

  /** What is known of a listing id, on one market or on each that has it. */
  findListing(id: string, market?: string): readonly ListingHistory[] {
    return this.#db.transaction(() => {
      const rows = this.#eventsOf(id).filter((row) => market === undefined || row.market === market);
      const markets = [...new Set(rows.map((row) => row.market))];
      return markets.map((name) =>
        this.#history(
          name,
          id,
          rows.filter((row) => row.market === name),
        ),
      );
    })();
  }

  /** What the recording holds, and of which times. */
  info(): TapeInfo {
    return this.#db.transaction(() => {
      const span = this.#row<{ from: number | null; to: number | null }>(
        'SELECT min(began_at) AS "from", max(ended_at) AS "to" FROM poll',
      );
      return {
        from: span.from ?? undefined,
        to: span.to ?? undefined,
        polls: this.#count('poll'),
        completePolls: this.#row<{ n: number }>('SELECT count(*) AS n FROM poll WHERE complete = 1').n,
        events: this.#count('event'),
        texts: this.#count('text'),
        inputs: this.#count('input'),
        sessions: this.#count('session'),
        coverage: this.#coverage(),
        bytes: bytesOf(this.#path) + bytesOf(`${this.#path}-wal`),
      };
    })();
  }

  #eventsOf(id: string): EventRow[] {
    return this.#db
      .prepare(
        `WITH RECURSIVE segment (n, last) AS (
           SELECT min(id) >> ${SEGMENT_BITS}, max(id) >> ${SEGMENT_BITS} FROM event
           UNION ALL SELECT n + 1, last FROM segment WHERE n < last
         )
         SELECT event.session, event.poll, event.at, event.kind, event.market, event.listing, event.position, event.chunk, event.reason,
           poll.seq, text.text
         FROM segment CROSS JOIN event ON (event.id >> ${SEGMENT_BITS}) = segment.n AND event.listing = ?
         LEFT JOIN poll ON poll.id = event.poll LEFT JOIN text ON text.id = event.text ORDER BY event.id`,
      )
      .all(id) as EventRow[];
  }

  #history(market: string, id: string, rows: readonly EventRow[]): ListingHistory {
    const first = rows[0];
    const last = rows.at(-1);
    if (!first || !last) throw new Error('a listing without events has no history');
    const gone = last.kind === 'gone' || last.kind === 'bad';
    const seen = gone ? this.#completeBefore(last) : this.#lastComplete(last.session);
    const standing = !gone && last.session === this.#newestSession();
    const lastSound = rows.findLast((row) => row.kind !== 'gone' && row.kind !== 'bad') ?? last;
    return {
      market,
      id,
      firstSeenAt: first.at,
      lastSeenAt: Math.max(seen ?? 0, lastSound.at),
      goneAt: gone ? last.at : undefined,
      standing,
      events: rows.map((row) => this.#event(row)),
    };
  }

  #event(row: EventRow): ListingEvent {
    return {
      kind: row.kind,
      at: row.at,
      pollSeq: row.seq ?? undefined,
      afterPollAt: this.#completeBefore(row),
      position: row.position ?? undefined,
      chunk: row.chunk ?? undefined,
      raw: row.text === null ? undefined : JSON.parse(row.text),
      reason: row.reason ?? undefined,
    };
  }

  #coverage(): Span[] {
    const sessions = this.#db
      .prepare('SELECT session, min(began_at) AS "from", max(ended_at) AS "to" FROM poll GROUP BY session ORDER BY session')
      .all() as (Span & { session: number })[];
    const gaps = this.#db.prepare('SELECT session, from_at AS "from", to_at AS "to" FROM gap ORDER BY id').all() as (Span & {
      session: number;
    })[];
    return sessions.flatMap((session) =>
      without(
        session,
        gaps.filter((gap) => gap.session === session.session),
      ),
    );
  }

  #completeBefore({ session, poll }: Pick<EventRow, 'session' | 'poll'>): EpochMs | undefined {
    return this.#completePoll.get(session, poll - 1) as EpochMs | undefined;
  }

  #lastComplete(session: number): EpochMs | undefined {
    return this.#completePoll.get(session, Number.MAX_SAFE_INTEGER) as EpochMs | undefined;
  }

  #newestSession(): number | undefined {
    return this.#db.prepare('SELECT session FROM poll ORDER BY id DESC LIMIT 1').pluck().get() as number | undefined;
  }

  #count(table: 'poll' | 'event' | 'text' | 'input' | 'session'): number {
    return this.#row<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).n;
  }

  #row<T>(sql: string): T {
    return this.#db.prepare(sql).get() as T;
  }
}

/** A span without its gaps; the gaps in the order of time. */
function without(span: Span, gaps: readonly Span[]): Span[] {
  const left: Span[] = [];
  let from = span.from;
  for (const gap of gaps) {
    if (gap.from > from) left.push({ from, to: Math.min(gap.from, span.to) });
    from = Math.max(from, gap.to);
  }
  if (from < span.to) left.push({ from, to: span.to });
  return left;
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
