import type { RecordedEvent, RecordedGap, RecordedInput, RecordedPoll, RecordedSession } from './moment.ts';
import type { Sink } from './merge.ts';

/** The form of the lines; the first one says it. */
export const JSONL_FORM = 1;

/** The first line of a file. */
export function jsonlHead(): string {
  return `${JSON.stringify({ recording: 'magpie', form: JSONL_FORM })}\n`;
}

/**
 * Writes what it is told as lines of JSON: `{"poll": …}` with the number of its events, then a line for each of these; sessions, what
 * stood at the beginning of one, inputs and gaps likewise. Times are epoch milliseconds, listings as the service sent them.
 */
export function jsonlSink(write: (text: string) => void): Sink {
  return {
    session: (session) => write(line('session', sessionFields(session))),
    unit: ({ ground, inputs, gaps, poll }) => {
      for (const event of ground?.standing ?? []) write(eventLine('standing', event));
      for (const input of [...(ground?.inForce ?? []), ...inputs]) write(inputLine(input));
      for (const gap of gaps) write(line('gap', gapFields(gap)));
      if (poll === undefined) return;
      write(line('poll', pollFields(poll)));
      for (const event of poll.events) write(eventLine('event', event));
    },
  };
}

/** What is undefined is left out. */
function line(name: string, fields: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify({ [name]: fields })}\n`;
}

function sessionFields({ startedAt, stoppedAt, version, mode }: RecordedSession): Readonly<Record<string, unknown>> {
  return { startedAt, stoppedAt, version, mode };
}

function gapFields({ from, to, polls, inputs, reason }: RecordedGap): Readonly<Record<string, unknown>> {
  return { from, to, polls, inputs, reason };
}

/** The poll before it is known by its place. */
function pollFields(poll: RecordedPoll): Readonly<Record<string, unknown>> {
  return { ...poll, after: undefined, events: poll.events.length };
}

/** The value is JSON already, and stays as it was written. */
function inputLine({ kind, at, value }: RecordedInput): string {
  return `{"input":{"kind":${JSON.stringify(kind)},"at":${JSON.stringify(at)},"value":${value}}}\n`;
}

function eventLine(name: string, { kind, at, market, id, position, chunk, reason, text, afterPollAt }: RecordedEvent): string {
  const fields = JSON.stringify({ kind, at, afterPollAt, market, id, position, chunk, reason });
  return text === undefined ? `{"${name}":${fields}}\n` : `{"${name}":${fields.slice(0, -1)},"listing":${text}}}\n`;
}
