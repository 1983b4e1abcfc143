import type { EpochMs } from '../../domain/clock.ts';
import { type ListingKey, listingKey } from '../../domain/listing.ts';
import type { Purchase } from '../../domain/purchase.ts';
import { seededRandom } from '../../domain/random.ts';
import type { StandingListing } from '../../engine/event.ts';
import type { Rules } from '../../engine/state.ts';
import { correctionBy, knownOf } from './correction.ts';
import { OwnWords, Fates, ownWordOf } from './fates.ts';
import type { Forecast, ForecastTerms } from './forecast.ts';
import { drawLatency, latencyModel } from './latency-model.ts';
import type { Heard, MarketHistory, Stop } from './market-history.ts';
import { luckByListing, ratesOf } from './models.ts';
import { type Bid, type Circumstances, replay } from './replay.ts';
import { fitRivals } from './rival-model.ts';
import { mean } from './statistics.ts';
import { EXPECTED_RUNS } from './study.ts';
import { type Tried, triedIn } from './tried.ts';

/** Rules as they came into force while it was recorded. */
export interface RuleStep {
  readonly from: EpochMs;
  readonly rules: Rules;
  readonly rate: Circumstances['rate'];
}

interface Lived {
  /** Oldest first; at least one. */
  readonly steps: readonly RuleStep[];
  readonly tried: readonly Tried[];
  /** Of those, as far as they could be forecast. */
  readonly said: readonly Forecast[];
  readonly purchasedBefore: readonly Purchase[];
  readonly terms: ForecastTerms;
}

/** Live days replayed as if nobody knew what became of our buys: means over the runs, beside what was. */
export interface Relived {
  /** Live buys. */
  readonly bids: { readonly replayed: number; readonly lived: number };
  readonly won: { readonly replayed: number; readonly lived: number };
  /** Of the buys that were lived, those that the replay makes as well, 0 to 1; undefined without any. */
  readonly same: number | undefined;
}

/** A purchase on its way holds its place for about a week; longer recordings than that are rare, and caps' windows are shorter. */
const HOLD_MS = 8 * 86_400_000;

/**
 * Replays live days with the strategies and limits of each time, halts and pauses as they were, and luck instead of what became of our own buys:
 * those as likely as they were forecast, others by what the polls showed.
 */
export function relive(history: MarketHistory, lived: Lived, onRun: (done: number, of: number) => void): Relived {
  const { tried, said, steps, purchasedBefore, terms } = lived;
  const [first] = steps;
  if (first === undefined) throw new Error('no rules to replay with');
  const known = new Map(said.map((forecast) => [forecast.tried.key, forecast.chance]));
  const worlds = worldsOf(history, known, terms);
  const told = { ...history, heard: heardWith(history, steps.slice(1)) };
  const runs = Array.from({ length: EXPECTED_RUNS }, (_, run) => {
    const around = { ...worlds(run), rules: first.rules, rate: first.rate, balance: history.balances[0]?.amount };
    const { bids } = replay(told, { ...around, purchasedBefore, withStops: true, holdMs: HOLD_MS }, () => undefined);
    onRun(run + 1, EXPECTED_RUNS);
    return bids.filter(({ lane }) => lane === 'live');
  });
  return relivedOf(runs, tried);
}

function relivedOf(runs: readonly (readonly Bid[])[], tried: readonly Tried[]): Relived {
  const same = runs.map((bids) => {
    const keys = new Set(bids.map(({ listing }) => listing.key));
    return tried.filter(({ key }) => keys.has(key)).length;
  });
  return {
    bids: { replayed: mean(runs.map(({ length }) => length)), lived: tried.length },
    won: {
      replayed: mean(runs.map((bids) => bids.filter(({ fate }) => fate === 'won').length)),
      lived: tried.filter(({ result }) => result === 'won').length,
    },
    same: tried.length === 0 ? undefined : mean(same) / tried.length,
  };
}

type World = Pick<Circumstances, 'latencyMs' | 'fateOf' | 'isRefunded'>;

function worldsOf(
  { offers, attempts }: MarketHistory,
  forecast: ReadonlyMap<ListingKey, number>,
  { latencyMs, seed }: ForecastTerms,
): (run: number) => World {
  const rivals = fitRivals(offers, ownWordOf(offers, new OwnWords(attempts)));
  const correction = correctionBy(knownOf(offers, triedIn(attempts)), rivals.hazards);
  const latency = latencyModel(latencyMs, attempts);
  // Our own are forecast, so nothing of them is known here.
  const fates = new Fates(offers, new OwnWords([]));
  return (run) => {
    const luckOf = luckByListing(seed, run);
    const hazards = ratesOf({ rivals, correction }, seededRandom(seed, `rates ${run}`));
    return {
      latencyMs: (key) => drawLatency(latency, luckOf('latency', key)),
      fateOf: (sent) =>
        luckOf('fate', sent.key).next() < (forecast.get(sent.key) ?? fates.chance(sent, hazards)) ? 'won' : 'lost',
      isRefunded: () => false,
    };
  };
}

/** What closed a process for good, or kept it closed until it was ready, says nothing of the one after it. */
const ofOneProcess: ReadonlySet<string> = new Set(['starting', 'stopping', 'lock']);

/** What was heard, the changes of rules among it, and open from the beginning. */
function heardWith(history: MarketHistory, steps: readonly RuleStep[]): readonly Heard[] {
  const opened: Heard = { of: 'stop', at: history.from, stop: { type: 'unblocked', name: 'starting', at: history.from } };
  const heard = history.heard.filter((each) => each.of !== 'stop' || !isOfOneProcess(each.stop));
  const changes = steps.map(({ from, rules }): Heard => ({ of: 'rules', at: from, rules, listings: standingAt(history, from) }));
  return [opened, ...heard, ...changes].toSorted((a, b) => a.at - b.at);
}

function isOfOneProcess(stop: Stop): boolean {
  return (stop.type === 'blocked' || stop.type === 'unblocked') && ofOneProcess.has(stop.name);
}

/** What of interest stood at a moment. */
function standingAt({ shown, polls }: MarketHistory, at: EpochMs): readonly StandingListing[] {
  const standing = new Map<ListingKey, StandingListing>();
  for (const { poll, changed, gone } of shown) {
    if (polls.endedAt.at(poll) > at) break;
    for (const key of gone) standing.delete(key);
    for (const { listing, seenAt, position } of changed)
      standing.set(listingKey(listing.market, listing.id), { listing, seenAt, position });
  }
  return [...standing.values()];
}
