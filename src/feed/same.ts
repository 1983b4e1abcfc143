import type { Listing, Sticker } from '../domain/listing.ts';

/** Nested deeper than any sticker is: compared no further, so that a hostile answer cannot exhaust the stack. */
const DEPTH_MAX = 6;

/**
 * Whether two entries say the same, but for their image address, which decides nothing and may carry a changing token. True
 * means that reading either gives the same listing; false only means that it must be read to know.
 */
export function sameEntry(a: unknown, b: unknown): boolean {
  return same(a, b, 0);
}

function same(a: unknown, b: unknown, depth: number): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (depth > DEPTH_MAX || Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  for (const name of names) {
    if (!Object.hasOwn(b, name)) return false;
    if (depth === 0 && name === 'iconUrl') continue;
    if (!same((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name], depth + 1)) return false;
  }
  return true;
}

/** Whether two listings of one id cost the same. */
export function samePrice(a: Listing, b: Listing): boolean {
  return a.price === b.price && a.priceWithFee === b.priceWithFee;
}

/** Whether no strategy could tell two listings of one id apart. */
export function sameListing(a: Listing, b: Listing): boolean {
  return (
    samePrice(a, b) &&
    a.itemId === b.itemId &&
    a.name === b.name &&
    a.steam === b.steam &&
    a.wear === b.wear &&
    a.paintSeed === b.paintSeed &&
    a.type === b.type &&
    a.delivery === b.delivery &&
    a.exterior === b.exterior &&
    a.rarity === b.rarity &&
    a.collection === b.collection &&
    a.color === b.color &&
    sameStickers(a.stickers, b.stickers) &&
    sameSticker(a.charm, b.charm)
  );
}

function sameStickers(a: readonly Sticker[] | undefined, b: readonly Sticker[] | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.length === b.length && a.every((sticker, slot) => sticker.name === b[slot]?.name);
}

function sameSticker(a: Sticker | null | undefined, b: Sticker | null | undefined): boolean {
  return a && b ? a.name === b.name : a === b;
}
