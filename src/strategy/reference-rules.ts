import type { Listing } from '../domain/listing.ts';
import {
  type Micros,
  formatDollars,
  micros,
  microsFromDollars,
  shareFromNumber,
  withinShare,
  withoutShare,
} from '../domain/money.ts';
import { DAY_MS, type ReferenceRecord, jumpText } from '../domain/reference.ts';
import { counted } from '../domain/text.ts';
import { type Condition, effort, leaf } from './condition.ts';
import { dopplerTrap, trapWords } from './doppler-trap.ts';
import { open, settledAs, unforeseeable } from './outlook.ts';
import type { Conditions, PriceRules } from './schema.ts';
import { ageMs } from './shapes.ts';
import { partOf, percent } from './shares.ts';
import type { Surroundings } from './surroundings.ts';
import { verdictOf } from './verdict.ts';

type Wanted = NonNullable<Conditions['reference']>;

/** Conditions on the record of the listing's name, in the order of the file; each is absent where there is no record. */
export function referenceConditions(wanted: Wanted, path: string): readonly Condition[] {
  const made = { minSamples, maxAge, maxJump } as const;
  const isKey = (key: string): key is keyof Wanted => key in made;
  return Object.keys(wanted)
    .filter(isKey)
    .flatMap((key) => made[key](wanted, path));
}

interface OnRecord {
  readonly path: string;
  readonly wants: string;
  /** undefined: it has no answer, which makes the verdict absent. */
  readonly holds: (record: ReferenceRecord, listing: Listing, around: Surroundings) => boolean | undefined;
  readonly shown: (record: ReferenceRecord, listing: Listing, around: Surroundings) => string;
}

function onRecord({ path, wants, holds, shown }: OnRecord): Condition {
  return leaf({
    path,
    effort: effort.number,
    wants,
    judge: (listing, around) => {
      const record = around.recordOf(listing.nameFolded);
      const verdict = record && holds(record, listing, around);
      return verdict === undefined ? 'absent' : verdictOf(verdict);
    },
    has: (listing, around) => {
      const record = around.recordOf(listing.nameFolded);
      return record === undefined ? noRecord : shown(record, listing, around);
    },
  });
}

const noRecord = 'absent: no record of its steamPrice yet';

function minSamples({ minSamples: least }: Wanted, path: string): Condition[] {
  if (least === undefined) return [];
  const holds: OnRecord['holds'] = ({ samples }) => samples >= least;
  const shown: OnRecord['shown'] = ({ samples }) => counted(samples, 'day');
  return [onRecord({ path: `${path}.minSamples`, wants: `at least ${counted(least, 'day')} on record`, holds, shown })];
}

function maxAge({ maxAge: wanted }: Wanted, path: string): Condition[] {
  const most = wanted === undefined ? undefined : ageMs(wanted);
  if (most === undefined) return [];
  return [
    onRecord({
      path: `${path}.maxAge`,
      wants: `a record at most ${wanted} old`,
      // A record from the future is out of order, however young it claims to be.
      holds: ({ newestAt }, _, { at }) => at - newestAt <= most && at - newestAt >= -DAY_MS,
      shown: ({ newestAt }, _, { at }) => `${Math.max(0, Math.floor((at - newestAt) / 3_600_000))} h old`,
    }),
  ];
}

function maxJump({ maxJump: wanted }: Wanted, path: string): Condition[] {
  const share = wanted === undefined ? undefined : shareFromNumber(wanted);
  if (wanted === undefined || share === undefined) return [];
  const within = withinShare(share);
  return [
    onRecord({
      path: `${path}.maxJump`,
      wants: `a steamPrice at most ${percent(wanted)} off its median`,
      holds: ({ median }, { steam }) => (steam === undefined ? undefined : within(distance(steam, median), median)),
      shown: (record, { steam }) =>
        steam === undefined ? 'absent: no steamPrice' : `${jumpText(steam, record)} from ${formatDollars(record.median)}`,
    }),
  ];
}

function distance(a: Micros, b: Micros): Micros {
  return micros(Math.abs(a - b));
}

/** Its price against the recorded median; like steamPrice itself that says nothing of a Doppler, unless the strategy lets it count. */
export function maxOfMedian({ maxOfMedian: wanted }: PriceRules, doppler: boolean): Condition[] {
  const share = wanted === undefined ? undefined : shareFromNumber(wanted);
  if (wanted === undefined || share === undefined) return [];
  const within = withinShare(share);
  const isTrap = dopplerTrap(doppler);
  return [
    leaf({
      path: 'price.maxOfMedian',
      effort: effort.number,
      wants: `at most ${percent(wanted)} of the recorded median of steamPrice`,
      judge: (listing, around) => {
        if (isTrap(listing)) return 'false';
        const record = around.recordOf(listing.nameFolded);
        return record === undefined ? 'absent' : verdictOf(within(listing.cost, record.median));
      },
      foresee: doppler ? unforeseeable : (item) => (isTrap(item) ? settledAs('false') : open),
      has: (listing, around) => {
        if (isTrap(listing)) return trapWords;
        const record = around.recordOf(listing.nameFolded);
        if (record === undefined) return noRecord;
        const { median, samples } = record;
        return `${formatDollars(listing.cost)}; the limit is ${formatDollars(partOf(median, share))} of ${formatDollars(median)}, the median of ${counted(samples, 'day')}`;
      },
    }),
  ];
}

/** Its price against the cheapest other live listing of its name; absent where there is no other. */
export function belowFloor({ belowFloor: wanted }: PriceRules): Condition[] {
  if (wanted === undefined) return [];
  const { share: lessShare, dollars } = typeof wanted === 'number' ? { share: wanted, dollars: undefined } : wanted;
  const less = lessShare === undefined ? undefined : shareFromNumber(lessShare);
  const within = less && withinShare(withoutShare(less));
  const amount = dollars === undefined ? undefined : microsFromDollars(dollars, 'up');
  const isLess = (cost: Micros, floor: Micros): boolean =>
    (within === undefined || within(cost, floor)) && (amount === undefined || floor - cost >= amount);
  const words = [
    ...(lessShare === undefined ? [] : [percent(lessShare)]),
    ...(amount === undefined ? [] : [formatDollars(amount)]),
  ];
  return [
    leaf({
      path: 'price.belowFloor',
      effort: effort.number,
      wants: `at least ${words.join(' and ')} below the cheapest other listing of its name`,
      judge: (listing, around) => {
        const floor = around.floorBeside(listing);
        return floor === undefined ? 'absent' : verdictOf(isLess(listing.cost, floor));
      },
      has: (listing, around) => {
        const floor = around.floorBeside(listing);
        return floor === undefined
          ? 'absent: no other listing of its name is known'
          : `${formatDollars(listing.cost)}; the cheapest other costs ${formatDollars(floor)}`;
      },
    }),
  ];
}
