import type { EpochMs } from '../domain/clock.ts';
import type { Micros } from '../domain/money.ts';
import type { Rules } from '../engine/state.ts';
import { type Assumption, assumptionsOf } from '../replay/backtest/assumptions.ts';
import { type Calibration, calibrationOf } from '../replay/backtest/calibration.ts';
import { type Figures, figuresOf } from '../replay/backtest/figures.ts';
import { type LookaheadCheck, checkLookahead } from '../replay/backtest/lookahead.ts';
import type { Unseen } from '../replay/backtest/load-columns.ts';
import { type LoadOptions, loadHistory } from '../replay/backtest/load-history.ts';
import type { MarketHistory } from '../replay/backtest/market-history.ts';
import { type NearMiss, NearMissTally } from '../replay/backtest/near-misses.ts';
import { type Models, modelsOf } from '../replay/backtest/models.ts';
import { EXPECTED_RUNS, type Study, type Trial, study } from '../replay/backtest/study.ts';
import { triedIn } from '../replay/backtest/tried.ts';
import type { ValueModel, ValueTerms } from '../replay/backtest/value.ts';
import { screeningFor } from '../replay/match/screen.ts';
import { Recording } from '../replay/recordings.ts';
import type { Span } from '../replay/span.ts';
import type { LocalSettings } from '../settings/what-counts.ts';
import type { Strategy } from '../strategy/strategy.ts';
import { rulesOf } from './rules.ts';

/** A folder of strategies to be tried. */
export interface StrategyFolder {
  /** As a person gave it. */
  readonly name: string;
  readonly strategies: readonly Strategy[];
}

/** What of the configuration a replay goes by. */
export type ReplaySettings = Pick<LocalSettings, 'limits' | 'feed' | 'reference' | 'rate'>;

/** What whoever replays recordings asks for. */
export interface ReplayRequest {
  /** Paths. */
  readonly recordings: readonly string[];
  readonly settings: ReplaySettings;
  readonly from: EpochMs | undefined;
  readonly to: EpochMs | undefined;
  readonly latencyMs: number | undefined;
  readonly balance: Micros | undefined;
  readonly terms: ValueTerms;
  /** By which model profits are compared. */
  readonly model: ValueModel;
  /** Less than this share of the time watched is refused, 0 to 1. */
  readonly minCoverage: number;
  readonly seed: number;
}

export interface BacktestRequest extends ReplayRequest {
  readonly folders: readonly StrategyFolder[];
  /** Stretches of walking forward. */
  readonly windows: number;
  /** Every event is made an object of and every offer kept: slower by far, and the same. */
  readonly whole?: boolean;
  /** Whether to prove that no decision knows what came later. */
  readonly checkLookahead: boolean;
  readonly onProgress: (progress: Progress) => void;
}

export interface Progress {
  readonly doing: 'reading' | 'replaying';
  readonly done: number;
  readonly of: number;
}

export interface Backtest {
  readonly request: BacktestRequest;
  readonly history: MarketHistory;
  readonly models: Models;
  readonly studies: readonly Study[];
  readonly figures: Figures;
  readonly assumptions: readonly Assumption[];
  readonly nearMisses: { readonly found: readonly NearMiss[]; readonly isWhole: boolean };
  /** How far off the models were, by our own live buys in the recording; undefined without any. */
  readonly calibration: Calibration | undefined;
  /** What cutting the recording showed; undefined where that was not asked for. */
  readonly lookahead: LookaheadCheck | undefined;
}

/** Why nothing was replayed, in words for a person. */
export class BacktestRefused extends Error {
  override readonly name = 'BacktestRefused';
}

/** Replays recordings with the strategies of some folders. Throws BacktestRefused, TapeRefused or SQLite's error. */
export function backtest(request: BacktestRequest): Backtest {
  return withRecordings(request.recordings, (recordings) => backtestOf(request, recordings));
}

/** Opens recordings for a piece of work. Throws TapeRefused or SQLite's error. */
export function withRecordings<T>(paths: readonly string[], work: (recordings: readonly Recording[]) => T): T {
  const recordings = opened(paths);
  try {
    return work(recordings);
  } finally {
    for (const recording of recordings) recording.close();
  }
}

function opened(paths: readonly string[]): readonly Recording[] {
  const recordings: Recording[] = [];
  try {
    for (const path of paths) recordings.push(new Recording(path));
  } catch (error) {
    for (const recording of recordings) recording.close();
    throw error;
  }
  return recordings;
}

function backtestOf(request: BacktestRequest, recordings: readonly Recording[]): Backtest {
  const { settings, folders, onProgress, terms, model, seed, latencyMs } = request;
  const nearMisses = new NearMissTally(folders.flatMap(({ strategies }) => strategies));
  const history = historyOf(request, recordings, nearMisses);
  refuseUnwatched(history, request.minCoverage);
  const models = modelsOf(history, { latencyMs, seed });
  const healthHeard = history.heard.some(({ of }) => of === 'health');
  const balance = request.balance ?? history.balances[0]?.amount;
  const runs = folders.length * (EXPECTED_RUNS + 2);
  let done = 0;
  const studies = folders.map(({ name, strategies }) => {
    const trial: Trial = {
      folder: name,
      rules: trialRules(settings, strategies, healthHeard),
      rate: settings.rate.buys,
      balance,
      terms,
    };
    return study(history, models, trial, () => onProgress({ doing: 'replaying', done: ++done, of: runs }));
  });
  const figures = figuresOf(history, studies, model, seed, request.windows);
  const known = balance === undefined ? undefined : { amount: balance, given: request.balance !== undefined };
  const assumptions = assumptionsOf({ history, models, terms, balance: known, healthHeard });
  const upTo = (to: EpochMs): MarketHistory => loaded(request, recordings, history.from, to, { lean: { valuedFrom: to } });
  const first = studies[0];
  const lookahead = request.checkLookahead && first ? checkLookahead(history, upTo, models, first.trial) : undefined;
  const calibration = calibrationOf(history, triedIn(history.attempts), { latencyMs, seed });
  return { request, history, models, studies, figures, assumptions, nearMisses, calibration, lookahead };
}

function historyOf(request: BacktestRequest, recordings: readonly Recording[], nearMisses: NearMissTally): MarketHistory {
  const { from, to } = recordedTime(request, recordings);
  const { onProgress } = request;
  const onReached = (at: EpochMs): void => onProgress({ doing: 'reading', done: at - from, of: to - from });
  const lean = request.whole === true ? undefined : { valuedFrom: from + request.terms.holdMs };
  return loaded(request, recordings, from, to, { onReached, lean, nearMisses });
}

/** From when to when recordings are replayed: all that they hold, or the part that was asked for. */
export function recordedTime(request: Pick<ReplayRequest, 'from' | 'to'>, recordings: readonly Recording[]): Span {
  const spans = inTime(recordings);
  const [begin, end] = [spans[0]?.from, spans.at(-1)?.to];
  if (begin === undefined || end === undefined || begin >= end)
    throw new BacktestRefused(
      'Nothing is recorded there yet: run `magpie run` for a while first. Where something was, `magpie recording verify` says what became of it.',
    );
  const { from = begin, to = end } = request;
  const fault = timeFault(request, { from: begin, to: end });
  if (fault !== undefined) throw new BacktestRefused(fault);
  return { from, to };
}

/** Why there is nothing to replay in the time that was asked for, by what of it was given. */
function timeFault({ from, to }: Pick<ReplayRequest, 'from' | 'to'>, recorded: Span): string | undefined {
  const reaches = `the recording reaches from ${iso(recorded.from)} to ${iso(recorded.to)}`;
  if (from !== undefined && to !== undefined && from >= to) return `--from is not before --to: ${reaches}.`;
  if (from !== undefined && from >= recorded.to) return `The recording ends before --from (${iso(from)}): ${reaches} (UTC).`;
  if (to !== undefined && to <= recorded.from) return `The recording begins after --to (${iso(to)}): ${reaches} (UTC).`;
  return undefined;
}

/** Reads that time with all that any of some strategies may want. */
export function loaded(
  { folders }: { readonly folders: readonly Pick<StrategyFolder, 'strategies'>[] },
  recordings: readonly Recording[],
  from: EpochMs,
  to: EpochMs,
  { nearMisses, ...hears }: Pick<LoadOptions, 'onReached' | 'lean'> & { readonly nearMisses?: NearMissTally },
): MarketHistory {
  const strategies = folders.flatMap((folder) => folder.strategies);
  // What asks for the listings around one has to see all of them.
  const sees = strategies.some(({ looksAround }) => looksAround !== undefined);
  const { screen, listingAt } = screeningFor(strategies);
  const passes: Unseen['passes'] = (segment, offer, event) => {
    const told = listingAt(segment, offer);
    return told !== undefined && nearMisses?.noteTold(told, () => segment.keyAt(event)) === true;
  };
  return loadHistory({
    ...{ recordings, from, to, ...hears },
    onListing: nearMisses && ((listing) => nearMisses.note(listing)),
    // While each listing is looked at, all are read of which columns do not tell enough.
    ...(sees ? {} : { screen: () => (nearMisses?.isWhole === true ? undefined : screen), unseen: { screen, passes } }),
    interest: sees ? () => true : (listing) => strategies.some((strategy) => strategy.matches(listing)),
  });
}

type NamedSpan = Span & { readonly name: string };

/** The times of recordings, oldest first. Of two that tell of the same time nobody could say which is right. */
function inTime(recordings: readonly Recording[]): readonly NamedSpan[] {
  const spans = recordings.flatMap((recording) => {
    const covered = recording.coverage();
    const [first, last] = [covered[0], covered.at(-1)];
    return first === undefined || last === undefined ? [] : [{ name: recording.path, from: first.from, to: last.to }];
  });
  const sorted = spans.sort((a, b) => a.from - b.from);
  for (const [index, { name, from }] of sorted.entries()) {
    const before = sorted[index - 1];
    if (before !== undefined && from < before.to)
      throw new BacktestRefused(`${name} and ${before.name} overlap in time: give one of them.`);
  }
  return sorted;
}

type RuleSettings = Pick<LocalSettings, 'limits' | 'feed' | 'reference'>;

/** As live as the strategies themselves say: a configuration in dry-run is tried as it would be live. */
export function trialRules(settings: RuleSettings, strategies: readonly Strategy[], healthHeard: boolean): Rules {
  const rules = rulesOf({ ...settings, mode: 'live' }, strategies, false);
  return healthHeard ? rules : { ...rules, health: { ...rules.health, require: 'off' } };
}

/** Of a time of which too little was watched nothing is said unless somebody insists. */
export function refuseUnwatched({ coverage: { share, blind } }: Pick<MarketHistory, 'coverage'>, min: number): void {
  if (share < min) throw new BacktestRefused(tooLittle(share, min, blind.length));
}

function tooLittle(share: number, min: number, gaps: number): string {
  const percent = (value: number): string => `${Math.floor(value * 100)} %`;
  return (
    `Only ${percent(share)} of that time was watched (${gaps} ${gaps === 1 ? 'gap' : 'gaps'}), less than ${percent(min)}: what went on meanwhile nobody knows.\n` +
    '→ choose a time that was watched with --from and --to, or take less with --min-coverage 0'
  );
}

function iso(at: EpochMs): string {
  return new Date(at).toISOString();
}
