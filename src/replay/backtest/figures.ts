import { seededRandom } from '../../domain/random.ts';
import { type Evidence, evidenceOf } from './evidence.ts';
import type { Scenario } from './fates.ts';
import type { MarketHistory } from './market-history.ts';
import { profitOf } from './profit.ts';
import type { Bid } from './replay.ts';
import { BLOCKS, type Interval, mean, middle, redrawn } from './statistics.ts';
import type { Refused, Study } from './study.ts';
import { type ValueModel, valueModels } from './value.ts';
import { type WalkForward, walkForward } from './walk-forward.ts';

/** What purchases are worth by one model. Micro-dollars, means over the expected runs. */
export interface WorthFigures {
  /** Of the purchases, the share that the model can value, 0 to 1; undefined without any purchase. */
  readonly share: number | undefined;
  /** Of those alone: what they cost, are worth and leave. */
  readonly spent: number;
  readonly value: number;
  readonly profit: number;
  /** In how much the profit of another time like this would lie, 19 times in 20. */
  readonly interval: Interval;
}

export interface StrategyFigures {
  readonly name: string;
  /** Of the strategy's file. */
  readonly folder: string;
  readonly matched: number;
  readonly admitted: number;
  /** Why the others were not, the commonest reason first, each under the last one; those that came to no verdict are not among them. */
  readonly refusals: readonly Refused[];
  readonly bought: Readonly<Record<Scenario, number>>;
  /** How many would be bought in another time like this, 19 times in 20. */
  readonly boughtInterval: Interval;
  readonly spent: number;
  readonly worth: Readonly<Record<ValueModel, WorthFigures>>;
  /** Profit by the model that is asked for, by scenario. */
  readonly profit: Readonly<Record<Scenario, number>>;
  readonly evidence: Evidence;
}

/** How two strategies stand to each other: in how many of a hundred times like this the first would have made more. */
export interface Comparison {
  readonly better: Pick<StrategyFigures, 'name' | 'folder'>;
  readonly worse: Pick<StrategyFigures, 'name' | 'folder'>;
  /** 0.5 to 1. */
  readonly chance: number;
  readonly difference: Interval;
}

export interface Figures {
  readonly strategies: readonly StrategyFigures[];
  readonly comparisons: readonly Comparison[];
  readonly walkForward: WalkForward;
}

/** The figures of all strategies of some studies of one time, and how they compare by the model that is asked for. */
export function figuresOf(
  history: MarketHistory,
  studies: readonly Study[],
  model: ValueModel,
  seed: number,
  windows?: number,
): Figures {
  const series = studies.flatMap((study) => study.trial.rules.strategies.all.map(({ name }) => ({ study, name })));
  const random = seededRandom(seed, 'redrawn');
  const runs = Math.min(...studies.map(({ expected }) => expected.length));
  const blocksOf = (of: (study: Study, bid: Bid) => number): Float64Array[][] =>
    Array.from({ length: runs }, (_, run) =>
      series.map(({ study, name }) => blocks(history, study, name, run, (bid) => of(study, bid))),
    );
  const counts = redrawn(
    blocksOf(() => 1),
    random,
  );
  const profits = byModel((each) =>
    redrawn(
      blocksOf((study, bid) => profitOf(study, bid, each) ?? 0),
      random,
    ),
  );
  const strategies = series.map(({ study, name }, index) => {
    const interval = byModel((each) => middle([...(profits[each][index] as Float64Array)]));
    return strategyFigures(study, name, model, middle([...(counts[index] as Float64Array)]), interval);
  });
  return {
    strategies,
    comparisons: comparisonsOf(strategies, profits[model]),
    walkForward: walkForward(history, studies, model, windows),
  };
}

function byModel<T>(of: (model: ValueModel) => T): Record<ValueModel, T> {
  return Object.fromEntries(valueModels.map((model) => [model, of(model)])) as Record<ValueModel, T>;
}

function wonBy(bids: readonly Bid[], name: string): readonly Bid[] {
  return bids.filter(({ fate, strategy }) => fate === 'won' && strategy === name);
}

/** What a strategy earned in each piece of the time by a model, by expected run. Micro-dollars. */
export function profitBlocks(history: MarketHistory, study: Study, name: string, model: ValueModel): Float64Array[] {
  return study.expected.map((_, run) => blocks(history, study, name, run, (bid) => profitOf(study, bid, model) ?? 0));
}

/** What purchases of each piece of the time add up to. */
function blocks(
  { from, to }: Pick<MarketHistory, 'from' | 'to'>,
  study: Study,
  name: string,
  run: number,
  of: (bid: Bid) => number,
): Float64Array {
  const sums = new Float64Array(BLOCKS);
  for (const bid of wonBy(study.expected[run]?.bids ?? [], name)) {
    const block = Math.min(BLOCKS - 1, Math.max(0, Math.floor(((bid.decidedAt - from) / (to - from)) * BLOCKS)));
    sums[block] = (sums[block] as number) + of(bid);
  }
  return sums;
}

function strategyFigures(
  study: Study,
  name: string,
  model: ValueModel,
  boughtInterval: Interval,
  intervals: Record<ValueModel, Interval>,
): StrategyFigures {
  const runs = study.expected.map(({ bids }) => wonBy(bids, name));
  const [pessimistic, optimistic] = [wonBy(study.pessimistic.bids, name), wonBy(study.optimistic.bids, name)];
  const expected = mean(runs.map(({ length }) => length));
  const profit = (bids: readonly Bid[]): number => sumOf(bids, (bid) => profitOf(study, bid, model) ?? 0);
  return {
    ...{ name, folder: study.trial.folder },
    matched: study.matched.get(name) ?? 0,
    admitted: study.admitted.get(name) ?? 0,
    refusals: study.refusals.get(name) ?? [],
    bought: { pessimistic: pessimistic.length, expected, optimistic: optimistic.length },
    boughtInterval,
    spent: mean(runs.map((bids) => sumOf(bids, ({ listing }) => listing.cost))),
    worth: byModel((each) => worthFigures(study, runs, each, intervals[each])),
    profit: { pessimistic: profit(pessimistic), expected: mean(runs.map(profit)), optimistic: profit(optimistic) },
    evidence: evidenceOf(expected),
  };
}

function worthFigures(study: Study, runs: readonly (readonly Bid[])[], model: ValueModel, interval: Interval): WorthFigures {
  const valued = runs.map((bids) => bids.filter((bid) => profitOf(study, bid, model) !== undefined));
  const spent = mean(valued.map((bids) => sumOf(bids, ({ listing }) => listing.cost)));
  const profit = mean(valued.map((bids) => sumOf(bids, (bid) => profitOf(study, bid, model) ?? 0)));
  // What came back as money is worth what it cost by every model, and says nothing of how much one can value.
  const kept = runs.map((bids) => bids.filter(({ refunded }) => !refunded));
  const all = sumOf(kept, ({ length }) => length);
  const known = sumOf(kept, (bids) => bids.filter((bid) => profitOf(study, bid, model) !== undefined).length);
  return { share: all === 0 ? undefined : known / all, spent, value: spent + profit, profit, interval };
}

function comparisonsOf(strategies: readonly StrategyFigures[], profits: readonly Float64Array[]): readonly Comparison[] {
  return strategies.flatMap((one, a) =>
    strategies.slice(a + 1).map((other, offset): Comparison => {
      const [first, second] = [profits[a] as Float64Array, profits[a + 1 + offset] as Float64Array];
      const ahead = first.map((value, index) => value - (second[index] as number));
      const wins = ahead.reduce((sum, value) => sum + (value > 0 ? 1 : value === 0 ? 0.5 : 0), 0) / ahead.length;
      const isFirst = wins >= 0.5;
      const difference = middle([...ahead.map((value) => (isFirst ? value : -value))]);
      const [better, worse] = isFirst ? [one, other] : [other, one];
      return { better, worse, chance: isFirst ? wins : 1 - wins, difference };
    }),
  );
}

function sumOf<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
