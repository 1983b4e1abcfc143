import type { Random } from '../domain/random.ts';
import { normal } from './name-draw.ts';

/**
 * How prices stand to Steam's. A listing's place is a standard normal value; the ratio that belongs to it is log-normal on
 * either side of the median, so that a tenth stands below 0.48 and a tenth above 1.06 (field-notes; the saved real listings).
 */
const MEDIAN = 0.76;
const TENTH = 1.2816;
const SIGMA_BELOW = Math.log(MEDIAN / 0.48) / TENTH;
const SIGMA_ABOVE = Math.log(1.06 / MEDIAN) / TENTH;

/** What the next listing of a name stands above or below one that is there: 0.3 % in the median, 8.5 % at the ninetieth percentile. */
const GAP_MEDIAN = 0.003;
const GAP_SIGMA = Math.log(0.085 / GAP_MEDIAN) / TENTH;
const GAP_MOST = 0.25;

/** Rivals take a listing at the median price after a quarter of an hour, one at half of Steam's price within a minute or two. */
const RIVAL_BASE_PER_MS = 1 / 900_000;
const RIVAL_STEEPNESS = 9;
const RIVAL_MOST = 80;

/** Price over Steam's price at a place of the spread. */
export function ratioAt(place: number): number {
  return MEDIAN * Math.exp(place * (place < 0 ? SIGMA_BELOW : SIGMA_ABOVE));
}

/** The place of a ratio: the inverse of `ratioAt`. */
export function placeOf(ratio: number): number {
  const log = Math.log(ratio / MEDIAN);
  return log / (log < 0 ? SIGMA_BELOW : SIGMA_ABOVE);
}

/** `width`: how many times further apart than usual the prices are. */
export function drawPlace(random: Random, width = 1): number {
  return clamp(width * normal(random.next(), random.next()));
}

/** A place beside another one: what a second seller of the same name asks. */
export function placeBeside(place: number, random: Random): number {
  const gap = Math.min(GAP_MOST, GAP_MEDIAN * Math.exp(GAP_SIGMA * normal(random.next(), random.next())));
  const side = random.next() < 0.5 ? 1 + gap : 1 / (1 + gap);
  return clamp(placeOf(ratioAt(place) * side));
}

/** Where a seller moves his price to: near the old place, drawn back to the middle, so that edits leave the spread as it is. */
export function placeAfterEdit(place: number, random: Random, width = 1): number {
  const kept = 0.9;
  return clamp(kept * place + Math.sqrt(1 - kept * kept) * width * normal(random.next(), random.next()));
}

function clamp(place: number): number {
  return Math.min(3, Math.max(-3.5, place));
}

/** How soon rivals take a listing, as a rate per millisecond: the further below the median, the sooner. */
export function rivalRate(ratio: number): number {
  return RIVAL_BASE_PER_MS * Math.min(RIVAL_MOST, Math.exp(RIVAL_STEEPNESS * Math.max(0, MEDIAN - ratio)));
}

/** The mean of a function of the ratio over the whole spread, by a sum over the normal density. */
export function meanOverSpread(value: (ratio: number) => number, width = 1): number {
  const step = 0.01;
  let [sum, weights] = [0, 0];
  for (let place = -3.5; place <= 3; place += step) {
    const weight = Math.exp((-place * place) / (2 * width * width));
    sum += weight * value(ratioAt(place));
    weights += weight;
  }
  return sum / weights;
}
