import type { Sample } from '../polls/memory.ts';
import { growth, slopeOf } from '../polls/memory.ts';

const MB = 1e6;
const DAY_POLLS = 86_400;

/** What is held at one moment of a soak, in bytes and counts. */
export interface SoakSample extends Sample {
  /** Files that are open, and timers that have not fired. */
  readonly files: number;
  readonly timers: number;
  /** Ledger with its write-ahead log; recording with its own. */
  readonly ledger: number;
  readonly recording: number;
  readonly backups: number;
  /** Of the log, all lines so far. */
  readonly logged: number;
}

/** What happened besides polls. */
export interface SoakCounts {
  readonly bad: number;
  readonly purchases: number;
  readonly reloads: number;
  readonly backups: number;
  readonly checks: number;
  readonly digests: number;
  readonly alerts: number;
  readonly letters: number;
  readonly shadows: number;
}

export interface SoakBounds {
  /** What the recording may take, bytes. */
  readonly recording: number;
  /** Backups that are kept. */
  readonly backups: number;
}

/** One line of the table: a figure, its bound, and whether it holds. */
export interface Figure {
  readonly what: string;
  readonly value: string;
  readonly bound: string;
  readonly holds: boolean;
}

/**
 * Rises are those of a line through the second half of the samples, from its beginning to its end, so that a bound on them is stricter on
 * each poll the longer a soak lasts. Memory of the process comes and goes by whole pages; objects do not.
 */
const RESIDENT_RISE_MAX = 16 * MB;
const OBJECTS_RISE_MAX = 2 * MB;
const BUFFERS_RISE_MAX = 2 * MB;
/** Files and timers that are open for a moment come and go. */
const OPEN_MORE_MAX = 3;
/** What a ledger keeps for ever: purchases with their evidence, alerts, readings. */
const LEDGER_A_DAY_MAX = 8 * MB;
const LOG_A_DAY_MAX = 20 * MB;

/** Holds what was measured against its bounds. At least eight samples are needed. */
export function soakFigures(samples: readonly SoakSample[], counts: SoakCounts, bounds: SoakBounds): readonly Figure[] {
  const last = samples.at(-1);
  const middle = samples[Math.floor(samples.length / 2)];
  if (last === undefined || middle === undefined || samples.length < 8) throw new RangeError('too few samples for a slope');
  const across = last.polls - middle.polls;
  const rise = (of: (sample: SoakSample) => number): number => slopeOf(samples, of) * across;
  const aDay = (of: (sample: SoakSample) => number): number => slopeOf(samples, of) * DAY_POLLS;
  const most = (of: (sample: SoakSample) => number): number => Math.max(...samples.map(of));
  return [
    risen(
      'resident memory, rise over the second half',
      rise(({ resident }) => resident),
      RESIDENT_RISE_MAX,
      aDay(({ resident }) => resident),
    ),
    risen(
      'objects on the heap, the same',
      rise(({ heap, code }) => heap - code),
      OBJECTS_RISE_MAX,
      aDay(({ heap, code }) => heap - code),
    ),
    risen(
      'buffers, the same',
      rise(({ buffers }) => buffers),
      BUFFERS_RISE_MAX,
      aDay(({ buffers }) => buffers),
    ),
    more(
      'files and sockets open, more in the end',
      growth(samples, ({ files }) => files),
    ),
    more(
      'timers, more in the end',
      growth(samples, ({ timers }) => timers),
    ),
    atMost(
      'ledger, growth a day',
      aDay(({ ledger }) => ledger),
      LEDGER_A_DAY_MAX,
    ),
    atMost(
      'recording, largest',
      most(({ recording }) => recording),
      bounds.recording,
    ),
    atMost(
      'log, a day',
      aDay(({ logged }) => logged),
      LOG_A_DAY_MAX,
    ),
    {
      what: 'backups kept, most',
      value: String(most(({ backups }) => backups)),
      bound: `≤ ${bounds.backups}`,
      holds: most(({ backups }) => backups) <= bounds.backups,
    },
    ...happened(counts),
  ];
}

/** A soak in which nothing happened would show nothing. */
function happened(counts: SoakCounts): Figure[] {
  return Object.entries(counts).map(([what, count]: [string, number]) => ({
    what: words[what as keyof SoakCounts],
    value: String(count),
    bound: '> 0',
    holds: count > 0,
  }));
}

const words: Readonly<Record<keyof SoakCounts, string>> = {
  bad: 'answers that were bad',
  purchases: 'purchases',
  reloads: 'changes of limits and strategies',
  backups: 'backups made',
  checks: 'nightly checks of the ledger',
  digests: 'digests',
  alerts: 'alerts',
  letters: 'messages that the channel took',
  shadows: 'purchases on paper checked again',
};

function risen(what: string, bytes: number, max: number, aDay: number): Figure {
  return {
    what,
    value: `${signed(bytes / MB)} MB (${signed(aDay / MB)} MB a day)`,
    bound: `≤ ${max / MB} MB`,
    holds: bytes <= max,
  };
}

function atMost(what: string, bytes: number, max: number): Figure {
  return { what, value: `${(bytes / MB).toFixed(2)} MB`, bound: `≤ ${(max / MB).toFixed(1)} MB`, holds: bytes <= max };
}

function more(what: string, count: number): Figure {
  return { what, value: signed(count), bound: `≤ ${OPEN_MORE_MAX}`, holds: count <= OPEN_MORE_MAX };
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
}
