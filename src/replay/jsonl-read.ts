import type { RecordedEvent, RecordedGap, RecordedInput, RecordedPoll, RecordedSession } from './moment.ts';
import { type Fields, isFields, numberOf, optionalNumber, optionalText, textOf, wordOf } from './fields.ts';
import { eventKinds, inputKinds } from './kinds.ts';
import { keptJson } from './listing-text.ts';
import { JSONL_FORM } from './jsonl-write.ts';
import { type Line, linesOf } from './lines.ts';
import type { Sink } from './merge.ts';

/** The file cannot be read any further. */
export interface Broken {
  readonly line: number;
  readonly message: string;
}

/** Of what a file is made of nothing can be read: it is something else. */
export class NotLines extends Error {
  override readonly name = 'NotLines';
}

interface Pending {
  readonly poll: Omit<RecordedPoll, 'events'>;
  /** How many are to come. */
  readonly count: number;
  readonly events: RecordedEvent[];
}

/**
 * Tells a sink what lines of JSON say, up to the first that cannot be read; undefined where all could. A poll of which not all events
 * are there is not told. Throws NotLines where the first line is none of a recording, and the system's error.
 */
export function readJsonl(path: string, sink: Sink): Broken | undefined {
  const reader = new LineReader(sink);
  for (const line of linesOf(path)) {
    const message = reader.broken(line);
    if (message !== undefined) return { line: line.number, message };
  }
  return reader.end();
}

class LineReader {
  readonly #sink: Sink;
  #session: RecordedSession | undefined;
  #pending: Pending | undefined;
  #standing: RecordedEvent[] = [];
  #inputs: RecordedInput[] = [];
  #gaps: RecordedGap[] = [];
  #lines = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** What is wrong with a line; undefined where it was taken. */
  broken({ number, text, cut }: Line): string | undefined {
    this.#lines = number;
    const value = keptJson(text);
    if (number === 1) checkHead(value);
    else {
      const [name, fields] = isFields(value) ? (Object.entries(value)[0] ?? []) : [];
      if (name === undefined || !isFields(fields)) return cut ? 'the file is cut off here' : 'it is no line of a recording';
      try {
        this.#take(name, fields);
      } catch (error) {
        if (error instanceof TypeError) return error.message;
        throw error;
      }
    }
    return undefined;
  }

  end(): Broken | undefined {
    if (this.#pending !== undefined) return { line: this.#lines, message: 'the file ends within a poll' };
    this.#tell(undefined);
    return undefined;
  }

  #take(name: string, fields: Fields): void {
    if (this.#pending !== undefined && name !== 'event') throw new TypeError('events of the poll before it are missing');
    if (this.#session === undefined && name !== 'session') throw new TypeError('it belongs to no session');
    switch (name) {
      case 'session':
        this.#tell(undefined);
        this.#session = sessionOf(fields);
        this.#sink.session(this.#session);
        return;
      case 'standing':
        this.#standing.push(eventOf(fields));
        return;
      case 'input':
        this.#inputs.push({
          kind: wordOf(fields, 'kind', inputKinds),
          at: numberOf(fields, 'at'),
          value: JSON.stringify(fields['value']),
        });
        return;
      case 'gap':
        this.#gaps.push(gapOf(fields));
        return;
      case 'poll':
        this.#pending = { poll: pollOf(fields), count: numberOf(fields, 'events'), events: [] };
        return this.#complete();
      case 'event':
        if (this.#pending === undefined) throw new TypeError('the event belongs to no poll');
        this.#pending.events.push(eventOf(fields));
        return this.#complete();
      default:
        throw new TypeError(`it is of a kind that this version does not know: ${name.slice(0, 40)}`);
    }
  }

  #complete(): void {
    if (this.#pending === undefined || this.#pending.events.length < this.#pending.count) return;
    const { poll, events } = this.#pending;
    this.#pending = undefined;
    this.#tell({ ...poll, events });
  }

  #tell(poll: RecordedPoll | undefined): void {
    const session = this.#session;
    const [standing, inputs, gaps] = [this.#standing, this.#inputs, this.#gaps];
    if (session === undefined || (poll === undefined && standing.length + inputs.length + gaps.length === 0)) return;
    [this.#standing, this.#inputs, this.#gaps] = [[], [], []];
    this.#sink.unit({ session, ground: standing.length > 0 ? { standing, inForce: [] } : undefined, inputs, gaps, poll });
  }
}

function checkHead(value: unknown): void {
  if (!isFields(value) || value['recording'] !== 'magpie')
    throw new NotLines('its first line is not that of a recording of Magpie');
  if (value['form'] !== JSONL_FORM)
    throw new NotLines(`it was written by another Magpie (form ${JSON.stringify(value['form'])}; this one knows ${JSONL_FORM})`);
}

function sessionOf(fields: Fields): RecordedSession {
  return {
    ...{ id: 0, startedAt: numberOf(fields, 'startedAt'), stoppedAt: optionalNumber(fields, 'stoppedAt') },
    ...{ version: textOf(fields, 'version'), mode: textOf(fields, 'mode') },
  };
}

function gapOf(fields: Fields): RecordedGap {
  return {
    ...{ from: numberOf(fields, 'from'), to: numberOf(fields, 'to'), polls: numberOf(fields, 'polls') },
    ...{ inputs: numberOf(fields, 'inputs'), reason: textOf(fields, 'reason') },
  };
}

function pollOf(fields: Fields): Omit<RecordedPoll, 'events'> {
  return {
    ...{ seq: numberOf(fields, 'seq'), beganAt: numberOf(fields, 'beganAt'), endedAt: numberOf(fields, 'endedAt') },
    ...{ outcome: textOf(fields, 'outcome'), complete: fields['complete'] === true, first: fields['first'] === true },
    ...{
      status: optionalNumber(fields, 'status'),
      bytes: optionalNumber(fields, 'bytes'),
      count: optionalNumber(fields, 'count'),
    },
    ...{
      bad: optionalNumber(fields, 'bad'),
      requestId: optionalText(fields, 'requestId'),
      serviceDate: optionalNumber(fields, 'serviceDate'),
    },
    ...{ message: optionalText(fields, 'message'), after: undefined },
  };
}

function eventOf(fields: Fields): RecordedEvent {
  const kind = wordOf(fields, 'kind', eventKinds);
  const listing = fields['listing'];
  if (kind !== 'gone' && listing === undefined) throw new TypeError('the event has no listing');
  return {
    ...{ kind, at: numberOf(fields, 'at'), market: textOf(fields, 'market'), id: textOf(fields, 'id') },
    ...{ position: optionalNumber(fields, 'position'), chunk: optionalNumber(fields, 'chunk') },
    ...{ reason: optionalText(fields, 'reason'), text: listing === undefined ? undefined : JSON.stringify(listing) },
    ...{ pollSeq: undefined, afterPollAt: optionalNumber(fields, 'afterPollAt') },
  };
}
