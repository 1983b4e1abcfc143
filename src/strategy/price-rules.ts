import {
  type Micros,
  formatDollars,
  micros,
  microsFromDollars,
  shareFromNumber,
  withinShare,
  withoutShare,
} from '../domain/money.ts';
import { type Condition, comparison, effort, leaf } from './condition.ts';
import { dopplerTrap, trapWords } from './doppler-trap.ts';
import { open, settledAs, unforeseeable } from './outlook.ts';
import { belowFloor, maxOfMedian } from './reference-rules.ts';
import type { PriceRules } from './schema.ts';
import { partOf, percent } from './shares.ts';
import { netOfSteam } from './steam-fee.ts';
import { verdictOf } from './verdict.ts';

/**
 * The rules on price, in the order of the file. Money is compared exactly; equal is within. `doppler`: whether the strategy
 * lets steamPrice count for Doppler finishes, whose phases it blends.
 */
export function priceConditions(rules: PriceRules, doppler: boolean): Condition[] {
  const made = { max: maxCost, maxOfSteam, minProfit, steamFee: () => [], maxOfMedian, belowFloor } as const;
  const isRule = (key: string): key is keyof PriceRules => key in made;
  return Object.keys(rules)
    .filter(isRule)
    .flatMap((rule) => made[rule](rules, doppler));
}

function maxCost({ max }: PriceRules): Condition[] {
  const limit = max === undefined ? undefined : microsFromDollars(max, 'down');
  if (limit === undefined) return [];
  return [
    comparison({
      path: 'price.max',
      effort: effort.number,
      wants: `at most ${formatDollars(limit)}`,
      read: (listing) => listing.cost,
      holds: (cost) => cost <= limit,
      shown: formatDollars,
    }),
  ];
}

function maxOfSteam({ maxOfSteam: wanted }: PriceRules, doppler: boolean): Condition[] {
  const share = wanted === undefined ? undefined : shareFromNumber(wanted);
  if (wanted === undefined || share === undefined) return [];
  return [
    byReference(doppler, {
      path: 'price.maxOfSteam',
      wants: `at most ${percent(wanted)} of steamPrice`,
      holds: withinShare(share),
      shown: (cost, steam) =>
        `${formatDollars(cost)}; the limit is ${formatDollars(partOf(steam, share))} of ${formatDollars(steam)}`,
    }),
  ];
}

function minProfit({ minProfit: wanted, steamFee }: PriceRules, doppler: boolean): Condition[] {
  const least = wanted === undefined ? undefined : microsFromDollars(wanted, 'up');
  if (least === undefined) return [];
  const fee = steamFee === undefined ? undefined : shareFromNumber(steamFee);
  const kept = fee && withoutShare(fee);
  const keptCovers = kept && withinShare(kept);
  const net = kept ? (steam: Micros) => partOf(steam, kept) : netOfSteam;
  return [
    byReference(doppler, {
      path: 'price.minProfit',
      wants: `at least ${formatDollars(least)} left after ${steamFee === undefined ? "Steam's fee" : `a fee of ${percent(steamFee)}`}`,
      // What is kept of the reference is at least price and profit together; with a rate of one's own as an exact fraction.
      holds: keptCovers
        ? (cost, steam) => keptCovers(micros(cost + least), steam)
        : (cost, steam) => netOfSteam(steam) - cost >= least,
      shown: (cost, steam) =>
        `${formatDollars(micros(net(steam) - cost))}: a sale at ${formatDollars(steam)} leaves ${formatDollars(net(steam))}, it costs ${formatDollars(cost)}`,
    }),
  ];
}

interface ReferenceRule {
  readonly path: string;
  readonly wants: string;
  readonly holds: (cost: Micros, steam: Micros) => boolean;
  readonly shown: (cost: Micros, steam: Micros) => string;
}

/** A rule that compares with steamPrice: absent without one, and false for a Doppler unless the strategy allows it. */
function byReference(doppler: boolean, { path, wants, holds, shown }: ReferenceRule): Condition {
  const isTrap = dopplerTrap(doppler);
  return leaf({
    path,
    effort: effort.number,
    wants,
    judge: (listing) => {
      if (listing.steam === undefined) return isTrap(listing) ? 'false' : 'absent';
      return verdictOf(holds(listing.cost, listing.steam) && !isTrap(listing));
    },
    foresee: doppler ? unforeseeable : (item) => (isTrap(item) ? settledAs('false') : open),
    has: (listing) => {
      if (isTrap(listing)) return trapWords;
      return listing.steam === undefined ? 'absent: no steamPrice' : shown(listing.cost, listing.steam);
    },
  });
}
