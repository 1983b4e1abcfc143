import type { EpochMs } from '../domain/clock.ts';
import type { Moment, RecordedEvent, RecordedGap, RecordedInput, RecordedPoll, RecordedSession } from './moment.ts';

/** Up to when a session of a recording could be read, and why no further. */
export interface Damage {
  readonly recording: string;
  readonly readUntil: EpochMs;
  readonly message: string;
}

/** A poll of a session with what was noted since the one before it. */
export interface Unit {
  readonly session: RecordedSession;
  /** What it all stands on; only of the first unit. */
  readonly ground: { readonly standing: readonly RecordedEvent[]; readonly inForce: readonly RecordedInput[] } | undefined;
  readonly inputs: readonly RecordedInput[];
  readonly gaps: readonly RecordedGap[];
  /** undefined: what came in after the last poll. */
  readonly poll: RecordedPoll | undefined;
}

/** The moments of one session, poll by poll. */
export function* unitsOf(moments: Iterable<Moment>, onDamage: (damage: Damage) => void): Generator<Unit> {
  let session: RecordedSession | undefined;
  let unit = emptyUnit();
  for (const moment of moments) {
    session = moment.source.session;
    if (moment.kind === 'ground') unit.ground = { standing: moment.standing, inForce: moment.inForce };
    if (moment.kind === 'input') unit.inputs.push(moment.input);
    if (moment.kind === 'gap') unit.gaps.push(moment.gap);
    if (moment.kind === 'damage') onDamage({ recording: moment.source.recording, readUntil: moment.at, message: moment.message });
    if (moment.kind !== 'poll') continue;
    yield { session, ...unit, poll: moment.poll };
    unit = emptyUnit();
  }
  if (session !== undefined && unit.inputs.length + unit.gaps.length > 0) yield { session, ...unit, poll: undefined };
}

function emptyUnit(): { ground: Unit['ground']; inputs: RecordedInput[]; gaps: RecordedGap[] } {
  return { ground: undefined, inputs: [], gaps: [] };
}

/**
 * The units of the same session from several recordings as one series: each poll once, from whichever recording knows more of what came
 * before it.
 */
export function* unitedUnits(series: readonly Iterator<Unit>[]): Generator<Unit> {
  const heads = series.flatMap((rest) => headOf(rest));
  let told = 0;
  for (;;) {
    const seq = Math.min(...heads.map(({ unit }) => seqOf(unit)));
    const same = heads.filter(({ unit }) => seqOf(unit) === seq);
    // What came in after the last poll of all is known by who has that poll.
    const fullest = same
      .filter((head) => seq !== Number.POSITIVE_INFINITY || head.last === told)
      .toSorted((a, b) => noted(b.unit) - noted(a.unit))[0];
    if (fullest === undefined) return;
    yield fullest.unit;
    if (seq !== Number.POSITIVE_INFINITY) told = seq;
    for (const head of same) {
      const result = head.rest.next();
      if (result.done === true) heads.splice(heads.indexOf(head), 1);
      else head.unit = result.value;
      head.last = seq;
    }
  }
}

interface Head {
  readonly rest: Iterator<Unit>;
  unit: Unit;
  /** The poll of the unit before. */
  last: number;
}

function headOf(rest: Iterator<Unit>): Head[] {
  const first = rest.next();
  return first.done === true ? [] : [{ rest, unit: first.value, last: 0 }];
}

const seqOf = ({ poll }: Unit): number => poll?.seq ?? Number.POSITIVE_INFINITY;
const noted = ({ inputs, gaps }: Unit): number => inputs.length + gaps.length;
