import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One kind of item, as scripts/generate-catalogue.ts writes it. */
export type Row = readonly [
  name: string,
  type: number,
  rarity: number,
  variants: number,
  collection?: number,
  wearMin?: number,
  wearMax?: number,
  paints?: readonly number[],
  price?: number,
  popularity?: number,
];

/** Bits of a row's variants. */
export const variantBits = { statTrak: 2, souvenir: 4, star: 8 } as const;

export interface CatalogueFile {
  readonly types: readonly string[];
  readonly rarities: readonly (readonly [name: string, color: string])[];
  readonly collections: readonly string[];
  readonly rows: readonly Row[];
}

/** The items that come with Magpie: data/catalogue.json, at the same place beside src, dist and in the installed package. Throws where it cannot be read. */
export function readCatalogueFile(): CatalogueFile {
  const path = fileURLToPath(new URL('../../data/catalogue.json', import.meta.url));
  return JSON.parse(readFileSync(path, 'utf8')) as CatalogueFile;
}
