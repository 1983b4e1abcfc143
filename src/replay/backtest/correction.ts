import type { Random } from '../../domain/random.ts';
import type { Hazard } from './hazard.ts';
import type { Offer, SeenOffers } from './offers.ts';
import { type Standing, bornAt, ratioClass, stillThere } from './rival-model.ts';
import { normal } from './statistics.ts';
import type { Tried } from './tried.ts';

/** By how much the rates of going are off where we bid ourselves, and how sure that is. */
export interface Correction {
  readonly factor: number;
  /** Of its logarithm. */
  readonly deviation: number;
  /** How many of our own buys it was read from. With none it is a guess. */
  readonly of: number;
}

/** A buy of ours, and the offer that it was for. */
export interface Known {
  readonly tried: Tried;
  readonly offer: Offer;
}

/** Those of our buys whose listing was recorded. */
export function knownOf(offers: SeenOffers, tried: readonly Tried[]): readonly Known[] {
  return tried.flatMap((each) => {
    const offer = offers.of(each.key, each.decidedAt);
    return offer === undefined ? [] : [{ tried: each, offer }];
  });
}

/** What was known of an offer when we decided to buy it; what the polls showed later is not in it. */
export function standingThen({ tried, offer }: Known): Standing {
  const stoodAt = Math.min(tried.seenAt, tried.decidedAt);
  return { ratio: ratioClass(offer.cost, offer.steam), bornAt: bornAt(offer), stoodAt, missedAt: undefined };
}

/** The rates alone are worth so many buys of ours that were lost. */
const RATES_WEIGH = 4;

/**
 * Polls show who has gone and not when, and what we want is not what all want: so the rates are held against our own buys. How many were lost,
 * over how many the rates would have had us lose, each counted for as long as it stood (a gamma posterior). Without any it is the rates themselves,
 * and how far they may be off.
 */
export function correctionBy(own: readonly Known[], hazards: readonly Hazard[]): Correction {
  let [of, lost, foreseen] = [0, 0, 0];
  for (const known of own) {
    const { result, answeredAt } = known.tried;
    if (result === 'failed') continue;
    const risk = -Math.log(Math.max(1e-12, stillThere(hazards, standingThen(known), answeredAt)));
    of += 1;
    lost += result === 'lost' ? 1 : 0;
    // Of those that went, the mean of what had been gone through by then.
    foreseen += result === 'lost' && risk > 0 ? 1 - risk / Math.expm1(risk) : risk;
  }
  const shape = RATES_WEIGH + lost;
  return { factor: shape / (RATES_WEIGH + foreseen), deviation: 1 / Math.sqrt(shape), of };
}

/** Rates as our own buys have them. */
export function corrected(hazards: readonly Hazard[], { factor }: Correction): readonly Hazard[] {
  return scaled(hazards, factor);
}

/** The same as they might be as well. */
export function correctedAnyhow(
  hazards: readonly Hazard[],
  { factor, deviation }: Correction,
  random: Random,
): readonly Hazard[] {
  return scaled(hazards, factor * Math.exp(deviation * normal(random) - (deviation * deviation) / 2));
}

function scaled(hazards: readonly Hazard[], factor: number): readonly Hazard[] {
  return hazards.map((hazard) => hazard.map((rate) => rate * factor));
}
