import { chance, pick, wholeBetween, type Random } from '../domain/random.ts';
import type { Catalogue, CatalogueItem } from './catalogue.ts';

/** What can be stuck on or hung from a weapon, by name. */
export interface Decorations {
  readonly stickers: readonly CatalogueItem[];
  /** Those of the first tournaments, which owners have stuck on what they valued. */
  readonly oldStickers: readonly CatalogueItem[];
  readonly charms: readonly CatalogueItem[];
}

export function decorationsOf(catalogue: Catalogue): Decorations {
  const ofType = (type: string): CatalogueItem[] => catalogue.items.filter((item) => item.type === type);
  const stickers = ofType('sticker');
  return { stickers, oldStickers: stickers.filter(({ name }) => /201[45]$/.test(name)), charms: ofType('keychain') };
}

const guns = new Set(['rifle', 'sniperrifle', 'smg', 'pistol', 'shotgun', 'machinegun']);

/**
 * Applied stickers in one of the shapes that upstreams use (field-notes): name, enName or marketHashName; id, stickerId or
 * neither; wear as number, text or absent; now and then an element that is no object.
 */
export function drawStickers(random: Random, item: CatalogueItem, all: Decorations): unknown[] {
  if (!guns.has(item.type) || !chance(random, 0.3) || all.stickers.length === 0) return [];
  const pool = chance(random, 0.1) && all.oldStickers.length > 0 ? all.oldStickers : all.stickers;
  const same = chance(random, 0.2) ? pick(random, pool) : undefined;
  const shape = wholeBetween(random, 0, 3);
  const count = wholeBetween(random, 1, chance(random, 0.1) ? 5 : 4);
  return Array.from({ length: count }, (_, slot) => sticker(random, same ?? pick(random, pool), slot, shape));
}

function sticker(random: Random, item: CatalogueItem, slot: number, shape: number): unknown {
  const short = item.name.replace(/^Sticker \| /, '');
  const wear = chance(random, 0.7) ? 0 : Math.fround(random.next());
  const id = item.rank + 1;
  if (chance(random, 0.01)) return id;
  switch (shape) {
    case 0:
      return { name: short, slot, wear, stickerId: id };
    case 1:
      return { enName: short, id: String(id), slot, wear: String(wear) };
    case 2:
      return { marketHashName: item.name, slot, ...(wear === 0 ? {} : { wear }) };
    default:
      return { name: item.name, enName: short, sticker_id: id, slot, wear, category: 'sticker' };
  }
}

/** An attached charm: an object, null or an array of one. */
export function drawCharm(random: Random, item: CatalogueItem, all: Decorations): unknown {
  if (!guns.has(item.type) || !chance(random, 0.08) || all.charms.length === 0) return null;
  const charm = pick(random, all.charms);
  const pattern = wholeBetween(random, 1, 100_000);
  if (chance(random, 0.5)) return { name: charm.name, pattern };
  return [{ marketHashName: charm.name, id: charm.rank + 1, pattern: String(pattern) }];
}
