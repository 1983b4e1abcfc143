import { nearest } from '../domain/nearest.ts';
import { foldCase } from '../domain/text.ts';
import {
  colorNamed,
  colors,
  deliveries,
  exteriorShorthand,
  exteriors,
  marketShorthand,
  markets,
  rarities,
  types,
} from './known-words.ts';

interface Vocabulary {
  readonly known: readonly string[];
  readonly meant: (word: string) => string | undefined;
}

const vocabularies: Readonly<Record<'type' | 'exterior' | 'rarity' | 'market' | 'delivery' | 'color', Vocabulary>> = {
  type: { known: types, meant: (word) => nearest(word, types) },
  exterior: { known: exteriors, meant: (word) => exteriorShorthand.get(foldCase(word)) ?? nearest(word, exteriors) },
  rarity: { known: rarities, meant: (word) => nearest(word, rarities) },
  market: { known: markets, meant: (word) => marketShorthand.get(foldCase(word)) ?? nearest(word, markets) },
  delivery: { known: deliveries, meant: (word) => nearest(word, deliveries) },
  color: { known: colors, meant: (word) => colorNamed(word) ?? nearest(word, colors) },
};

export type WordKey = keyof typeof vocabularies;
export const wordKeys = Object.keys(vocabularies) as readonly WordKey[];

/** For a word that no upstream is known to use: the known words, and the one that was probably meant. undefined for a known one. */
export function wordHint(
  key: WordKey,
  word: string,
): { readonly known: readonly string[]; readonly meant: string | undefined } | undefined {
  const { known, meant } = vocabularies[key];
  if (known.some((other) => foldCase(other) === foldCase(word))) return undefined;
  return { known, meant: meant(word) };
}
