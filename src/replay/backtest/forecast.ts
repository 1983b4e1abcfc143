import { type ListingKey, listingKey } from '../../domain/listing.ts';
import { type Random, seededRandom } from '../../domain/random.ts';
import type { Attempt } from '../inputs.ts';
import { type Known, corrected, correctionBy, knownOf, standingThen } from './correction.ts';
import { OwnWords, ownWordOf } from './fates.ts';
import type { Hazard } from './hazard.ts';
import { type LatencyModel, latencyModel } from './latency-model.ts';
import type { MarketHistory } from './market-history.ts';
import { type Models, type OwnRate, ownRate, ratesOf } from './models.ts';
import { type RivalModel, fitRivals, stillThere } from './rival-model.ts';
import type { Tried } from './tried.ts';

/** What a model that knows nothing of some buys would have said of each before it was answered. */
export interface Forecast {
  readonly tried: Tried;
  /** The chance to win it, 0 to 1. */
  readonly chance: number;
  /** The same by rates and latencies as they might be as well, one for each redraw. */
  readonly redrawn: Float64Array;
  /** What the latency was forecast by. */
  readonly latency: LatencyModel;
}

export interface ForecastTerms {
  readonly latencyMs: number | undefined;
  readonly seed: number;
}

/** Buys are forecast in so many parts, each by a model that was fitted without it. */
const FOLDS = 5;
/** The newest of more: further ones would make it longer and hardly more certain. */
const TRIED_MAX = 2_000;
/** How often the rates are drawn anew. */
export const REDRAWS = 200;
/** A latency is drawn from so many, evenly apart. */
const LATENCIES = 16;

/**
 * Forecasts of our own buys, as they would have been made when each was decided: a listing that had been seen so old and so cheap still
 * stands when the answer comes. A part of the buys, one after the other in time, is forecast by rates, latencies and refusals of all the rest; the
 * listings of that part are not in them. What the polls showed afterwards is not used: of what we bought ourselves they show our own doing.
 * Buys of listings that the recording does not hold are left out.
 */
export function forecasts(history: MarketHistory, tried: readonly Tried[], terms: ForecastTerms): readonly Forecast[] {
  const known = knownOf(history.offers, tried.slice(-TRIED_MAX));
  return Array.from({ length: FOLDS }, (_, fold) => {
    const part = known.slice(Math.floor((fold * known.length) / FOLDS), Math.floor(((fold + 1) * known.length) / FOLDS));
    return part.length === 0 ? [] : forecastPart(history, known, part, terms);
  }).flat();
}

function forecastPart(
  history: MarketHistory,
  all: readonly Known[],
  part: readonly Known[],
  { latencyMs, seed }: ForecastTerms,
): readonly Forecast[] {
  const hidden = new Set<ListingKey>(part.map(({ tried: { key } }) => key));
  const attempts = history.attempts.filter(({ market, listingId }) => !hidden.has(listingKey(market, listingId)));
  const rivals = rivalsWithout(history, attempts, hidden);
  const others = all.filter(({ tried: { key } }) => !hidden.has(key));
  const correction = correctionBy(others, rivals.hazards);
  return saidBy({ rivals, correction, latency: latencyModel(latencyMs, attempts), failures: failuresOf(others) }, part, seed);
}

/** What given models say of buys that they were not fitted on. */
export function forecastBy(models: Sayer, { offers }: MarketHistory, tried: readonly Tried[], seed: number): readonly Forecast[] {
  return saidBy(models, knownOf(offers, tried), seed);
}

type Sayer = Pick<Models, 'rivals' | 'correction' | 'latency' | 'failures'>;

function saidBy({ rivals, correction, latency, failures }: Sayer, part: readonly Known[], seed: number): readonly Forecast[] {
  const kept = 1 - failures.share;
  const redrawn = part.map(() => new Float64Array(REDRAWS));
  for (let redraw = 0; redraw < REDRAWS; redraw++) {
    // The same for all parts: they share most of what they were fitted on, and so its error.
    const random = seededRandom(seed, `forecast ${redraw}`);
    const hazards = ratesOf({ rivals, correction }, random);
    const latencies = thinned(drawnAgain(latency.sorted, random));
    for (const [index, each] of part.entries())
      (redrawn[index] as Float64Array)[redraw] = kept * chanceOf(each, hazards, latencies);
  }
  const [hazards, latencies] = [corrected(rivals.hazards, correction), thinned(latency.sorted)];
  return part.map((each, index) => ({
    ...{ tried: each.tried, latency },
    chance: kept * chanceOf(each, hazards, latencies),
    redrawn: redrawn[index] as Float64Array,
  }));
}

function rivalsWithout(history: MarketHistory, attempts: readonly Attempt[], hidden: ReadonlySet<ListingKey>): RivalModel {
  const { offers } = history;
  const word = ownWordOf(offers, new OwnWords(attempts));
  return fitRivals(offers, (index, offer) => (hidden.has(offers.keyAt(index)) ? 'left out' : word(index, offer)));
}

/** Our own buys that were refused though nobody was faster. */
function failuresOf(own: readonly Known[]): OwnRate {
  return ownRate(own.filter(({ tried: { result } }) => result === 'failed').length, own.length);
}

/** That it stands until the answer, for what was known when it was decided. */
function chanceOf(known: Known, hazards: readonly Hazard[], latencies: readonly number[]): number {
  const standing = standingThen(known);
  const chances = latencies.map((ms) => stillThere(hazards, standing, known.tried.decidedAt + ms));
  return chances.reduce((sum, each) => sum + each, 0) / chances.length;
}

function drawnAgain(sorted: readonly number[], random: Random): readonly number[] {
  return sorted.map(() => sorted[Math.floor(random.next() * sorted.length)] as number).sort((a, b) => a - b);
}

/** Some of many, evenly apart in their order. */
function thinned(sorted: readonly number[]): readonly number[] {
  if (sorted.length <= LATENCIES) return sorted;
  return Array.from(
    { length: LATENCIES },
    (_, index) => sorted[Math.floor(((index + 0.5) * sorted.length) / LATENCIES)] as number,
  );
}
