import { seededRandom } from '../../../src/domain/random.ts';
import { netOfSteam } from '../../../src/strategy/steam-fee.ts';
import { type NamedItem, type OfferColumns, type OfferRow, offerColumns } from '../../../src/replay/match/offer-columns.ts';
import { type Catalogue, loadCatalogue } from '../../../src/sandbox/catalogue.ts';
import { dollars } from '../../support/values.ts';

/** One of the offers that all others are variations of. */
export interface Template {
  readonly item: number;
  readonly cost: number;
  readonly steam: number;
  readonly net: number;
  readonly wears: boolean;
}

export interface MadeUp {
  readonly catalogue: Catalogue;
  readonly items: readonly NamedItem[];
  readonly templates: readonly Template[];
}

export const markets = ['c5game', 'ecosteam'] as const;
export const deliveries = ['auto', 'normal'] as const;

/** The multipliers by which one number is drawn from another, here and in SQL alike: whole numbers below 2^32. */
export const draws = {
  template: 2_654_435_761,
  cost: 2_246_822_519,
  wear: 3_266_489_917,
  seed: 668_265_263,
  words: 374_761_393,
} as const;

/** Items as often as the sandbox's market draws them, each template with a price somewhere below and about Steam's. */
export function madeUp(templates: number): MadeUp {
  const catalogue = loadCatalogue();
  const random = seededRandom(11, 'offers');
  const place = new Map(catalogue.items.map(({ itemId }, index) => [itemId, index]));
  const items = catalogue.items.map(({ name, nameFolded, type, exterior, rarity, collection, color }) => ({
    ...{ name, nameFolded, type, rarity, color },
    ...{ exterior: exterior ?? undefined, collection: collection ?? undefined },
  }));
  return {
    ...{ catalogue, items },
    templates: Array.from({ length: templates }, () => {
      const item = catalogue.draw(random);
      const steam = dollars(item.steamPrice);
      const cost = Math.max(10_000, Math.round(steam * (0.45 + random.next() * 0.6)));
      return { item: place.get(item.itemId) as number, cost, steam, net: netOfSteam(steam), wears: item.wear !== undefined };
    }),
  };
}

function drawn(index: number, by: number): number {
  return Math.imul(index + 1, by) >>> 0;
}

/** So many offers, clustered by item. */
export function madeUpColumns({ items, templates }: MadeUp, count: number): OfferColumns {
  const row: { -readonly [K in keyof OfferRow]: OfferRow[K] } = {
    ...{ item: 0, cost: 0, steam: 0, wear: 0, paintSeed: 0, market: 0, delivery: 0 },
  };
  return offerColumns(items, [...markets, ...deliveries], count, (index) => {
    const { item, cost, steam, wears } = templates[drawn(index, draws.template) % templates.length] as Template;
    const words = drawn(index, draws.words);
    row.item = item;
    row.steam = steam;
    row.cost = Math.floor((cost * (900 + (drawn(index, draws.cost) % 200))) / 1_000);
    row.wear = wears ? (drawn(index, draws.wear) % 10_000) / 10_000 : Number.NaN;
    row.paintSeed = wears ? drawn(index, draws.seed) % 1_001 : -1;
    row.market = words % 2;
    row.delivery = 2 + (Math.floor(words / 2) % 10 < 3 ? 0 : 1);
    return row;
  }).columns;
}
