import type { EpochMs } from '../domain/clock.ts';
import { type Micros, shareFromNumber, withinShare, withoutShare } from '../domain/money.ts';

/** When the whole market counts as fallen. */
export interface FallPolicy {
  /** So many more names must be down than up, as a share of those compared. */
  readonly share: number;
  /** By how much, as a share, against the day before. */
  readonly by: number;
  /** How long it must have been steady before buying goes on, milliseconds. */
  readonly calmMs: number;
}

/** What one name costs now and what it cost the day before: its cheapest listing, and its steamPrice. */
export interface PriceMove {
  readonly floor: Micros;
  readonly floorBefore: Micros;
  /** undefined: not known. */
  readonly steam: Micros | undefined;
  readonly steamBefore: Micros | undefined;
}

interface Counts {
  compared: number;
  down: number;
  up: number;
}

/** Fewer names than this tell nothing of a market: a few that come and go would look like a fall. */
const NAMES_MIN = 100;

/** Counts how many names have moved by more than the policy names. */
export class MarketMeasure {
  readonly #policy: FallPolicy;
  readonly #moved: (now: Micros, before: Micros) => boolean;
  readonly #counts: Readonly<Record<'floor' | 'steam', Counts>> = {
    floor: { compared: 0, down: 0, up: 0 },
    steam: { compared: 0, down: 0, up: 0 },
  };

  constructor(policy: FallPolicy) {
    this.#policy = policy;
    const by = shareFromNumber(policy.by);
    this.#moved = by === undefined ? () => false : withinShare(withoutShare(by));
  }

  add({ floor, floorBefore, steam, steamBefore }: PriceMove): void {
    this.#count(this.#counts.floor, floor, floorBefore);
    if (steam !== undefined && steamBefore !== undefined) this.#count(this.#counts.steam, steam, steamBefore);
  }

  /**
   * How many more names are down than up, as a share: of cheapest listings or of steamPrices, whichever is worse; undefined when too few
   * could be compared. Cheapest listings of thin names go up and down by themselves, and about as many either way.
   */
  get worst(): { readonly share: number; readonly words: string } | undefined {
    const shares = (['floor', 'steam'] as const).flatMap((what) => {
      const { compared, down, up } = this.#counts[what];
      if (compared < NAMES_MIN) return [];
      return [{ share: (down - up) / compared, words: this.#words(what) }];
    });
    return shares.toSorted((a, b) => b.share - a.share)[0];
  }

  #words(what: 'floor' | 'steam'): string {
    const { compared, down, up } = this.#counts[what];
    const prices = what === 'floor' ? 'cheapest listings' : 'steamPrices';
    return `of ${compared} names the ${prices} of ${down} are down by ${percent(this.#policy.by)} or more against the day before, of ${up} up by as much`;
  }

  #count(counts: Counts, now: Micros, before: Micros): void {
    counts.compared += 1;
    if (this.#moved(now, before)) counts.down += 1;
    else if (this.#moved(before, now)) counts.up += 1;
  }
}

/** A fall that is not over. */
export interface MarketFall {
  readonly since: EpochMs;
  /** In words. */
  readonly why: string;
  /** Since when the market has been steady; undefined: it is not. */
  readonly calmSince: EpochMs | undefined;
  /** A person has resumed: buying goes on, and this fall pauses nothing any more. */
  readonly resumed: boolean;
}

/**
 * Where things stand after a measure: a fall that begins, goes on, or is over (undefined). A market that nobody could measure changes
 * nothing. It is steady when less than half of what makes a fall is left.
 */
export function fallAfter(
  fall: MarketFall | undefined,
  worst: MarketMeasure['worst'],
  { share, calmMs }: FallPolicy,
  at: EpochMs,
): MarketFall | undefined {
  if (worst === undefined) return fall;
  if (fall === undefined) {
    return worst.share >= share ? { since: at, why: worst.words, calmSince: undefined, resumed: false } : undefined;
  }
  if (worst.share * 2 >= share) return fall.calmSince === undefined ? fall : { ...fall, calmSince: undefined };
  // What a clock far ahead has dated later than now has begun by now.
  const calmSince = Math.min(fall.calmSince ?? at, at);
  if (fall.resumed || at - calmSince >= calmMs) return undefined;
  return { ...fall, calmSince };
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(12))} %`;
}
