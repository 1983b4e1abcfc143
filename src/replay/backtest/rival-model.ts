import type { EpochMs } from '../../domain/clock.ts';
import type { Micros } from '../../domain/money.ts';
import { AGES, AGE_EDGES_MS, type Hazard, type Life, type Tally, addLife, emptyTally, survival } from './hazard.ts';
import type { Offer, SeenOffers } from './offers.ts';

/** Offers alike in price: cost over steamPrice up to the bound; the last: above all bounds or without a steamPrice. */
const RATIO_BOUNDS = [0.5, 0.6, 0.7, 0.8, 0.9, 1] as const;
const RATIOS = RATIO_BOUNDS.length + 1;

/** How fast offers go, by how cheap they are and how long they have stood. */
export interface RivalModel {
  /** fitted: on what went in the recording; assumed: too little went in it. */
  readonly source: 'fitted' | 'assumed';
  /** By `ratioClass`. */
  readonly hazards: readonly Hazard[];
  /** How many ends were behind each of those, in the mean fractions too. */
  readonly ended: readonly Float64Array[];
  /** Offers that it was fitted on, and how many of them were seen gone or at another price. */
  readonly offers: number;
  readonly went: number;
}

/** Fewer ends than this tell nothing that could be called a rate. */
const ENDS_MIN = 30;
const ROUNDS = 12;
/** How many ends the mean over all prices weighs where those of one price are few. */
const SHARED_ENDS = 3;

/** Where nothing is known: half of what costs at most 60 % of steamPrice is gone after 10 s, of the rest after five minutes. */
const assumedHalfLivesMs = [10_000, 10_000, 300_000, 300_000, 300_000, 300_000, 300_000] as const;

export function ratioClass(cost: Micros, steam: Micros | undefined): number {
  if (steam === undefined) return RATIOS - 1;
  const index = RATIO_BOUNDS.findIndex((bound) => cost <= bound * steam);
  return index === -1 ? RATIOS - 1 : index;
}

/** When an offer came to be, as well as it is known: in the middle of the time in which it must have. */
export function bornAt({ absentAt, shownAt }: Pick<Offer, 'absentAt' | 'shownAt'>): EpochMs | undefined {
  return absentAt === undefined ? undefined : (absentAt + shownAt) / 2;
}

/** What our own purchases say of an offer beside the polls. */
export type OwnWord = (
  index: number,
  offer: Offer,
) =>
  | { readonly stoodAt?: EpochMs | undefined; readonly missedAt?: EpochMs | undefined; readonly ours: boolean }
  | 'left out'
  | undefined;

/** The likeliest rates, by what stood and went. */
export function fitRivals(offers: SeenOffers, own: OwnWord): RivalModel {
  const lives = livesOf(offers, own);
  const went = lives.filter(({ life }) => life.missed !== undefined).length;
  if (went < ENDS_MIN)
    return { source: 'assumed', hazards: assumed, ended: assumed.map(() => new Float64Array(AGES)), offers: lives.length, went };
  let hazards: readonly Hazard[] = assumed;
  let tallies: readonly Tally[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    tallies = hazards.map(emptyTally);
    for (const { ratio, life } of lives) addLife(tallies[ratio] as Tally, life, hazards[ratio] as Hazard);
    hazards = ratesOf(tallies);
  }
  return { source: 'fitted', hazards, ended: tallies.map(({ ended }) => ended), offers: lives.length, went };
}

const assumed: readonly Hazard[] = assumedHalfLivesMs.map((ms) => AGE_EDGES_MS.map(() => Math.LN2 / ms));

/** What ended over what was watched: where little ended of one price drawn towards the mean over all, of one age towards the age before. */
function ratesOf(tallies: readonly Tally[]): readonly Hazard[] {
  const total = (of: keyof Tally, age: number): number => tallies.reduce((sum, tally) => sum + (tally[of][age] as number), 0);
  const overall = (of: keyof Tally): number => AGE_EDGES_MS.reduce<number>((sum, _, age) => sum + total(of, age), 0);
  let before = overall('ended') / overall('watched');
  const shared = AGE_EDGES_MS.map((_, age) => {
    before = (total('ended', age) + 1) / (total('watched', age) + 1 / before);
    return before;
  });
  return tallies.map(({ ended, watched }) =>
    shared.map((rate, age) => ((ended[age] as number) + SHARED_ENDS) / ((watched[age] as number) + SHARED_ENDS / rate)),
  );
}

function livesOf(offers: SeenOffers, own: OwnWord): { readonly ratio: number; readonly life: Life }[] {
  const lives: { ratio: number; life: Life }[] = [];
  for (const index of offers.sampled()) {
    const offer = offers.at(index);
    const born = bornAt(offer);
    if (born === undefined) continue;
    const word = own(index, offer);
    if (word === 'left out') continue;
    const stoodAt = Math.max(offer.lastSeenAt, word?.stoodAt ?? 0);
    const missedAt = word?.ours === true ? undefined : Math.min(offer.missedAt ?? Infinity, word?.missedAt ?? Infinity);
    const missed = missedAt === undefined || missedAt === Infinity ? undefined : Math.max(missedAt, stoodAt) - born;
    lives.push({
      ratio: ratioClass(offer.cost, offer.steam),
      life: { entered: offer.shownAt - born, stood: stoodAt - born, missed },
    });
  }
  return lives;
}

/** Where an offer stood in its life, and what the polls said of its end. */
export interface Standing {
  readonly ratio: number;
  /** undefined: it may have stood for any time. */
  readonly bornAt: EpochMs | undefined;
  /** It stood for certain then. */
  readonly stoodAt: EpochMs;
  /** It did not any more then; undefined where nobody saw it gone. */
  readonly missedAt: EpochMs | undefined;
}

/** The chance that it still stood at a moment, given all that was seen, 0 to 1. */
export function stillThere(
  hazards: readonly Hazard[],
  { ratio, bornAt: born, stoodAt, missedAt }: Standing,
  at: EpochMs,
): number {
  if (at <= stoodAt) return 1;
  if (missedAt !== undefined && at >= missedAt) return 0;
  const hazard = hazards[ratio] as Hazard;
  const zero = born ?? stoodAt - (AGE_EDGES_MS[AGES - 1] as number);
  const [from, until] = [stoodAt - zero, at - zero];
  const alive = survival(hazard, from, until);
  if (missedAt === undefined) return alive;
  const atEnd = survival(hazard, from, missedAt - zero);
  return atEnd >= 1 ? (missedAt - at) / (missedAt - stoodAt) : (alive - atEnd) / (1 - atEnd);
}
