import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { EpochMs } from '../../domain/clock.ts';
import { seededRandom } from '../../domain/random.ts';
import { type Assumption, assumptionsOf } from '../../replay/backtest/assumptions.ts';
import type { Coverage } from '../../replay/backtest/coverage.ts';
import { loadHistory } from '../../replay/backtest/load-history.ts';
import type { MarketHistory } from '../../replay/backtest/market-history.ts';
import { type Models, modelsOf } from '../../replay/backtest/models.ts';
import { screenFor } from '../../replay/match/screen.ts';
import { KeptResults } from '../../replay/sweep/kept-results.ts';
import { type Ahead, type Luck, agreement, aheadOf, luckOf } from '../../replay/sweep/luck.ts';
import { type Part, type VariantResult, parts } from '../../replay/sweep/part.ts';
import { fingerprint, shareHistory } from '../../replay/sweep/shared-history.ts';
import type { Recording } from '../../replay/recordings.ts';
import type { Span } from '../../replay/span.ts';
import type { SweepPlan, Variant } from '../../settings/sweep.ts';
import { StrategyIndex } from '../../strategy/strategy-index.ts';
import {
  BacktestRefused,
  type Progress,
  type ReplayRequest,
  recordedTime,
  refuseUnwatched,
  withRecordings,
} from '../backtest.ts';
import { type MakePool, ownThread } from './pool.ts';
import type { SweepWork, WorkPart } from './variant-study.ts';

export interface SweepRequest extends ReplayRequest {
  readonly plan: SweepPlan;
  /** The share of the time on which one is chosen; on the rest it is judged. */
  readonly train: number;
  /** Results are kept there, a file for each recorded time and set of assumptions. */
  readonly folder: string;
  /** Of this program: what another computed is not taken for the same. */
  readonly version: string;
  /** undefined: in this very thread. */
  readonly makePool: MakePool | undefined;
  readonly threads: number;
  readonly signal: AbortSignal;
  /** `trying`: of those that are not kept from before. */
  readonly onProgress: (progress: Progress | { readonly doing: 'trying'; readonly done: number; readonly of: number }) => void;
}

/** A variant with what it came to. */
export interface Tried {
  readonly variant: Variant;
  /** It is the strategy as it stands in its file. */
  readonly isBase: boolean;
  readonly result: VariantResult;
}

/** What was recorded of a part of the time. */
export interface PartFacts extends Span {
  readonly coverage: Coverage;
  readonly listings: number;
  readonly events: number;
  readonly polls: number;
}

export interface Sweep {
  readonly request: SweepRequest;
  readonly parts: Readonly<Record<Part, PartFacts>>;
  /** Those of the plan, in its order. */
  readonly tried: readonly Tried[];
  readonly base: Tried;
  /** The one that earned most in the train part. */
  readonly best: Tried;
  readonly luck: Luck;
  /** How the best stands to the strategy as it is, in the test part. */
  readonly ahead: Ahead;
  /** How far the order of the variants in the one part is that in the other; undefined where there is no order. */
  readonly agreement: number | undefined;
  readonly assumptions: readonly Assumption[];
  /** How many were computed now, and how many an earlier run had left. */
  readonly computed: number;
  readonly kept: number;
}

/** It was stopped; what was done is kept. */
export class SweepStopped extends Error {
  override readonly name = 'SweepStopped';
  readonly done: number;
  readonly of: number;

  constructor(done: number, of: number) {
    super(`stopped with ${done} of ${of} variants done`);
    [this.done, this.of] = [done, of];
  }
}

/** Increased when what a line of results means becomes another. */
const RESULTS_FORM = 2;

/** Tries every variant of a plan on two parts of a recorded time. Throws BacktestRefused, SweepStopped, TapeRefused, or SQLite's error. */
export async function sweep(request: SweepRequest): Promise<Sweep> {
  const { plan } = request;
  const { work, ...grounds } = withRecordings(request.recordings, (recordings) => groundsOf(request, recordings));
  const isBase = ({ strategy }: Variant): boolean => strategy.hash === plan.base.strategy.hash;
  const all = plan.variants.some(isBase) ? plan.variants : [plan.base, ...plan.variants];
  const results = new KeptResults(join(request.folder, `${contextOf(work, request.version)}.jsonl`));
  const kept = all.filter(({ strategy }) => results.found.has(strategy.hash)).length;
  try {
    const found = await triedAll(request, work, all, results);
    const tried = all.map((variant): Tried => {
      const result = found.get(variant.strategy.hash) as VariantResult;
      return { variant, isBase: isBase(variant), result };
    });
    return { request, ...judged(tried, plan, request), ...grounds, computed: all.length - kept, kept };
  } finally {
    results.close();
  }
}

function judged(
  all: readonly Tried[],
  { variants }: SweepPlan,
  { model, seed }: SweepRequest,
): Pick<Sweep, 'tried' | 'base' | 'best' | 'luck' | 'ahead' | 'agreement'> {
  const base = all.find(({ isBase }) => isBase) as Tried;
  const tried = all.length > variants.length ? all.slice(1) : all;
  const profit = (part: Part, { result }: Tried): number => result[part].figures.worth[model].profit;
  const best = tried.reduce((most, each) => (profit('train', each) > profit('train', most) ? each : most));
  const inTrain = tried.map(({ result }) => result.train);
  return {
    ...{ tried, base, best },
    luck: luckOf(base.result.train, inTrain, seededRandom(seed, 'luck')),
    ahead: aheadOf(best.result.test, base.result.test, seededRandom(seed, 'ahead')),
    agreement: agreement(
      tried.map((each) => profit('train', each)),
      tried.map((each) => profit('test', each)),
    ),
  };
}

/** Both parts, read one after the other; all of it that any variant may want. */
function loadParts(request: SweepRequest, recordings: readonly Recording[]): Readonly<Record<Part, MarketHistory>> {
  const { plan, train, onProgress, minCoverage } = request;
  const { from, to } = recordedTime(request, recordings);
  const split = Math.round(from + train * (to - from));
  if (split <= from || split >= to) throw new BacktestRefused('So short a time cannot be cut in two: record for longer first.');
  const strategies = [plan.base, ...plan.variants].map(({ strategy }) => strategy);
  const sees = strategies.some(({ looksAround }) => looksAround !== undefined);
  const index = new StrategyIndex(strategies);
  const screen = screenFor(strategies);
  const onReached = (at: EpochMs): void => onProgress({ doing: 'reading', done: at - from, of: to - from });
  const load = (span: Span): MarketHistory => {
    const history = loadHistory({
      ...{ recordings, ...span, onReached },
      // What asks for the listings around one has to see all of them.
      screen: sees ? undefined : () => screen,
      interest: (listing) => {
        const wanted = sees || index.wanting(listing).length > 0;
        if (!sees) index.prepare(strategies.length);
        return wanted;
      },
    });
    refuseUnwatched(history, minCoverage);
    return history;
  };
  return { train: load({ from, to: split }), test: load({ from: split, to }) };
}

/** What variants are tried on, and what is to be said of it; of what was read only what is shared is left. */
function groundsOf(
  request: SweepRequest,
  recordings: readonly Recording[],
): { readonly work: SweepWork } & Pick<Sweep, 'parts' | 'assumptions'> {
  const { settings, terms, model, seed, latencyMs } = request;
  const histories = loadParts(request, recordings);
  const models = {
    train: modelsOf(histories.train, { latencyMs, seed }),
    test: modelsOf(histories.test, { latencyMs, seed }),
  };
  const made = {
    train: partOf(request, histories.train, models.train),
    test: partOf(request, histories.test, models.test),
  };
  return {
    work: { parts: made, settings, terms, model, seed },
    parts: { train: factsOf(histories.train), test: factsOf(histories.test) },
    assumptions: assumedOf(request, histories.train, models.train, made.train),
  };
}

function partOf({ balance }: SweepRequest, history: MarketHistory, { fates: _, ...models }: Models): WorkPart {
  const healthHeard = history.heard.some(({ of }) => of === 'health');
  return { history: shareHistory(history), models, healthHeard, balance: balance ?? history.balances[0]?.amount };
}

/** Those that were kept, and the others as they are done. */
async function triedAll(
  { makePool = ownThread, threads, signal, onProgress }: SweepRequest,
  work: SweepWork,
  all: readonly Variant[],
  results: KeptResults,
): Promise<ReadonlyMap<string, VariantResult>> {
  const found = new Map(results.found);
  const missing = all.filter(({ strategy }) => !found.has(strategy.hash));
  if (missing.length === 0) return found;
  let done = 0;
  const tell = (): void => onProgress({ doing: 'trying', done, of: missing.length });
  tell();
  const pool = makePool(work, Math.min(threads, missing.length));
  const stop = (): void => void pool.close();
  signal.addEventListener('abort', stop, { once: true });
  const next = missing.values();
  // As many lines as threads: each takes the next variant when it is done with one.
  const line = async (): Promise<void> => {
    for (const { document, strategy } of next) {
      const { text, hash } = strategy;
      const result = await pool.run({ document, text, hash }, signal);
      results.add(hash, result);
      found.set(hash, result);
      done += 1;
      tell();
    }
  };
  try {
    await Promise.all(Array.from({ length: threads }, line));
  } catch (error) {
    if (signal.aborted) throw new SweepStopped(all.length - missing.length + done, all.length);
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    await pool.close();
  }
  return found;
}

/** Tells what results hold for: another time, another model or another Magpie gives other ones. */
function contextOf({ parts: own, settings, terms, model, seed }: SweepWork, version: string): string {
  const grounds = parts.map((part) => {
    const { history, models, healthHeard, balance } = own[part];
    return { recorded: fingerprint(history), models, healthHeard, balance };
  });
  const asText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);
  const text = JSON.stringify({ form: RESULTS_FORM, version, grounds, settings, terms, model, seed }, asText);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function factsOf({ from, to, coverage, listings, events, polls }: MarketHistory): PartFacts {
  return { from, to, coverage, listings, events, polls: polls.endedAt.length };
}

function assumedOf(
  { terms, balance }: SweepRequest,
  history: MarketHistory,
  models: Models,
  { balance: known, healthHeard }: WorkPart,
): readonly Assumption[] {
  const amount = known === undefined ? undefined : { amount: known, given: balance !== undefined };
  return [
    {
      about: 'train and test',
      text: 'Each part is replayed as a backtest of its own: it begins with nothing bought, its models are fitted on it alone, and the test part had no say in what was chosen. What follows is of the train part.',
    },
    {
      about: 'alone',
      text: "Every variant is tried without the other strategies of its folder, which might have bought first, and within the account's limits.",
    },
    ...assumptionsOf({ history, models, terms, balance: amount, healthHeard }),
  ];
}
