import type { Micros } from '../../domain/money.ts';
import { figuresOf, profitBlocks } from '../../replay/backtest/figures.ts';
import type { MarketHistory } from '../../replay/backtest/market-history.ts';
import { type FittedModels, withFates } from '../../replay/backtest/models.ts';
import { BLOCKS } from '../../replay/backtest/statistics.ts';
import { study } from '../../replay/backtest/study.ts';
import type { ValueModel, ValueTerms } from '../../replay/backtest/value.ts';
import { type Part, type PartResult, type VariantResult, parts } from '../../replay/sweep/part.ts';
import { type SharedHistory, historyFor, sharedMarket } from '../../replay/sweep/shared-history.ts';
import { parseStrategy } from '../../strategy/parse.ts';
import type { Strategy } from '../../strategy/strategy.ts';
import { type ReplaySettings, trialRules } from '../backtest.ts';

/** All that is the same for every variant, in a form that threads can be handed. */
export interface SweepWork {
  readonly parts: Readonly<Record<Part, WorkPart>>;
  readonly settings: ReplaySettings;
  readonly terms: ValueTerms;
  readonly model: ValueModel;
  readonly seed: number;
}

export interface WorkPart {
  readonly history: SharedHistory;
  readonly models: FittedModels;
  readonly healthHeard: boolean;
  readonly balance: Micros | undefined;
}

/** One variant, as threads are handed it. */
export interface VariantTask {
  readonly document: unknown;
  readonly text: string;
  readonly hash: string;
}

/** Tries variants on shared histories. What one comes to depends on it alone, never on who else is tried, or where. */
export class VariantStudies {
  readonly #work: SweepWork;
  readonly #markets: Readonly<Record<Part, Omit<MarketHistory, 'shown'>>>;

  constructor(work: SweepWork) {
    this.#work = work;
    this.#markets = { train: sharedMarket(work.parts.train.history), test: sharedMarket(work.parts.test.history) };
  }

  /** Throws where the document is no strategy: it was one when it was handed on. */
  of({ document, text, hash }: VariantTask): VariantResult {
    const parsed = parseStrategy(document, { text, hash });
    if (!parsed.ok) throw new TypeError(`a variant is no strategy: ${parsed.faults[0]?.message ?? ''}`);
    const results = parts.map((part) => [part, this.#in(part, parsed.strategy)] as const);
    return Object.fromEntries(results) as Record<Part, PartResult>;
  }

  #in(part: Part, strategy: Strategy): PartResult {
    const { settings, terms, model, seed } = this.#work;
    const { history: shared, models, healthHeard, balance } = this.#work.parts[part];
    const market = this.#markets[part];
    const history = historyFor(strategy, shared, market);
    const rules = trialRules(settings, [strategy], healthHeard);
    const done = study(history, withFates(market, models), { folder: '', rules, rate: settings.rate.buys, balance, terms });
    const [figures] = figuresOf(history, [done], model, seed).strategies;
    if (figures === undefined) throw new TypeError('a study of one strategy has the figures of one');
    const blocks = new Float64Array(done.expected.length * BLOCKS);
    for (const [run, own] of profitBlocks(history, done, strategy.name, model).entries()) blocks.set(own, run * BLOCKS);
    return { figures, halt: done.optimistic.halt ?? null, blocks };
  }
}
