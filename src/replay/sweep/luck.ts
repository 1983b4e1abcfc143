import type { Random } from '../../domain/random.ts';
import { type Interval, eachRedrawn, mean, middle, redrawn } from '../backtest/statistics.ts';
import { type PartResult, seriesOf } from './part.ts';

/** How much of the best one's lead is what the best of so many has by luck alone. Micro-dollars. */
export interface Luck {
  /** How many were tried beside the one that all are held against. */
  readonly tried: number;
  /** How far the best is ahead of it. */
  readonly lead: number;
  /** How far the best of so many would be ahead, on the average, if none were any better. */
  readonly byLuck: number;
  /** And nineteen times in twenty at most so far. */
  readonly byLuckHigh: number;
  /** The chance of such a lead by luck alone, 0 to 1. */
  readonly chance: number;
}

/** Below this the best is taken to be better than chance. */
export const LUCK_MAX = 0.05;

/**
 * White's reality check (Econometrica 68, 2000): with the pieces of the time drawn anew, alike for all, each variant's lead over `base` is
 * taken less the lead that it really had, as if none were better; the largest of those is what the best of all has by luck. The chance is
 * the share of draws whose largest is at least the lead of the best. Variants that buy alike count for little more than one.
 */
export function luckOf(base: PartResult, variants: readonly PartResult[], random: Random): Luck {
  const runs = seriesOf([base, ...variants]);
  const totals = [base, ...variants].map(({ blocks }) => blocks.reduce((sum, value) => sum + value, 0) / runs.length);
  const [own = 0, ...others] = totals;
  const leads = others.map((total) => total - own);
  const lead = Math.max(0, ...leads);
  const largest: number[] = [];
  eachRedrawn(runs, random, (drawn) => {
    const against = drawn[0] as number;
    let most = 0;
    for (const [index, real] of leads.entries()) most = Math.max(most, (drawn[index + 1] as number) - against - real);
    largest.push(most);
  });
  const asLarge = largest.filter((each) => each >= lead).length;
  const { high } = middle([...largest], 0.9);
  return {
    tried: variants.length,
    lead,
    byLuck: mean(largest),
    byLuckHigh: high,
    chance: (1 + asLarge) / (1 + largest.length),
  };
}

/** How one stands to another in a part that had no say in choosing it. Micro-dollars. */
export interface Ahead {
  readonly by: number;
  readonly interval: Interval;
  /** In how many of a hundred such times it would have made more, as a share; as much counts half. */
  readonly chance: number;
}

export function aheadOf(one: PartResult, other: PartResult, random: Random): Ahead {
  const runs = seriesOf([one, other]);
  const [first, second] = redrawn(runs, random) as [Float64Array, Float64Array];
  const ahead = first.map((value, index) => value - (second[index] as number));
  const wins = ahead.reduce((sum, value) => sum + (value > 0 ? 1 : value === 0 ? 0.5 : 0), 0);
  const total = ({ blocks }: PartResult): number => blocks.reduce((sum, value) => sum + value, 0) / runs.length;
  return { by: total(one) - total(other), interval: middle([...ahead]), chance: wins / ahead.length };
}

/** How far two orders agree: 1 the same, 0 nothing in common, -1 reversed (Spearman's rank correlation); undefined where one has no order. */
export function agreement(one: readonly number[], other: readonly number[]): number | undefined {
  const [a, b] = [ranks(one), ranks(other)];
  const middleRank = (one.length - 1) / 2;
  let [both, first, second] = [0, 0, 0];
  for (const [index, rank] of a.entries()) {
    const [x, y] = [rank - middleRank, (b[index] as number) - middleRank];
    both += x * y;
    first += x * x;
    second += y * y;
  }
  return first === 0 || second === 0 ? undefined : both / Math.sqrt(first * second);
}

/** From 0; those that are equal share the mean of their places. */
function ranks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => (values[a] as number) - (values[b] as number));
  const found: number[] = [];
  for (let from = 0; from < order.length;) {
    let to = from;
    while (to < order.length && values[order[to] as number] === values[order[from] as number]) to++;
    for (const index of order.slice(from, to)) found[index] = (from + to - 1) / 2;
    from = to;
  }
  return found;
}
