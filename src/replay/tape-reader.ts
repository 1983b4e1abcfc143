import type Database from 'better-sqlite3';
import { statSync } from 'node:fs';
import type { EpochMs } from '../domain/clock.ts';
import type { ChangeKind } from '../engine/snapshot.ts';
import { keptJson } from './listing-text.ts';
import { type Span, without } from './span.ts';
import { type StoredEvent, StoredEvents } from './stored-events.ts';
import { openForReading } from './tape-schema.ts';

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

type EventRow = StoredEvent & { readonly seq: number | null };

/** One listing as a look at its item showed it. */
export interface Sight {
  readonly at: EpochMs;
  readonly raw: unknown;
}

/** Reads a recording, also while a daemon writes it. Every method may throw SQLite's errors. */
export class TapeReader {
  readonly #db: Database.Database;
  readonly #path: string;
  readonly #completePoll: Database.Statement;
  readonly #events: StoredEvents;

  /** Throws TapeRefused when the file is no recording or a newer one, SQLite's error when it cannot be read. */
  constructor(path: string) {
    this.#path = path;
    this.#db = openForReading(path);
    this.#events = new StoredEvents(this.#db);
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

  /** What looks at watched items have shown of a listing id: the newest entry of each market, as the service sent it. */
  sightsOf(id: string, market?: string): readonly Sight[] {
    // Both marks stand in what was written: the id with its quotes is no part of another one.
    const rows = this.#db
      .prepare("SELECT at, value FROM input WHERE kind = 'sight' AND instr(value, ?) > 0 ORDER BY id")
      .all(`"id":${JSON.stringify(id)}`) as { readonly at: EpochMs; readonly value: string }[];
    const newest = new Map<string, Sight>();
    for (const { at, value } of rows) {
      const { raw } = (keptJson(value) ?? {}) as { readonly raw?: { readonly id?: unknown; readonly market?: unknown } };
      if (raw?.id !== id || typeof raw.market !== 'string') continue;
      if (market === undefined || raw.market === market) newest.set(raw.market, { at, raw });
    }
    return [...newest.values()];
  }

  /** The newest entries as the service sent them, one for each listing, newest first; what is gone since may be among them. */
  newestEntries(limit: number): readonly unknown[] {
    const last = this.#events.last();
    const newest = new Map<string, string>();
    for (const { kind, market, listing, text } of this.#events.between(Math.max(0, last - limit), last).toReversed()) {
      const key = `${market}\n${listing}`;
      if (kind !== 'gone' && kind !== 'bad' && text !== null && !newest.has(key)) newest.set(key, text);
    }
    return [...newest.values()].map(keptJson).filter((entry) => entry !== undefined);
  }

  /** What the recording holds, and of which times. */
  info(): TapeInfo {
    return this.#db.transaction(() => {
      const counts = this.#events.counts();
      const span = this.#row<{ from: number | null; to: number | null }>(
        'SELECT min(began_at) AS "from", max(ended_at) AS "to" FROM poll',
      );
      return {
        from: span.from ?? undefined,
        to: span.to ?? undefined,
        polls: this.#count('poll'),
        completePolls: this.#row<{ n: number }>('SELECT count(*) AS n FROM poll WHERE complete = 1').n,
        events: counts.events,
        texts: counts.texts,
        inputs: this.#count('input'),
        sessions: this.#count('session'),
        coverage: this.#coverage(),
        bytes: bytesOf(this.#path) + bytesOf(`${this.#path}-wal`),
      };
    })();
  }

  #eventsOf(id: string): EventRow[] {
    const seq = this.#db.prepare('SELECT seq FROM poll WHERE id = ?').pluck();
    return this.#events.ofListing(id).map((event) => ({ ...event, seq: (seq.get(event.poll) as number | undefined) ?? null }));
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
      raw: row.text === null ? undefined : keptJson(row.text),
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

  #count(table: 'poll' | 'input' | 'session'): number {
    return this.#row<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).n;
  }

  #row<T>(sql: string): T {
    return this.#db.prepare(sql).get() as T;
  }
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
