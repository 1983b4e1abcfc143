import { readListing } from '../../strategy/read-listing.ts';
import { keptJson } from '../listing-text.ts';
import type { StoredEvent } from '../stored-events.ts';

/** Kinds by number, as they lie in a segment. */
export const kindsInOrder = ['appeared', 'repriced', 'changed', 'gone', 'bad'] as const;

/** What the numbers of some columns stand for. */
export interface Words {
  readonly markets: readonly string[];
  readonly reasons: readonly string[];
  /** Listing ids that are no plain number. */
  readonly listings: readonly string[];
  /** Of each item its id and name, and what else it is; null for what it lacks. Segments of before say no more than the name. */
  readonly items: readonly (readonly [itemId: string, name: string, ...kind: (string | null)[]])[];
  /** Missing in segments of before. */
  readonly deliveries?: readonly string[];
}

/** The columns of a segment: events in the order of time, what was offered clustered by item. */
export interface Built {
  readonly columns: ReadonlyMap<string, readonly number[]>;
  readonly words: Words;
  /** The texts of what was offered, in its order. */
  readonly texts: readonly string[];
}

interface Offer {
  readonly item: number;
  readonly values: Readonly<Record<(typeof offerColumns)[number], number>>;
  readonly text: string;
}

/** Beside `item`: amounts in micro-dollars; 0 for an amount, NaN for a wear and -1 for a seed or a delivery that a listing lacks. */
const offerColumns = ['price', 'cost', 'steam', 'wear', 'paintSeed', 'offerMarket', 'delivery'] as const;

/** What a segment is made of, gathered event by event. Two events with the same text are one offer. */
export class SegmentBuilder {
  readonly #columns = new Map<string, number[]>(
    ['row', 'moment', 'kind', 'market', 'listing', 'position', 'chunk', 'reason', 'offer'].map((name) => [name, []]),
  );
  readonly #moments = { poll: [] as number[], at: [] as number[] };
  readonly #offers: Offer[] = [];
  readonly #offerOf = new Map<string, number>();
  readonly #markets = new Dictionary();
  readonly #reasons = new Dictionary();
  readonly #listings = new Dictionary();
  readonly #items = new Dictionary();
  readonly #deliveries = new Dictionary();
  #first: number | undefined;

  get size(): number {
    return this.#columns.get('row')?.length ?? 0;
  }

  add(event: StoredEvent): void {
    this.#first ??= event.row;
    const index = this.size;
    this.#push({
      row: event.row - this.#first - index,
      moment: this.#moment(event.poll, event.at),
      kind: kindsInOrder.indexOf(event.kind),
      market: this.#markets.of(event.market),
      listing: this.#listing(event.listing),
      position: event.position ?? -1,
      chunk: event.chunk ?? -1,
      reason: event.reason === null ? -1 : this.#reasons.of(event.reason),
      offer: event.text === null ? -1 : this.#offer(event.text),
    });
  }

  /** Sorts the offers by item and price. */
  build(): Built {
    const order = this.#offers.map((_, index) => index).toSorted((a, b) => compareOffers(this.#offers[a], this.#offers[b]));
    const place = new Map(order.map((old, index) => [old, index]));
    const offers = order.map((index) => this.#offers[index]).filter((offer) => offer !== undefined);
    const columns = new Map<string, readonly number[]>(this.#columns);
    columns.set(
      'offer',
      (this.#columns.get('offer') ?? []).map((old) => place.get(old) ?? -1),
    );
    columns.set('momentPoll', this.#moments.poll);
    columns.set('momentAt', this.#moments.at);
    columns.set(
      'item',
      offers.map(({ item }) => item),
    );
    for (const name of offerColumns)
      columns.set(
        name,
        offers.map(({ values }) => values[name]),
      );
    return { columns, words: this.#words(), texts: offers.map(({ text }) => text) };
  }

  #words(): Words {
    const items = this.#items.words.map((word) => JSON.parse(word) as [string, string]);
    const [markets, reasons, listings] = [this.#markets.words, this.#reasons.words, this.#listings.words];
    return { markets, reasons, listings, items, deliveries: this.#deliveries.words };
  }

  #push(values: Readonly<Record<string, number>>): void {
    for (const [name, value] of Object.entries(values)) this.#columns.get(name)?.push(value);
  }

  /** Events of one poll mostly have one time. */
  #moment(poll: number, at: number): number {
    const { poll: polls, at: ats } = this.#moments;
    const last = polls.length - 1;
    if (last >= 0 && polls[last] === poll && ats[last] === at) return last;
    polls.push(poll);
    ats.push(at);
    return last + 1;
  }

  /** The number that it is; what is none is counted below zero. */
  #listing(id: string): number {
    const number = /^[1-9]\d{0,14}$/.test(id) ? Number(id) : -1;
    return number > 0 ? number : -1 - this.#listings.of(id);
  }

  #offer(text: string): number {
    const known = this.#offerOf.get(text);
    if (known !== undefined) return known;
    const index = this.#offers.length;
    this.#offers.push({ text, ...this.#judged(text) });
    this.#offerOf.set(text, index);
    return index;
  }

  #judged(text: string): Omit<Offer, 'text'> {
    const read = readListing(keptJson(text));
    if (!read.ok) return unreadable;
    const { itemId, name, type, exterior, rarity, collection, color } = read.listing;
    const { priceMicros, cost, steam = 0, wear = Number.NaN, paintSeed = -1, market, delivery } = read.listing;
    const offerMarket = this.#markets.of(market);
    const delivered = delivery === undefined ? -1 : this.#deliveries.of(delivery);
    const values = { price: priceMicros, cost, steam, wear, paintSeed, offerMarket, delivery: delivered };
    return { item: this.#items.of(JSON.stringify([itemId, name, type, exterior, rarity, collection, color])), values };
  }
}

const unreadable = {
  item: -1,
  values: { price: 0, cost: 0, steam: 0, wear: Number.NaN, paintSeed: -1, offerMarket: 0, delivery: -1 },
};

function compareOffers(a: Offer | undefined, b: Offer | undefined): number {
  return (a?.item ?? 0) - (b?.item ?? 0) || (a?.values.price ?? 0) - (b?.values.price ?? 0);
}

/** Words by number, in the order in which they came. */
class Dictionary {
  readonly words: string[] = [];
  readonly #numbers = new Map<string, number>();

  of(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    this.words.push(word);
    this.#numbers.set(word, this.words.length - 1);
    return this.words.length - 1;
  }
}
