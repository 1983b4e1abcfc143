import type { MarketListing } from './listing.ts';

/** The listings that stand, in feed order, by key, and as the text that the live feed answers with. */
export class Standing {
  readonly #sorted: MarketListing[] = [];
  readonly #byKey = new Map<string, MarketListing>();
  readonly #byItem = new Map<string, MarketListing[]>();
  readonly #texts = new WeakMap<MarketListing, string>();
  #feedText: string | undefined;

  get size(): number {
    return this.#sorted.length;
  }

  /** In feed order. The array itself: not to be changed or kept. */
  inOrder(): readonly MarketListing[] {
    return this.#sorted;
  }

  at(index: number): MarketListing | undefined {
    return this.#sorted[index];
  }

  byKey(key: string): MarketListing | undefined {
    return this.#byKey.get(key);
  }

  /** All listings of one name, in no order. */
  ofItem(itemId: string): readonly MarketListing[] {
    return this.#byItem.get(itemId) ?? [];
  }

  /** Fills an empty shelf; much quicker than one by one. */
  fill(listings: readonly MarketListing[]): void {
    for (const listing of listings) {
      this.#sorted.push(listing);
      this.#index(listing);
    }
    this.#sorted.sort(byFeedOrder);
    this.#feedText = undefined;
  }

  add(listing: MarketListing): void {
    this.#sorted.splice(this.#placeOf(listing), 0, listing);
    this.#index(listing);
    this.#feedText = undefined;
  }

  /** Takes the listing's other version (another price) in its place. */
  replace(listing: MarketListing): void {
    this.#sorted[this.#placeOf(listing)] = listing;
    this.#forget(listing.key);
    this.#index(listing);
    this.#feedText = undefined;
  }

  remove(listing: MarketListing): void {
    this.#sorted.splice(this.#placeOf(listing), 1);
    this.#forget(listing.key);
    this.#feedText = undefined;
  }

  /** `{"listings":[…],"listingsCount":N}` of all that stands. */
  feedText(): string {
    this.#feedText ??= `{"listings":[${this.#sorted.map((listing) => this.#textOf(listing)).join(',')}],"listingsCount":${this.#sorted.length}}`;
    return this.#feedText;
  }

  #index(listing: MarketListing): void {
    this.#byKey.set(listing.key, listing);
    const others = this.#byItem.get(listing.itemId);
    if (others) others.push(listing);
    else this.#byItem.set(listing.itemId, [listing]);
  }

  #forget(key: string): void {
    const listing = this.#byKey.get(key);
    this.#byKey.delete(key);
    const others = listing && this.#byItem.get(listing.itemId);
    if (!others) return;
    if (others.length === 1) this.#byItem.delete(listing.itemId);
    else others.splice(others.indexOf(listing), 1);
  }

  #textOf(listing: MarketListing): string {
    let text = this.#texts.get(listing);
    if (text === undefined) {
      text = JSON.stringify(listing.wire);
      this.#texts.set(listing, text);
    }
    return text;
  }

  /** Where the listing stands, or would stand. */
  #placeOf(listing: MarketListing): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#sorted[middle];
      if (other && byFeedOrder(other, listing) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function byFeedOrder(a: MarketListing, b: MarketListing): number {
  return a.rank - b.rank || a.seq - b.seq;
}
