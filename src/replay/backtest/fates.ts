import type { EpochMs } from '../../domain/clock.ts';
import { type ListingKey, listingKey } from '../../domain/listing.ts';
import type { Micros } from '../../domain/money.ts';
import type { Attempt } from '../inputs.ts';
import type { Hazard } from './hazard.ts';
import type { Offer, SeenOffers } from './offers.ts';
import { isLoss } from './own-past.ts';
import { type OwnWord, bornAt, ratioClass, stillThere } from './rival-model.ts';

/** One buy that was sent in a replay. */
export interface Sent {
  readonly key: ListingKey;
  readonly cost: Micros;
  readonly decidedAt: EpochMs;
  /** When its answer would have come: the listing must still stand then. */
  readonly answeredAt: EpochMs;
}

/** pessimistic: only what a later look still showed. expected: as likely as the model says. optimistic: all that was not known to be gone. */
export const scenarios = ['pessimistic', 'expected', 'optimistic'] as const;
export type Scenario = (typeof scenarios)[number];

/** What our own live purchases of the time tell of listings, by listing. */
export class OwnWords {
  readonly #byKey = new Map<ListingKey, Attempt[]>();

  constructor(attempts: readonly Attempt[]) {
    for (const attempt of attempts) {
      const key = listingKey(attempt.market, attempt.listingId);
      const own = this.#byKey.get(key);
      if (own === undefined) this.#byKey.set(key, [attempt]);
      else own.push(attempt);
    }
  }

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  /** When we took it ourselves; undefined when we did not. */
  boughtAt(key: ListingKey): EpochMs | undefined {
    const own = this.#byKey.get(key)?.find(({ outcome }) => outcome?.kind === 'bought');
    return own && (own.timings.answeredAt ?? own.timings.sentAt ?? own.timings.decidedAt);
  }

  /** When a purchase of ours was told that this offer was not there any more, or cost something else. */
  lostAt(key: ListingKey, { shownAt, missedAt }: Pick<Offer, 'shownAt' | 'missedAt'>): EpochMs | undefined {
    const own = this.#byKey.get(key)?.find(({ outcome, timings }) => {
      if (outcome?.kind !== 'refused' || !isLoss(outcome.cause)) return false;
      return timings.decidedAt >= shownAt && timings.decidedAt <= (missedAt ?? Infinity);
    });
    return own?.timings.answeredAt;
  }
}

/** The same by offer, for fitting. */
export function ownWordOf(offers: SeenOffers, own: OwnWords): OwnWord {
  if (own.isEmpty) return () => undefined;
  return (index, offer) => {
    const key = offers.keyAt(index);
    const bought = own.boughtAt(key);
    // What we took ourselves stood until then, and nobody knows for how long it would have.
    if (bought !== undefined && bought <= (offer.missedAt ?? Infinity)) return { stoodAt: bought, ours: true };
    const missedAt = own.lostAt(key, offer);
    return missedAt === undefined ? undefined : { missedAt, ours: false };
  };
}

/** What would have become of a buy, by all that was seen later: known to the replayed market alone, never to what decides. */
export class Fates {
  readonly #offers: SeenOffers;
  readonly #own: OwnWords;

  constructor(offers: SeenOffers, own: OwnWords) {
    this.#offers = offers;
    this.#own = own;
  }

  /** Whether a look, or a purchase of our own, showed later that it had stood until the answer. */
  pessimistic({ key, cost, decidedAt, answeredAt }: Sent): boolean {
    const offer = this.#offers.of(key, decidedAt);
    if (offer === undefined || offer.cost !== cost) return false;
    const stoodAt = Math.max(offer.lastSeenAt, this.#own.boughtAt(key) ?? 0);
    return stoodAt >= answeredAt;
  }

  /** Nothing told that it was gone. */
  optimistic({ key, cost, decidedAt, answeredAt }: Sent): boolean {
    const offer = this.#offers.of(key, decidedAt);
    if (offer === undefined || offer.cost !== cost) return false;
    return (this.#own.lostAt(key, offer) ?? Infinity) > answeredAt;
  }

  /** The chance that it stood until the answer, by the rates of going, 0 to 1. */
  chance({ key, cost, decidedAt, answeredAt }: Sent, hazards: readonly Hazard[]): number {
    const offer = this.#offers.of(key, decidedAt);
    if (offer === undefined || offer.cost !== cost) return 0;
    const bought = this.#own.boughtAt(key);
    const ours = bought !== undefined && bought <= (offer.missedAt ?? Infinity);
    const missed = Math.min(offer.missedAt ?? Infinity, this.#own.lostAt(key, offer) ?? Infinity);
    const standing = {
      ratio: ratioClass(cost, offer.steam),
      bornAt: bornAt(offer),
      stoodAt: Math.max(offer.lastSeenAt, ours ? bought : 0),
      missedAt: ours || missed === Infinity ? undefined : missed,
    };
    return stillThere(hazards, standing, answeredAt);
  }
}
