import type { EpochMs } from '../../domain/clock.ts';
import type { ListingKey } from '../../domain/listing.ts';
import { MICROS_PER_DOLLAR, type Micros, type Share, micros, shareOf, withoutShare } from '../../domain/money.ts';
import { netOfSteam } from '../../strategy/steam-fee.ts';
import type { SeenOffers } from './offers.ts';
import type { Bid } from './replay.ts';

/**
 * steam: a sale at the steamPrice of the purchase, less Steam's exact fee: wallet credit, not cash. resale: a share of that steamPrice, in
 * cash. relist: the lowest recorded listing of the same name when the trade hold is over, less a fee.
 */
export const valueModels = ['steam', 'resale', 'relist'] as const;
export type ValueModel = (typeof valueModels)[number];

/** No sale on Steam's market is above this. */
export const STEAM_CEILING = micros(2_000 * MICROS_PER_DOLLAR);

export interface ValueTerms {
  /** Of steamPrice, what a sale elsewhere leaves. */
  readonly resale: Share;
  /** Of the price of a listing, what its sale costs. */
  readonly fee: Share;
  /** From a purchase until it may be sold, milliseconds. */
  readonly holdMs: number;
}

/** What a purchase is worth by each model; undefined where a model cannot say. */
export type Worth = Readonly<Record<ValueModel, Micros | undefined>>;

/** Values purchases of one recording. `ours`: listings that the replay bought, which nobody could sell to it again. */
export class Valuer {
  readonly #offers: SeenOffers;
  readonly #terms: ValueTerms;
  readonly #ours: ReadonlySet<ListingKey>;
  readonly #known = new Map<string, { readonly worth: Worth; readonly relistAt: EpochMs }>();

  constructor(offers: SeenOffers, terms: ValueTerms, ours: ReadonlySet<ListingKey>) {
    this.#offers = offers;
    this.#terms = terms;
    this.#ours = ours;
  }

  /** Of a purchase that is kept; one that comes back as money is worth what it cost. */
  worth(bid: Pick<Bid, 'listing' | 'decidedAt'>): Worth {
    return this.#valued(bid).worth;
  }

  /** When its worth by the model `relist` can be known: when it may be sold, or somebody lists one after that. */
  relistKnownAt(bid: Pick<Bid, 'listing' | 'decidedAt'>): EpochMs {
    return this.#valued(bid).relistAt;
  }

  #valued({ listing, decidedAt }: Pick<Bid, 'listing' | 'decidedAt'>): { readonly worth: Worth; readonly relistAt: EpochMs } {
    const id = `${listing.key}@${listing.cost}`;
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const { resale, fee, holdMs } = this.#terms;
    const { steam } = listing;
    const floor = this.#floorFrom(listing.name, decidedAt + holdMs);
    const worth: Worth = {
      steam: steam === undefined || steam > STEAM_CEILING ? undefined : netOfSteam(steam),
      resale: steam === undefined ? undefined : shareOf(steam, resale),
      relist: floor === undefined ? undefined : shareOf(floor.cost, withoutShare(fee)),
    };
    const valued = { worth, relistAt: floor?.at ?? decidedAt + holdMs };
    this.#known.set(id, valued);
    return valued;
  }

  /** What the cheapest listing of a name cost at a moment, or at the first one after it at which there was any; and when that was. */
  #floorFrom(name: string, at: EpochMs): { readonly cost: Micros; readonly at: EpochMs } | undefined {
    let [floor, next, nextAt]: [Micros | undefined, Micros | undefined, number] = [undefined, undefined, Infinity];
    for (const each of this.#offers.named(name)) {
      if (this.#ours.has(this.#offers.keyAt(each))) continue;
      const { cost, shownAt, missedAt, lastSeenAt } = this.#offers.at(each);
      if (shownAt > at) {
        if (shownAt < nextAt || (shownAt === nextAt && cost < (next ?? Infinity))) [next, nextAt] = [cost, shownAt];
      } else if ((missedAt ?? lastSeenAt) > at && cost < (floor ?? Infinity)) floor = cost;
    }
    if (floor !== undefined) return { cost: floor, at };
    return next === undefined ? undefined : { cost: next, at: nextAt };
  }
}
