import type { EpochMs } from '../../domain/clock.ts';
import { type Scenario, scenarios } from './fates.ts';
import { profitOf } from './profit.ts';
import type { MarketHistory } from './market-history.ts';
import type { Bid, Replayed } from './replay.ts';
import { mean } from './statistics.ts';
import type { Study } from './study.ts';
import type { ValueModel } from './value.ts';

/** How a trial went over time. Micro-dollars at moments that are evenly apart. */
export interface Curves {
  readonly at: readonly EpochMs[];
  /** Profit of what was bought by then, each purchase counted when it was made. */
  readonly profit: Readonly<Record<Scenario, readonly number[]>>;
  /** Money in purchases that may not be sold yet, expected. */
  readonly locked: readonly number[];
  /** The deepest fall of the expected profit below what it had come to before. */
  readonly drawdown: number;
  /** What was spent over the mean of what was locked: how often the money went round; undefined where none was. */
  readonly turnover: number | undefined;
}

const POINTS = 160;

export function curvesOf({ from, to }: MarketHistory, study: Study, model: ValueModel): Curves {
  const at = Array.from({ length: POINTS + 1 }, (_, point) => from + ((to - from) * point) / POINTS);
  const won = ({ bids }: Replayed): readonly Bid[] => bids.filter(({ fate }) => fate === 'won');
  const runs: Record<Scenario, readonly Replayed[]> = {
    pessimistic: [study.pessimistic],
    expected: study.expected,
    optimistic: [study.optimistic],
  };
  const profits = (bids: readonly Bid[]): number[] => sums(at, bids, (bid) => profitOf(study, bid, model) ?? 0);
  const profit = Object.fromEntries(
    scenarios.map((scenario) => [scenario, meanOf(runs[scenario].map((run) => profits(won(run))))]),
  ) as Record<Scenario, readonly number[]>;
  const { holdMs } = study.trial.terms;
  const locked = meanOf(study.expected.map((run) => lockedAt(at, won(run), holdMs)));
  const spent = mean(study.expected.map((run) => won(run).reduce((total, { listing }) => total + listing.cost, 0)));
  const typical = mean([...locked]);
  return { at, profit, locked, drawdown: deepestFall(profit.expected), turnover: typical === 0 ? undefined : spent / typical };
}

/** What had come together by each moment. */
function sums(at: readonly EpochMs[], bids: readonly Bid[], of: (bid: Bid) => number): number[] {
  let [next, total] = [0, 0];
  const sorted = bids.toSorted((a, b) => a.decidedAt - b.decidedAt);
  return at.map((moment) => {
    for (let bid = sorted[next]; bid !== undefined && bid.decidedAt <= moment; bid = sorted[++next]) total += of(bid);
    return total;
  });
}

function lockedAt(at: readonly EpochMs[], bids: readonly Bid[], holdMs: number): number[] {
  const paid = sums(at, bids, ({ listing }) => listing.cost);
  const later = at.map((moment) => moment - holdMs);
  const free = sums(later, bids, ({ listing }) => listing.cost);
  return paid.map((amount, point) => amount - (free[point] as number));
}

function meanOf(series: readonly (readonly number[])[]): readonly number[] {
  return (series[0] ?? []).map((_, point) => mean(series.map((one) => one[point] as number)));
}

function deepestFall(values: readonly number[]): number {
  let [highest, deepest] = [Number.NEGATIVE_INFINITY, 0];
  for (const value of values) {
    highest = Math.max(highest, value);
    deepest = Math.max(deepest, highest - value);
  }
  return deepest;
}
