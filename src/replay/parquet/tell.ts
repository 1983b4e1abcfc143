import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Fields, isFields, numberOf, optionalNumber, optionalText, textOf, wordOf } from '../fields.ts';
import { eventKinds, inputKinds } from '../kinds.ts';
import { keptJson } from '../listing-text.ts';
import type { Sink } from '../merge.ts';
import type { RecordedEvent, RecordedGap, RecordedInput, RecordedPoll, RecordedSession } from '../moment.ts';
import type { Unit } from '../session-units.ts';
import { FileBroken, NoExport } from './faults.ts';
import { type PartRows, readPart } from './read.ts';
import { LIST_FILE, PARQUET_FORM, type TableName, partName } from './tables.ts';
import type { ListedFile } from './write.ts';
import { loadZstd } from './zstd.ts';

/**
 * Tells a sink what an export in Parquet says, part by part, up to the first that cannot be used; undefined where all could. Nothing of that
 * part is told. Throws NoExport, and the system's error.
 */
export async function readParquet(folder: string, sink: Sink): Promise<FileBroken | undefined> {
  const list = listOf(folder);
  const zstd = await loadZstd();
  const parts = list === undefined ? partsFound(folder) : partsListed(list);
  if (parts === 0) throw new NoExport(`there is neither ${LIST_FILE} nor ${partName('polls', 1)} in it`);
  const teller = new Teller(sink);
  try {
    for (let part = 1; part <= parts; part++) {
      const rows = await readPart(folder, part, list, zstd);
      const units = unitsOf(rows, part, teller);
      for (const unit of units) teller.tell(unit);
    }
  } catch (error) {
    if (error instanceof FileBroken) return error;
    throw error;
  }
  return list === undefined
    ? new FileBroken(
        LIST_FILE,
        'it is missing or garbled, so that nothing says whether all files are there and as they were written',
      )
    : undefined;
}

/** The list of the files; undefined where there is none that can be read. */
function listOf(folder: string): ReadonlyMap<string, ListedFile> | undefined {
  const path = join(folder, LIST_FILE);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const value = keptJson(readFileSync(path, 'utf8'));
  if (!isFields(value) || value['recording'] !== 'magpie' || !Array.isArray(value['files'])) return undefined;
  if (value['form'] !== PARQUET_FORM)
    throw new NoExport(
      `it was written by another Magpie (form ${JSON.stringify(value['form'])}; this one knows ${PARQUET_FORM})`,
    );
  const files = value['files'].map((one) => (isFields(one) ? listedOf(one) : undefined));
  return files.every((one) => one !== undefined) ? new Map(files.map((one) => [one.file, one])) : undefined;
}

function listedOf(fields: Fields): ListedFile | undefined {
  try {
    const numbers = { rows: numberOf(fields, 'rows'), bytes: numberOf(fields, 'bytes') };
    return { file: textOf(fields, 'file'), sha256: textOf(fields, 'sha256'), ...numbers };
  } catch {
    return undefined;
  }
}

const PART = /^[a-z]+-(\d{4,})\.parquet$/;

function partsListed(list: ReadonlyMap<string, ListedFile>): number {
  return Math.max(0, ...[...list.keys()].map((file) => Number(PART.exec(file)?.[1] ?? 0)));
}

/** Those in a row that have polls. */
function partsFound(folder: string): number {
  const files = new Set(readdirSync(folder));
  let parts = 0;
  while (files.has(partName('polls', parts + 1))) parts++;
  return parts;
}

/** The sessions are those of the parts before, too. */
class Teller {
  readonly sessions = new Map<number, RecordedSession>();
  /** Sessions come one after the other, and in each the polls, without a hole. */
  #newest = { session: 0, seq: undefined as number | undefined };
  readonly #sink: Sink;
  #session: RecordedSession | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Throws TypeError for a poll that cannot be the next one. */
  follow(session: number, seq: number | undefined): void {
    const before = session === this.#newest.session ? this.#newest.seq : undefined;
    if (session < this.#newest.session) throw new TypeError(`session ${session} goes on after ${this.#newest.session} had begun`);
    if (before !== undefined && seq !== undefined && seq !== before + 1)
      throw new TypeError(`poll ${seq} of session ${session} comes after its poll ${before}`);
    this.#newest = { session, seq: seq ?? before };
  }

  tell(unit: Unit): void {
    if (unit.session !== this.#session) this.#sink.session(unit.session);
    this.#session = unit.session;
    this.#sink.unit(unit);
  }
}

/** What is noted with one number of a poll. */
type Noted = Readonly<Record<Exclude<TableName, 'sessions' | 'listings'>, Fields[]>>;

/** Of a part, in their order. Throws FileBroken where the files contradict each other. */
function unitsOf(rows: PartRows, part: number, teller: Teller): Unit[] {
  const { sessions } = teller;
  const reading = <T>(table: TableName, read: () => T): T => {
    try {
      return read();
    } catch (error) {
      if (error instanceof TypeError) throw new FileBroken(partName(table, part), error.message);
      throw error;
    }
  };
  reading('sessions', () => {
    for (const row of rows.sessions) {
      const number = numberOf(row, 'session');
      if (sessions.has(number)) throw new TypeError(`session ${number} is there twice`);
      sessions.set(number, sessionOf(row));
    }
  });
  const texts = reading('listings', () => new Map(rows.listings.map((row) => [numberOf(row, 'offer'), textOf(row, 'json')])));
  const noted = new Map<number, Noted & { readonly session: number }>();
  for (const table of ['polls', 'events', 'standing', 'gaps', 'inputs'] as const)
    reading(table, () => {
      for (const row of rows[table]) {
        const poll = numberOf(row, 'poll');
        const empty = { polls: [], events: [], standing: [], gaps: [], inputs: [], session: numberOf(row, 'session') };
        const own = noted.get(poll) ?? empty;
        if (numberOf(row, 'session') !== own.session)
          throw new TypeError(`poll ${poll} is of session ${own.session} and of session ${numberOf(row, 'session')}`);
        own[table].push(row);
        noted.set(poll, own);
      }
    });
  const inOrder = [...noted].toSorted(([a], [b]) => a - b);
  return inOrder.map(([, own]) => {
    const session = sessions.get(own.session);
    if (session === undefined) throw new FileBroken(partName('sessions', part), `session ${own.session} is missing`);
    const events = (table: 'events' | 'standing') => reading(table, () => own[table].map((row) => eventOf(row, texts)));
    const standing = events('standing');
    const poll = reading('polls', () => pollOf(own.polls, events('events')));
    reading('polls', () => teller.follow(own.session, poll?.seq));
    return {
      ...{ session, ground: standing.length > 0 ? { standing, inForce: [] } : undefined },
      inputs: reading('inputs', () => own.inputs.map(inputOf)),
      gaps: reading('gaps', () => own.gaps.map(gapOf)),
      poll,
    };
  });
}

function sessionOf(row: Fields): RecordedSession {
  return {
    ...{ id: 0, startedAt: numberOf(row, 'started_at'), stoppedAt: optionalNumber(row, 'stopped_at') },
    ...{ version: textOf(row, 'version'), mode: textOf(row, 'mode') },
  };
}

function inputOf(row: Fields): RecordedInput {
  return { kind: wordOf(row, 'kind', inputKinds), at: numberOf(row, 'at'), value: textOf(row, 'value') };
}

function gapOf(row: Fields): RecordedGap {
  return {
    ...{ from: numberOf(row, 'from_at'), to: numberOf(row, 'to_at'), polls: numberOf(row, 'polls') },
    ...{ inputs: numberOf(row, 'inputs'), reason: textOf(row, 'reason') },
  };
}

function pollOf(rows: readonly Fields[], events: readonly RecordedEvent[]): RecordedPoll | undefined {
  const [row, other] = rows;
  if (row === undefined && events.length > 0) throw new TypeError('the poll of an event is missing');
  if (row === undefined) return undefined;
  const count = numberOf(row, 'events');
  if (other !== undefined) throw new TypeError(`poll ${numberOf(row, 'poll')} is there twice`);
  if (events.length !== count)
    throw new TypeError(`poll ${numberOf(row, 'poll')} has ${events.length} events, and not ${count} as it says`);
  return {
    ...{ seq: numberOf(row, 'seq'), beganAt: numberOf(row, 'began_at'), endedAt: numberOf(row, 'ended_at') },
    ...{ outcome: textOf(row, 'outcome'), complete: row['complete'] === true, first: row['first'] === true },
    ...{ status: optionalNumber(row, 'status'), bytes: optionalNumber(row, 'bytes'), count: optionalNumber(row, 'count') },
    ...{ bad: optionalNumber(row, 'bad'), requestId: optionalText(row, 'request_id') },
    ...{ serviceDate: optionalNumber(row, 'service_date'), message: optionalText(row, 'message') },
    ...{ after: undefined, events },
  };
}

function eventOf(row: Fields, texts: ReadonlyMap<number, string>): RecordedEvent {
  const kind = wordOf(row, 'kind', eventKinds);
  const offer = optionalNumber(row, 'offer');
  const text = offer === undefined ? undefined : texts.get(offer);
  if (kind !== 'gone' && text === undefined) throw new TypeError('the listing of an event is missing');
  return {
    ...{ kind, at: numberOf(row, 'at'), market: textOf(row, 'market'), id: textOf(row, 'listing'), text },
    ...{ position: optionalNumber(row, 'position'), chunk: optionalNumber(row, 'chunk') },
    ...{ reason: optionalText(row, 'reason'), pollSeq: undefined, afterPollAt: undefined },
  };
}
