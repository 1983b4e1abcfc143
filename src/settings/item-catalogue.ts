import { KnownNames } from '../strategy/known-names.ts';
import { readCatalogueFile, variantBits } from './catalogue-file.ts';

/** The item names that come with Magpie; undefined where they cannot be read, since nothing but advice rests on them. */
export function knownNames(): KnownNames | undefined {
  try {
    const { rows } = readCatalogueFile();
    return new KnownNames(
      rows.map(([base, , , variants, , wearMin = -1]) => ({
        base,
        star: (variants & variantBits.star) !== 0,
        worn: wearMin >= 0,
      })),
    );
  } catch {
    return undefined;
  }
}
