import type { ListingKey } from '../../domain/listing.ts';
import { type Random, seededRandom } from '../../domain/random.ts';
import type { Circumstances, Fate } from './replay.ts';
import { type Correction, correctedAnyhow, correctionBy, knownOf } from './correction.ts';
import { Fates, OwnWords, type Scenario, ownWordOf } from './fates.ts';
import type { Hazard } from './hazard.ts';
import { type LatencyModel, drawLatency, latencyAt, latencyModel } from './latency-model.ts';
import type { MarketHistory } from './market-history.ts';
import type { OwnPast } from './own-past.ts';
import { type RivalModel, fitRivals } from './rival-model.ts';
import { normal } from './statistics.ts';
import { triedIn } from './tried.ts';

/** A share, and of how many of our own purchases it was read; undefined: too few, so nothing is taken for it. */
export interface OwnRate {
  readonly share: number;
  readonly of: number | undefined;
}

/** Everything that is assumed of the market and of our own buys. */
export interface Models {
  readonly latency: LatencyModel;
  readonly rivals: RivalModel;
  /** What our own buys say of those rates. */
  readonly correction: Correction;
  /** Buys that are refused though nobody was faster. */
  readonly failures: OwnRate;
  /** Purchases whose money comes back. */
  readonly refunds: OwnRate;
  readonly fates: Fates;
  readonly seed: number;
}

/** What of the models is plain data. */
export type FittedModels = Omit<Models, 'fates'>;

/** A share of fewer of our own purchases says nothing. */
const OWN_MIN = 20;

export function modelsOf(
  history: MarketHistory,
  given: { readonly latencyMs: number | undefined; readonly seed: number },
): Models {
  const { offers, attempts, past } = history;
  const own = new OwnWords(attempts);
  const latency = latencyModel(given.latencyMs, attempts);
  const rivals = fitRivals(offers, ownWordOf(offers, own));
  const correction = correctionBy(knownOf(offers, triedIn(attempts)), rivals.hazards);
  return withFates(history, { latency, rivals, correction, ...ownRatesOf(past), seed: given.seed });
}

/** Models that were fitted before, with the history that they were fitted on. */
export function withFates({ offers, attempts }: Pick<MarketHistory, 'offers' | 'attempts'>, fitted: FittedModels): Models {
  return { ...fitted, fates: new Fates(offers, new OwnWords(attempts)) };
}

function ownRatesOf({ completed, refunded, won, lost, refused }: OwnPast): Pick<Models, 'failures' | 'refunds'> {
  return { failures: ownRate(refused, won + lost + refused), refunds: ownRate(refunded, completed + refunded) };
}

/** A share of our own purchases, where there are enough to read it from. */
export function ownRate(count: number, of: number): OwnRate {
  return of < OWN_MIN ? { share: 0, of: undefined } : { share: count / of, of };
}

/** What of the circumstances a scenario decides. `run` tells the expected ones apart: each draws anew, from rates within their error. */
export function worldOf(
  models: Models,
  scenario: Scenario,
  run: number,
): Pick<Circumstances, 'latencyMs' | 'fateOf' | 'isRefunded'> {
  const { fates, latency, failures, refunds, seed } = models;
  if (scenario !== 'expected') {
    const typical = latencyAt(latency, scenario === 'pessimistic' ? 0.9 : 0.5);
    const fateOf: Circumstances['fateOf'] = (sent) => (fates[scenario](sent) ? 'won' : 'lost');
    return { latencyMs: () => typical, fateOf, isRefunded: () => false };
  }
  const luckOf = luckByListing(seed, run);
  const hazards = ratesOf(models, seededRandom(seed, `rates ${run}`));
  return {
    latencyMs: (key) => drawLatency(latency, luckOf('latency', key)),
    fateOf: (sent): Fate => {
      const random = luckOf('fate', sent.key);
      const [luck, mishap] = [random.next(), random.next()];
      if (luck >= fates.chance(sent, hazards)) return 'lost';
      return mishap < failures.share ? 'failed' : 'won';
    },
    isRefunded: (key) => luckOf('refund', key).next() < refunds.share,
  };
}

/**
 * Chance that belongs to a listing and to how often it was asked for it, so that whoever bids for the same listing in the same run has the
 * same luck: strategies differ by what they bid for, and by nothing else.
 */
export function luckByListing(seed: number, run: number): (of: string, key: ListingKey) => Random {
  const asked = new Map<string, number>();
  return (of, key) => {
    const name = `${of} ${key}`;
    const times = asked.get(name) ?? 0;
    asked.set(name, times + 1);
    return seededRandom(seed, `${run} ${times} ${name}`);
  };
}

/** Rates of going as they might be as well, by what the polls and our own buys leave open. */
export function ratesOf({ rivals, correction }: Pick<Models, 'rivals' | 'correction'>, random: Random): readonly Hazard[] {
  return correctedAnyhow(disturbed(rivals, random), correction, random);
}

/** Rates as they might be as well: off by what so few ends leave open. */
function disturbed({ hazards, ended }: RivalModel, random: Random): readonly Hazard[] {
  return hazards.map((hazard, ratio) =>
    hazard.map((rate, age) => {
      const spread = 1 / Math.sqrt((ended[ratio]?.[age] ?? 0) + 3);
      return rate * Math.exp(spread * normal(random) - (spread * spread) / 2);
    }),
  );
}
