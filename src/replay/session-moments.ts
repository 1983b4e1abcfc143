import type Database from 'better-sqlite3';
import type { EpochMs } from '../domain/clock.ts';
import { TapeDamaged, isDamage } from './damage.ts';
import { inOrder } from './in-order.ts';
import type { EarlierPoll, Moment, RecordedEvent, RecordedGap, RecordedInput, Source } from './moment.ts';
import { type PollRow, POLL_COLUMNS, pollOf, recorded } from './recorded-rows.ts';
import type { RowSearch } from './row-search.ts';
import type { Screen } from './segment/loaded.ts';
import type { Span } from './span.ts';
import type { EventSlice, StoredEvent, StoredEvents } from './stored-events.ts';

/** What all sessions of a recording are read from. */
export interface Tables {
  readonly db: Database.Database;
  readonly events: StoredEvents;
  readonly polls: RowSearch;
  readonly inputs: RowSearch;
  /** Which entries of polls are read without their texts; asked anew for each page. */
  readonly screen?: (() => Screen | undefined) | undefined;
}

interface PollWithEvents {
  readonly poll: PollRow;
  readonly events: readonly StoredEvent[];
}

/** A page: so many polls, or fewer where they have more events than this together. */
const POLLS_AT_ONCE = 512;
const EVENTS_AT_ONCE = 8_192;
const INPUTS_AT_ONCE = 512;

/** Larger pages where nothing is made of what is in them. */
const POLLS_IN_PAGE = 4_096;
const EVENTS_IN_PAGE = 65_536;

/** A poll in numbers. */
export type RawPoll = readonly [
  row: number,
  beganAt: number,
  endedAt: number,
  complete: number,
  first: number,
  lastEvent: number,
];

/** Polls that follow each other, and all of their events. */
export interface PollPage {
  readonly polls: readonly RawPoll[];
  readonly slices: readonly EventSlice[];
}

/**
 * What one session has to say within a range, page by page, so that neither its length costs memory nor a daemon that writes
 * is kept waiting. It ends with what was there when it began. What is trimmed while it is read becomes a gap. Its methods throw
 * what SQLite throws.
 */
export class SessionMoments {
  readonly #db: Database.Database;
  readonly #source: Source;
  readonly #missing: readonly RecordedGap[];
  readonly #events: StoredEvents;
  readonly #polls: RowSearch;
  readonly #inputs: RowSearch;
  readonly #screen: Tables['screen'];

  /** `gaps`: of this session, in the order of time. */
  constructor(tables: Tables, source: Source, gaps: readonly RecordedGap[]) {
    this.#db = tables.db;
    this.#source = source;
    this.#missing = gaps;
    this.#events = tables.events;
    this.#polls = tables.polls;
    this.#inputs = tables.inputs;
    this.#screen = tables.screen;
  }

  /**
   * In the order of time; of what has the same time, a gap comes first, then inputs, then the poll. The range begins within the session
   * or with it.
   */
  *within(range: Span): Generator<Moment> {
    const source = this.#source;
    const at = range.from;
    yield { kind: 'session', at, source };
    const ground = this.ground(range);
    if (ground.standing.length + ground.inForce.length > 0) yield { kind: 'ground', at, source, ...ground };
    const series = [this.gaps(range), this.inputs(range), this.#pollMoments(range)];
    yield* inOrder(series.map((one) => ({ from: at, begin: () => one })));
  }

  /** What stood, and what was in force, when the range begins. */
  ground({ from }: Span): { standing: readonly RecordedEvent[]; inForce: readonly RecordedInput[] } {
    const { id } = this.#source.session;
    return this.#db.transaction(() => {
      const after = this.#lastEventBefore(this.#polls.ofSession(id).first) ?? 0;
      const standing = this.#events.standing(id, after, this.#groundEnd(this.#polls.firstAt(id, from)));
      return { standing: standing.map((event) => this.#recordedAlone(event)), inForce: this.#inForce(from) };
    })();
  }

  /** The last event that had happened before a poll: before it there may be some whose own polls were trimmed. */
  #groundEnd(poll: number): number {
    const own = this.#events.firstOfPoll(poll, this.#lastEventBefore(poll) ?? 0);
    return (own ?? this.#events.last() + 1) - 1;
  }

  #lastEventBefore(poll: number): number | undefined {
    const before = this.#db.prepare('SELECT last_event FROM poll WHERE id < ? ORDER BY id DESC LIMIT 1').pluck();
    return before.get(poll) as number | undefined;
  }

  #inForce(from: EpochMs): readonly RecordedInput[] {
    const { id } = this.#source.session;
    return this.#db
      .prepare(
        `SELECT kind, at, value FROM input WHERE id IN (
           SELECT max(id) FROM input WHERE id >= ? AND id < ? AND kind IN ('health', 'balance', 'strategies', 'settings') GROUP BY kind
         ) ORDER BY id`,
      )
      .all(this.#inputs.ofSession(id).first, this.#inputs.firstAt(id, from)) as RecordedInput[];
  }

  #recordedAlone(event: StoredEvent): RecordedEvent {
    const seq = this.#db.prepare('SELECT seq FROM poll WHERE id = ?').pluck().get(event.poll) as number | undefined;
    return recorded(event, seq, seq === undefined ? undefined : this.#completeBefore(event.poll)?.endedAt);
  }

  #completeBefore(poll: number): EarlierPoll | undefined {
    return this.#db
      .prepare(
        `SELECT seq, began_at AS beganAt, ended_at AS endedAt FROM poll
         WHERE session = ? AND id < ? AND complete = 1 ORDER BY id DESC LIMIT 1`,
      )
      .get(this.#source.session.id, poll) as EarlierPoll | undefined;
  }

  *#pollMoments({ from, to }: Span): Generator<Moment> {
    const { id } = this.#source.session;
    const source = this.#source;
    const end = this.#polls.firstAt(id, to);
    let next = this.#polls.firstAt(id, from);
    let after = this.#completeBefore(next);
    let last: PollRow | undefined;
    while (next < end) {
      const page = this.#soundPage(next, end, last);
      if (page.length === 0) return;
      for (const { poll, events } of page) {
        if (last && poll.row !== last.row + 1) yield trimmedMeanwhile(source, last, poll);
        const seen = events.map((event) => recorded(event, poll.seq, after?.endedAt));
        yield { kind: 'poll', at: poll.endedAt, source, poll: pollOf(poll, after, seen) };
        if (poll.complete === 1) after = { seq: poll.seq, beganAt: poll.beganAt, endedAt: poll.endedAt };
        last = poll;
        next = poll.row + 1;
      }
    }
  }

  /** A page; where something in it is damaged, the next poll alone, so that all before the damage is told. */
  #soundPage(from: number, end: number, last: PollRow | undefined): readonly PollWithEvents[] {
    try {
      return this.#page(from, end, last, POLLS_AT_ONCE);
    } catch (error) {
      if (!isDamage(error)) throw error;
      return this.#page(from, end, last, 1);
    }
  }

  /** The polls of a range in pages, with their events where they lie: no object of any. What is damaged throws. */
  *pages({ from, to }: Span): Generator<PollPage> {
    const { id } = this.#source.session;
    const end = this.#polls.firstAt(id, to);
    const statement = this.#db
      .prepare(
        'SELECT id, began_at, ended_at, complete, first, last_event FROM poll WHERE id >= ? AND id < ? ORDER BY id LIMIT ?',
      )
      .raw();
    let before = 0;
    for (let next = this.#polls.firstAt(id, from); next < end;) {
      const page = this.#db.transaction((): PollPage => {
        const rows = statement.all(next, end, POLLS_IN_PAGE) as RawPoll[];
        const [first] = rows;
        if (first === undefined) return { polls: [], slices: [] };
        const start = this.#lastEventBefore(first[0]) ?? before;
        const polls = rows.filter((poll, index) => index === 0 || poll[5] - start <= EVENTS_IN_PAGE);
        return { polls, slices: this.#events.slices(start, polls.at(-1)?.[5] ?? start) };
      })();
      const last = page.polls.at(-1);
      if (last === undefined) return;
      yield page;
      [next, before] = [last[0] + 1, last[5]];
    }
  }

  /** Polls from one row on, each with its events: read in one go, so that they belong together whatever is trimmed meanwhile. */
  #page(from: number, end: number, last: PollRow | undefined, limit: number): readonly PollWithEvents[] {
    const statement = this.#db.prepare(`SELECT ${POLL_COLUMNS} WHERE id >= ? AND id < ? ORDER BY id LIMIT ?`);
    return this.#db.transaction(() => {
      const rows = statement.all(from, end, limit) as PollRow[];
      const first = rows[0];
      if (first === undefined) return [];
      const start = this.#lastEventBefore(first.row) ?? last?.lastEvent ?? 0;
      const polls = rows.filter((poll, index) => index === 0 || poll.lastEvent - start <= EVENTS_AT_ONCE);
      return withEvents(polls, this.#events.between(start, polls.at(-1)?.lastEvent ?? start, this.#screen?.()));
    })();
  }

  /** What was told beside the polls. */
  *inputs({ from, to }: Span): Generator<Moment> {
    const { id } = this.#source.session;
    const end = this.#inputs.firstAt(id, to);
    const statement = this.#db.prepare(
      'SELECT id AS row, kind, at, value FROM input WHERE id >= ? AND id < ? ORDER BY id LIMIT ?',
    );
    for (let next = this.#inputs.firstAt(id, from); next < end;) {
      const page = statement.all(next, end, INPUTS_AT_ONCE) as (Omit<RecordedInput, 'value'> & {
        row: number;
        value: string | null;
      })[];
      for (const { row, kind, at, value } of page) {
        if (value === null) throw new TapeDamaged(`the value of input ${row} is lost`);
        yield { kind: 'input', at, source: this.#source, input: { kind, at, value } };
      }
      next = (page.at(-1)?.row ?? end) + 1;
    }
  }

  /** Of what is missing. */
  *gaps(range: Span): Generator<Moment> {
    for (const gap of this.#missing) {
      if (gap.to < range.from || gap.from >= range.to) continue;
      yield { kind: 'gap', at: Math.max(gap.from, range.from), source: this.#source, gap };
    }
  }
}

/** Each poll with the events that it showed. What is left of a trimmed poll belongs to none. */
function withEvents(polls: readonly PollRow[], events: readonly StoredEvent[]): readonly PollWithEvents[] {
  let next = 0;
  return polls.map((poll) => {
    while ((events[next]?.poll ?? poll.row) < poll.row) next++;
    const first = next;
    while (events[next]?.poll === poll.row) next++;
    return { poll, events: events.slice(first, next) };
  });
}

function trimmedMeanwhile(source: Source, last: PollRow, next: PollRow): Moment {
  const lost = { polls: next.row - last.row - 1, inputs: 0, reason: 'trimmed while it was read' };
  return { kind: 'gap', at: last.endedAt, source, gap: { from: last.endedAt, to: next.beganAt, ...lost } };
}
