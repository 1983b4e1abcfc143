import type { EpochMs } from '../domain/clock.ts';
import { damageWords, isDamage } from './damage.ts';
import { keptJson, textHash } from './listing-text.ts';
import type { Moment, RecordedPoll } from './moment.ts';
import { Recording, momentsOf } from './recordings.ts';
import { openForReading } from './tape-schema.ts';

/** Something that is not as it was written, in words. */
export interface Flaw {
  /** Up to when everything was read of the session that it is in; undefined where it is about the file. */
  readonly readUntil: EpochMs | undefined;
  readonly message: string;
}

export interface Verified {
  readonly flaws: readonly Flaw[];
  /** What could be read. */
  readonly sessions: number;
  readonly polls: number;
  readonly events: number;
  readonly inputs: number;
}

/** More of them would tell nobody anything. */
const FLAWS_MAX = 20;
const ROWS_SHOWN = 10;

/**
 * Reads all of a recording and holds it against itself: the pages of the file, the checksum of each listing's text, the order of
 * the polls. Changes nothing. Throws TapeRefused where it is none, SQLite's error where not even its beginning can be read.
 */
export function verifyRecording(path: string): Verified {
  const flaws: Flaw[] = [...pageFlaws(path), ...textFlaws(path)];
  const seen = { sessions: 0, polls: 0, events: 0, inputs: 0 };
  const recording = new Recording(path);
  try {
    const order = new Order();
    for (const moment of momentsOf([recording])) {
      if (moment.kind === 'session') seen.sessions++;
      if (moment.kind === 'input') seen.inputs++;
      if (moment.kind === 'ground') seen.events += moment.standing.length;
      if (moment.kind === 'damage') flaws.push({ readUntil: moment.at, message: moment.message });
      if (moment.kind !== 'poll') continue;
      seen.polls++;
      seen.events += moment.poll.events.length;
      flaws.push(...order.flawsOf(moment));
    }
  } finally {
    recording.close();
  }
  return { ...seen, flaws: flaws.slice(0, FLAWS_MAX) };
}

/** What SQLite finds in the pages. */
function pageFlaws(path: string): Flaw[] {
  return asked(path, (db) => {
    const said = db.prepare('PRAGMA quick_check(5)').pluck().all().map(String);
    return said.filter((line) => line !== 'ok').map((line) => line.replaceAll('\n', '; '));
  });
}

/** Texts that their checksum does not fit. */
function textFlaws(path: string): Flaw[] {
  return asked(path, (db) => {
    const rows = db.prepare('SELECT id, hash, text FROM text').iterate() as IterableIterator<{
      id: number;
      hash: Buffer | null;
      text: string;
    }>;
    const places = new Set<string>();
    let [count, last] = [0, 0];
    for (const { id, hash, text } of rows) {
      if (text !== null && hash?.equals(textHash(text)) === true) {
        last = id;
        continue;
      }
      count++;
      // They come by their number: one that does not go on is as garbled as what stands behind it.
      if (places.size <= ROWS_SHOWN) places.add(id > last ? `row ${id}` : `after row ${last}`);
    }
    return count === 0 ? [] : [textFlaw(count, [...places])];
  });
}

function textFlaw(count: number, places: readonly string[]): string {
  const where = `${places.slice(0, ROWS_SHOWN).join(', ')}${places.length > ROWS_SHOWN ? ' and more' : ''}`;
  if (count === 1) return `the text of a listing is not as it was written (${where})`;
  return `the texts of ${count} listings are not as they were written (${where})`;
}

function asked(path: string, ask: (db: ReturnType<typeof openForReading>) => readonly string[]): Flaw[] {
  const db = openForReading(path);
  try {
    return ask(db).map((message) => ({ readUntil: undefined, message }));
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [{ readUntil: undefined, message: damageWords(error) }];
  } finally {
    db.close();
  }
}

/** Within a session polls count up and never end before they begin, nor before the one before them. */
class Order {
  readonly #last = new Map<string, RecordedPoll>();

  flawsOf({ source, poll, at }: Extract<Moment, { kind: 'poll' }>): Flaw[] {
    const key = `${source.recording} ${source.session.id}`;
    const last = this.#last.get(key);
    this.#last.set(key, poll);
    const flaw = (what: string): Flaw => ({ readUntil: at, message: `poll ${poll.seq} of session ${source.session.id} ${what}` });
    return [
      ...(poll.endedAt < poll.beganAt ? [flaw('ends before it begins')] : []),
      ...(last && poll.seq <= last.seq ? [flaw(`comes after poll ${last.seq}`)] : []),
      ...(last && poll.endedAt < last.endedAt ? [flaw('ends before the one before it')] : []),
      ...poll.events.flatMap((event) =>
        event.kind !== 'gone' && (event.text === undefined || keptJson(event.text) === undefined)
          ? [flaw('has a listing that is no JSON')]
          : [],
      ),
    ];
  }
}
