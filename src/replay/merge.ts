import type { Moment, RecordedInput, RecordedSession } from './moment.ts';
import { RecordingCopy } from './recording-copy.ts';
import type { Recording } from './recordings.ts';
import { type Damage, type Unit, unitedUnits, unitsOf } from './session-units.ts';
import { type Span, always } from './span.ts';

/** What was taken over. */
export interface Taken {
  readonly sessions: number;
  readonly polls: number;
  readonly events: number;
  readonly inputs: number;
  readonly damage: readonly Damage[];
}

/** Whoever is told sessions one after the other, each with all that is in it. */
export interface Sink {
  session(session: RecordedSession): void;
  unit(unit: Unit): void;
}

export interface Wanted {
  readonly range?: Span;
  /** Which inputs are told. */
  readonly input?: (input: RecordedInput) => boolean;
}

/**
 * Tells a sink everything that recordings hold of a range, session after session in the order in which they began. The same session in
 * several of them (copies taken at different times, one of them trimmed or damaged) is told once, with what any of them knows; where a
 * stretch of it is in none, it is told as two. Of damaged sessions what can be read is told.
 */
export function tellSessions(recordings: readonly Recording[], sink: Sink, wanted: Wanted = {}): Taken {
  const { range = always, input: isWanted = () => true } = wanted;
  const count = { sessions: 0, polls: 0, events: 0, inputs: 0 };
  const damage: Damage[] = [];
  for (const same of sessionsOf(recordings, range)) {
    let last: number | undefined;
    for (const unit of unitedUnits(same.map((begin) => unitsOf(begin(), (found) => damage.push(found))))) {
      if (last === undefined || (unit.poll && unit.poll.seq > last + 1)) {
        count.sessions++;
        sink.session(unit.session);
      }
      const told = { ...unit, inputs: unit.inputs.filter(isWanted), ground: groundOf(unit, isWanted) };
      sink.unit(told);
      last = unit.poll?.seq ?? last;
      count.polls += told.poll ? 1 : 0;
      count.inputs += told.inputs.length;
      count.events += told.poll?.events.length ?? 0;
    }
  }
  return { ...count, damage };
}

function groundOf({ ground }: Unit, isWanted: (input: RecordedInput) => boolean): Unit['ground'] {
  return ground && { standing: ground.standing, inForce: ground.inForce.filter(isWanted) };
}

/** Makes a recording of all that others hold. Throws RecordingExists, or SQLite's error, and then has made nothing. */
export function mergeRecordings(path: string, recordings: readonly Recording[], wanted: Wanted = {}): Taken {
  return copying(path, (copy) => tellSessions(recordings, copySink(copy), wanted));
}

/** Fills a new recording; one that could not be filled is not left behind. */
export function copying<T>(path: string, fill: (copy: RecordingCopy) => T): T {
  const copy = new RecordingCopy(path);
  try {
    const result = fill(copy);
    copy.finish();
    return result;
  } catch (error) {
    copy.abandon();
    throw error;
  }
}

/** Writes what it is told into a copy. */
export function copySink(copy: RecordingCopy): Sink {
  return {
    session: (session) => copy.session(session),
    unit: ({ ground, inputs, gaps, poll }) => {
      if (ground) copy.ground(ground.standing, ground.inForce);
      for (const gap of gaps) copy.gap(gap);
      for (const input of inputs) copy.input(input);
      if (poll) copy.poll(poll);
    },
  };
}

type Begin = () => Iterable<Moment>;

/** What each session of a range has to say, by each recording that has it. */
function sessionsOf(recordings: readonly Recording[], range: Span): Begin[][] {
  const found = new Map<string, { readonly at: number; readonly begins: Begin[] }>();
  for (const recording of recordings) {
    for (const { session, begin } of recording.series(range)) {
      const { startedAt, version, mode } = session;
      const key = JSON.stringify([startedAt, version, mode]);
      const known = found.get(key) ?? { at: startedAt, begins: [] };
      known.begins.push(begin);
      found.set(key, known);
    }
  }
  return [...found.values()].toSorted((a, b) => a.at - b.at).map(({ begins }) => begins);
}
