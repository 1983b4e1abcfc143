import type { Listing, Sticker } from '../domain/listing.ts';

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
