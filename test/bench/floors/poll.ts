import type { Wire } from '../market.ts';

/** What one poll changed. */
export interface Poll {
  readonly changed: readonly Wire[];
  readonly gone: number;
}

/** What a good engineer writes first for the difference between two answers: JSON.parse, and a Map of what was known. */
export class PollFloor {
  #known = new Map<string, Wire>();

  poll(text: string): Poll {
    const { data } = JSON.parse(text) as { data: { listings: Wire[] } };
    const now = new Map<string, Wire>();
    const changed: Wire[] = [];
    for (const listing of data.listings) {
      const key = `${String(listing['market'])}:${String(listing['id'])}`;
      const before = this.#known.get(key);
      if (!before || before['price'] !== listing['price'] || before['priceWithFee'] !== listing['priceWithFee'])
        changed.push(listing);
      now.set(key, listing);
    }
    let gone = 0;
    for (const key of this.#known.keys()) if (!now.has(key)) gone++;
    this.#known = now;
    return { changed, gone };
  }
}
