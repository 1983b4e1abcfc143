import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { KnownNames } from '../strategy/known-names.ts';

/** What comes with Magpie, at the same place beside src, dist and in the installed package. */
const catalogue = fileURLToPath(new URL('../../data/catalogue.json', import.meta.url));

/** The bit of a row's variants that says that its names begin with a star. */
const STAR = 8;

type Row = readonly [base: string, type: number, rarity: number, variants: number, collection?: number, wearMin?: number];

/** The item names that come with Magpie; undefined where they cannot be read, since nothing but advice rests on them. */
export function knownNames(): KnownNames | undefined {
  try {
    const { rows } = JSON.parse(readFileSync(catalogue, 'utf8')) as { readonly rows: readonly Row[] };
    return new KnownNames(
      rows.map(([base, , , variants, , wearMin = -1]) => ({ base, star: (variants & STAR) !== 0, worn: wearMin >= 0 })),
    );
  } catch {
    return undefined;
  }
}
