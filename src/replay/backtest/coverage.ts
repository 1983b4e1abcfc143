import type { EpochMs } from '../../domain/clock.ts';
import type { Floats } from './columns.ts';

/** A time in which nobody watched. */
export interface Blind {
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly why: string;
}

/** How much of a time was watched. */
export interface Coverage {
  /** 0 to 1. */
  readonly share: number;
  /** Oldest first. */
  readonly blind: readonly Blind[];
  /** From the start of one complete poll to that of the next, in the middle; undefined with fewer than two. */
  readonly intervalMs: number | undefined;
}

/** A pause of so many usual intervals is a gap. */
const INTERVALS = 5;
/** And none shorter than this is. */
const GAP_MS_MIN = 10_000;

interface Times {
  /** Complete polls, in their order. */
  readonly beganAt: Floats;
  readonly endedAt: Floats;
}

/** What was watched of a time, by its complete polls. `reasons` say why where a gap was told of. */
export function coverageOf(
  { beganAt, endedAt }: Times,
  { from, to }: { readonly from: EpochMs; readonly to: EpochMs },
  reasons: readonly Blind[],
): Coverage {
  const intervalMs = medianInterval(beganAt);
  const gapMs = Math.max(GAP_MS_MIN, INTERVALS * (intervalMs ?? 0));
  const blind: Blind[] = [];
  const note = (begin: EpochMs, end: EpochMs, why: string): void => {
    const [low, high] = [Math.max(begin, from), Math.min(end, to)];
    if (high > low)
      blind.push({ from: low, to: high, why: reasons.find((each) => each.from < high && each.to > low)?.why ?? why });
  };
  const count = beganAt.length;
  if (count === 0) note(from, to, 'no complete poll');
  else {
    if (beganAt.at(0) - from > gapMs) note(from, beganAt.at(0), 'nothing was recorded');
    for (let index = 1; index < count; index++) {
      if (beganAt.at(index) - endedAt.at(index - 1) > gapMs) note(endedAt.at(index - 1), beganAt.at(index), 'no complete poll');
    }
    if (to - endedAt.at(count - 1) > gapMs) note(endedAt.at(count - 1), to, 'nothing was recorded');
  }
  const lost = blind.reduce((total, gap) => total + gap.to - gap.from, 0);
  return { share: to > from ? 1 - lost / (to - from) : 0, blind, intervalMs };
}

function medianInterval(beganAt: Floats): number | undefined {
  if (beganAt.length < 2) return undefined;
  const steps = new Float64Array(beganAt.length - 1);
  for (let index = 1; index < beganAt.length; index++) steps[index - 1] = beganAt.at(index) - beganAt.at(index - 1);
  return steps.sort()[steps.length >> 1];
}
