import type { ListingKey } from '../domain/listing.ts';
import type { Known } from './known.ts';
import { type Sighting, type Sightings, judgedBad, removeGood } from './sightings.ts';

/** Listings that are gone but whose item is remembered, the newest: at least this many. */
const REMEMBERED = 20_000;
/** The oldest go so many at a time: a map is slow to find its first key after its first keys were deleted. */
const FORGOTTEN_AT_ONCE = 2_000;

/**
 * A listing id belongs to the item it was first seen with, also when it comes back after it was gone. The same id for another
 * item is a mix-up of the feed or a reused number, and either way not what a strategy would think it is.
 */
export class ItemBindings {
  readonly #itemOfGone = new Map<ListingKey, string>();

  /** Remembers which item a listing that is gone stood for. */
  keep(key: ListingKey, itemId: string): void {
    const before = this.#itemOfGone.size;
    this.#itemOfGone.set(key, itemId);
    if (this.#itemOfGone.size === before) {
      // The newest stand last.
      this.#itemOfGone.delete(key);
      this.#itemOfGone.set(key, itemId);
    }
    if (this.#itemOfGone.size < REMEMBERED + FORGOTTEN_AT_ONCE) return;
    for (const oldest of this.#itemOfGone.keys()) {
      this.#itemOfGone.delete(oldest);
      if (this.#itemOfGone.size <= REMEMBERED) return;
    }
  }

  /** The item that the listing's id was first seen with, when that is another one than now. */
  otherItem({ listing, before }: Pick<Sighting, 'listing' | 'before'>): string | undefined {
    const itemId = before?.itemId ?? this.#itemOfGone.get(listing.key);
    return itemId === listing.itemId ? undefined : itemId;
  }

  /** Moves every sighting whose id was first seen with another item from the good to the bad. */
  dropReused(seen: Sightings, known: Known): void {
    for (const [key, sighting] of seen.different) {
      const { listing, raw, position } = sighting;
      const itemId = this.otherItem(sighting);
      if (itemId === undefined) continue;
      removeGood(seen, key, known);
      const reason = `its id was first seen for another item (${itemId.slice(0, 40)})`;
      seen.bad.push({ bad: judgedBad(listing, reason), key, raw, position });
    }
  }
}
