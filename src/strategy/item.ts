import type { Listing } from '../domain/listing.ts';

/**
 * What listings of one item have in common. Two markets may describe the same item in different words, so an item is all of
 * these together, never its name alone.
 */
export type Item = Pick<Listing, 'nameFolded' | 'type' | 'exterior' | 'rarity' | 'collection' | 'color'>;
