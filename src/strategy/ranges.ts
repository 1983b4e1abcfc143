import type { Listing } from '../domain/listing.ts';
import { type Micros, formatDollars, microsFromDollars } from '../domain/money.ts';
import { type Condition, comparison } from './condition.ts';
import type { Foresee } from './outlook.ts';
import type { Range } from './schema.ts';

const bounds = {
  min: { words: 'at least', holds: (value: number, bound: number) => value >= bound },
  max: { words: 'at most', holds: (value: number, bound: number) => value <= bound },
  above: { words: 'above', holds: (value: number, bound: number) => value > bound },
  below: { words: 'below', holds: (value: number, bound: number) => value < bound },
} as const;

type Bound = keyof typeof bounds;

interface Measure {
  readonly path: string;
  readonly effort: number;
  readonly read: (listing: Listing) => number | undefined;
  readonly foresee?: Foresee;
}

/** One condition for each bound of a range, on a plain number with all its digits. */
export function rangeConditions(range: Range, measure: Measure): Condition[] {
  return boundsOf(range).map(([bound, limit]) => {
    const { words, holds } = bounds[bound];
    return comparison({
      path: `${measure.path}.${bound}`,
      effort: measure.effort,
      wants: `${words} ${limit}`,
      read: measure.read,
      foresee: measure.foresee,
      holds: (value) => holds(value, limit),
      shown: String,
    });
  });
}

/** The same on an amount of money, exact to the micro-dollar. */
export function moneyRangeConditions(
  range: Range,
  measure: Measure & { read: (listing: Listing) => Micros | undefined },
): Condition[] {
  return boundsOf(range).map(([bound, dollars]) => {
    const { words, holds } = bounds[bound];
    // Amounts are whole micro-dollars, so a finer bound says the same once rounded to the side on which nothing lies between.
    const limit = microsFromDollars(dollars, bound === 'min' || bound === 'below' ? 'up' : 'down');
    return comparison({
      path: `${measure.path}.${bound}`,
      effort: measure.effort,
      wants: `${words} ${limit === undefined ? `$${dollars}` : formatDollars(limit)}`,
      read: measure.read,
      holds: (value) => limit !== undefined && holds(value, limit),
      shown: formatDollars,
    });
  });
}

function boundsOf(range: Range): [Bound, number][] {
  const isBound = (key: string): key is Bound => key in bounds;
  return Object.keys(range)
    .filter(isBound)
    .flatMap((bound) => (range[bound] === undefined ? [] : [[bound, range[bound]]]));
}
