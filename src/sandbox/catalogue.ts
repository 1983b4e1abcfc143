import { exteriorWear } from '../domain/exterior.ts';
import { seededRandom, type Random } from '../domain/random.ts';
import { foldCase } from '../domain/text.ts';
import { type CatalogueFile, type Row, variantBits, readCatalogueFile } from '../settings/catalogue-file.ts';
import { popularityOf } from './popularity.ts';
import { referencePrice } from './reference-price.ts';

/** One market name that can be listed, with all its listings have in common. */
export interface CatalogueItem {
  /** 16-hex item id, made from the name. */
  readonly itemId: string;
  readonly name: string;
  readonly nameFolded: string;
  /** Weapon class or kind of thing: rifle, knife, hands, sticker, weaponcase … */
  readonly type: string;
  readonly rarity: string;
  readonly color: string;
  readonly collection: string | null;
  readonly exterior: string | null;
  /** Wear that its listings can have; undefined for things without wear. */
  readonly wear: { readonly low: number; readonly high: number } | undefined;
  /** "AK-47"; null for what is no weapon, knife or glove. */
  readonly weapon: string | null;
  readonly paintIndexes: readonly number[];
  /** Steam's price in dollars. */
  readonly steamPrice: number;
  /** How often it is listed, relative to the others. */
  readonly weight: number;
  /** 0 is the most popular. */
  readonly rank: number;
}

const wearing = new Set(['rifle', 'sniperrifle', 'smg', 'pistol', 'shotgun', 'machinegun', 'equipment', 'knife', 'hands']);

/** All names, most popular first, with a draw by popularity. */
export class Catalogue {
  readonly items: readonly CatalogueItem[];
  readonly #byId: ReadonlyMap<string, CatalogueItem>;
  readonly #cumulative: Float64Array;

  constructor(items: readonly CatalogueItem[]) {
    this.items = items;
    this.#byId = new Map(items.map((item) => [item.itemId, item]));
    this.#cumulative = new Float64Array(items.length);
    let total = 0;
    items.forEach((item, at) => (this.#cumulative[at] = total += item.weight));
  }

  byId(itemId: string): CatalogueItem | undefined {
    return this.#byId.get(itemId);
  }

  /** One item, the more popular the likelier. */
  draw(random: Random): CatalogueItem {
    const sums = this.#cumulative;
    const target = random.next() * (sums[sums.length - 1] ?? 0);
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) > target) high = middle;
      else low = middle + 1;
    }
    const item = this.items[low];
    if (!item) throw new RangeError('the catalogue is empty');
    return item;
  }
}

let loaded: Catalogue | undefined;

/** The items that come with Magpie; read once a process. */
export function loadCatalogue(): Catalogue {
  loaded ??= catalogueOf(readCatalogueFile());
  return loaded;
}

function catalogueOf(file: CatalogueFile): Catalogue {
  const items = file.rows.flatMap((row) => itemsOf(file, row));
  items.sort((a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1));
  return new Catalogue(items.map((item, rank) => ({ ...item, rank })));
}

function itemsOf(file: CatalogueFile, row: Row): CatalogueItem[] {
  const [base, typeAt, , variants, , wearMin = -1, wearMax = -1] = row;
  const star = variants & variantBits.star ? '★ ' : '';
  const names = [{ name: `${star}${base}`, variant: 'plain' as const }];
  const statTrak = { name: `${star}StatTrak™ ${base}`, variant: 'statTrak' as const };
  const souvenir = { name: `Souvenir ${base}`, variant: 'souvenir' as const };
  const all = [
    ...names,
    ...(variants & variantBits.statTrak ? [statTrak] : []),
    ...(variants & variantBits.souvenir ? [souvenir] : []),
  ];
  if (wearMin < 0) return all.map(({ name, variant }) => item(file, row, { name, variant, exterior: null, wear: undefined }));
  return exteriorWear.flatMap(([exterior, from, to]) => {
    const wear = { low: Math.max(from, wearMin), high: Math.min(to, wearMax) };
    if (wear.low >= wear.high || !wearing.has(file.types[typeAt] ?? '')) return [];
    return all.map(({ name, variant }) => item(file, row, { name: `${name} (${exterior})`, variant, exterior, wear }));
  });
}

interface Variant {
  readonly name: string;
  readonly variant: 'plain' | 'statTrak' | 'souvenir';
  readonly exterior: string | null;
  readonly wear: { readonly low: number; readonly high: number } | undefined;
}

function item(file: CatalogueFile, row: Row, { name, variant, exterior, wear }: Variant): CatalogueItem {
  const [base, typeAt, rarityAt, , collectionAt = -1, , , paintIndexes = [], known, boost = 1] = row;
  const type = file.types[typeAt] ?? 'other';
  const [rarity = 'Base Grade', color = '#b0c3d9'] = file.rarities[rarityAt] ?? [];
  const weapon = wearing.has(type) ? (base.split(' | ')[0] ?? null) : null;
  const steamPrice = referencePrice({ base, name, type, rarity, weapon, exterior, variant, known });
  const weight = popularityOf({ base, name, type, weapon, exterior, variant, boost, steamPrice });
  const collection = file.collections[collectionAt] ?? null;
  const common = { type, rarity, color, collection, exterior, wear, weapon, paintIndexes, steamPrice, weight, rank: 0 };
  return { itemId: itemIdOf(name), name, nameFolded: foldCase(name), ...common };
}

/** The 16-hex item id of a name: the same on every run and every exchange. */
function itemIdOf(name: string): string {
  const random = seededRandom(0, name);
  const half = (): string =>
    Math.floor(random.next() * 4_294_967_296)
      .toString(16)
      .padStart(8, '0');
  return half() + half();
}
