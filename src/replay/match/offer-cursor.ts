import type { Listing, Sticker } from '../../domain/listing.ts';
import { type Micros, micros } from '../../domain/money.ts';
import { NO_WORD, type NamedItem, type OfferColumns } from './offer-columns.ts';

/** What of columns a listing is made from. */
type Read = Pick<OfferColumns, 'items' | 'words' | 'cost' | 'steam' | 'wear' | 'paintSeed'> & {
  readonly market: ArrayLike<number>;
  readonly delivery: ArrayLike<number>;
};

/** One offer after the other as a listing, as far as the columns tell. It notes when it is asked for what they do not. */
export class OfferCursor implements Listing {
  readonly columns: Read;
  readonly key = '';
  readonly id = '';
  readonly itemId = '';
  readonly price = Number.NaN;
  readonly priceMicros = micros(0);
  readonly priceWithFee = Number.NaN;
  wasAsked = false;
  market = '';
  delivery: string | undefined;
  name = '';
  nameFolded = '';
  type: string | undefined;
  exterior: string | undefined;
  rarity: string | undefined;
  collection: string | undefined;
  color: string | undefined;
  cost: Micros = micros(0);
  steam: Micros | undefined;
  wear: number | undefined;
  paintSeed: number | undefined;
  #item = -1;

  constructor(columns: Read) {
    this.columns = columns;
  }

  at(offer: number, item: number): void {
    const { cost, steam, wear, paintSeed, market, delivery, words } = this.columns;
    if (item !== this.#item) this.#begin(item);
    this.wasAsked = false;
    this.cost = micros(cost[offer] as number);
    const reference = steam[offer] as number;
    this.steam = reference === 0 ? undefined : micros(reference);
    const worn = wear[offer] as number;
    this.wear = worn === worn ? worn : undefined;
    const seed = paintSeed[offer] as number;
    this.paintSeed = seed < 0 ? undefined : seed;
    this.market = words[market[offer] as number] ?? '';
    const delivered = delivery[offer] as number;
    this.delivery = delivered === NO_WORD ? undefined : words[delivered];
  }

  get stickers(): readonly Sticker[] | undefined {
    this.wasAsked = true;
    return undefined;
  }

  get charm(): Sticker | null | undefined {
    this.wasAsked = true;
    return undefined;
  }

  #begin(item: number): void {
    const { name, nameFolded, type, exterior, rarity, collection, color } = this.columns.items[item] as NamedItem;
    this.#item = item;
    this.name = name;
    this.nameFolded = nameFolded;
    this.type = type;
    this.exterior = exterior;
    this.rarity = rarity;
    this.collection = collection;
    this.color = color;
  }
}
