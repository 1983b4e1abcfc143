import { type ListingKey, listingKey } from '../../domain/listing.ts';

/** So many markets have numbers of their own; with ids of fifteen digits a number stays exact. */
const MARKETS = 8;
const PLAIN_ID = /^[1-9]\d{0,14}$/;

/** Listings by number, so that millions of them need no text. A number is found again as long as this lives. */
export class KeyNumbers {
  readonly #markets: string[] = [];
  readonly #others: ListingKey[] = [];
  readonly #numberOfOther = new Map<ListingKey, number>();

  /** The number of a market; undefined: there are too many of them, and their listings go by their keys. */
  market(name: string): number | undefined {
    const known = this.#markets.indexOf(name);
    if (known >= 0) return known;
    return this.#markets.length < MARKETS ? this.#markets.push(name) - 1 : undefined;
  }

  /** Of a listing whose id is a plain number of at most fifteen digits. */
  static of(market: number, id: number): number {
    return id * MARKETS + market;
  }

  of(key: ListingKey): number {
    const colon = key.lastIndexOf(':');
    const id = key.slice(colon + 1);
    const market = PLAIN_ID.test(id) ? this.market(key.slice(0, colon)) : undefined;
    return market === undefined ? this.#other(key) : KeyNumbers.of(market, Number(id));
  }

  keyOf(number: number): ListingKey {
    if (number < 0) return this.#others[-1 - number] as ListingKey;
    const market = number % MARKETS;
    return listingKey(this.#markets[market] as string, String((number - market) / MARKETS));
  }

  #other(key: ListingKey): number {
    const known = this.#numberOfOther.get(key);
    if (known !== undefined) return known;
    const number = -this.#others.push(key);
    this.#numberOfOther.set(key, number);
    return number;
  }
}
