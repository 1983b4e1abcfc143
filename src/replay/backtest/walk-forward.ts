import type { EpochMs } from '../../domain/clock.ts';
import { type Evidence, evidenceOf } from './evidence.ts';
import type { MarketHistory } from './market-history.ts';
import { profitOf } from './profit.ts';
import type { Bid } from './replay.ts';
import type { Study } from './study.ts';
import type { ValueModel } from './value.ts';

/** One strategy of those that are tried. */
interface Named {
  readonly name: string;
  readonly folder: string;
}

/** What a strategy came to, mean over the expected runs. Micro-dollars. */
interface Came extends Named {
  readonly bought: number;
  readonly spent: number;
  readonly profit: number;
}

/** A stretch of the time, and the choice of a strategy that everything before it, and nothing else, would have led to. */
export interface WalkWindow {
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** The strategy whose purchases had made the most by then; undefined where none had made anything. */
  readonly chosen: Named | undefined;
  /** How many purchases that choice rests on, and what so many are worth as evidence. */
  readonly known: number;
  readonly evidence: Evidence;
  /** What the chosen one came to in this stretch: 0 where none was. */
  readonly profit: number;
  readonly strategies: readonly (Came & {
    /** By the beginning of the stretch, as far as its worth could be known then. */ readonly before: {
      readonly bought: number;
      readonly profit: number;
    };
  })[];
}

export interface WalkForward {
  readonly windows: readonly WalkWindow[];
  /** Of all choices together. */
  readonly profit: number;
  /** The one strategy that would have made the most over all of these stretches, known only afterwards; undefined without any. */
  readonly hindsight: Came | undefined;
}

/** Into so many stretches what comes after the first choice is cut, unless told otherwise. */
export const WINDOWS = 4;

/**
 * Walks through a time as somebody would who chooses anew at the beginning of each stretch: by what was known then, judged on what came
 * after. The first of `windows` + 1 equal stretches is there to learn from alone. A purchase is known to a choice when its worth is: by the model
 * `relist` not before it could be sold, and one whose money comes back not before it has.
 */
export function walkForward(
  history: MarketHistory,
  studies: readonly Study[],
  model: ValueModel,
  windows = WINDOWS,
): WalkForward {
  const { from, to } = history;
  const series = studies.flatMap((study) => study.trial.rules.strategies.all.map(({ name }) => seriesOf(study, name, model)));
  const edge = (index: number): EpochMs => from + ((to - from) * index) / (windows + 1);
  const walked = Array.from({ length: windows }, (_, index) => windowOf(series, edge(index + 1), edge(index + 2)));
  const totals = series.map((each) => each.came(edge(1), Number.POSITIVE_INFINITY));
  return {
    windows: walked,
    profit: walked.reduce((sum, { profit }) => sum + profit, 0),
    hindsight: totals.toSorted((a, b) => b.profit - a.profit)[0],
  };
}

interface Series extends Named {
  /** What was bought from one moment until before another. */
  came(from: EpochMs, to: EpochMs): Came;
  /** What was known by a moment. */
  known(at: EpochMs): { readonly bought: number; readonly profit: number };
}

function seriesOf(study: Study, name: string, model: ValueModel): Series {
  const runs = study.expected.length;
  const won = study.expected.flatMap(({ bids }) =>
    bids
      .filter(({ fate, strategy }) => fate === 'won' && strategy === name)
      .map((bid) => ({ bid, profit: profitOf(study, bid, model) ?? 0, knownAt: knownAt(study, bid, model) })),
  );
  const named = { name, folder: study.trial.folder };
  return {
    ...named,
    came(from, to) {
      const own = won.filter(({ bid: { decidedAt } }) => decidedAt >= from && decidedAt < to);
      const spent = own.reduce((sum, { bid }) => sum + bid.listing.cost, 0) / runs;
      return { ...named, bought: own.length / runs, spent, profit: sumOf(own) / runs };
    },
    known(at) {
      const own = won.filter((each) => each.knownAt < at);
      return { bought: own.length / runs, profit: sumOf(own) / runs };
    },
  };
}

function sumOf(own: readonly { readonly profit: number }[]): number {
  return own.reduce((sum, { profit }) => sum + profit, 0);
}

function knownAt(study: Study, bid: Bid, model: ValueModel): EpochMs {
  if (bid.refunded) return bid.decidedAt + study.trial.terms.holdMs;
  return model === 'relist' ? study.valuer.relistKnownAt(bid) : bid.decidedAt;
}

function windowOf(series: readonly Series[], from: EpochMs, to: EpochMs): WalkWindow {
  const strategies = series.map((each) => ({ ...each.came(from, to), before: each.known(from) }));
  const [first] = strategies.toSorted((a, b) => b.before.profit - a.before.profit);
  const chosen = first !== undefined && first.before.profit > 0 ? first : undefined;
  const known = strategies.reduce((sum, { before }) => sum + before.bought, 0);
  return {
    ...{ from, to, known, evidence: evidenceOf(known), strategies, profit: chosen?.profit ?? 0 },
    chosen: chosen && { name: chosen.name, folder: chosen.folder },
  };
}
