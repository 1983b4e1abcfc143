import type { Listing } from '../domain/listing.ts';
import { foldCase } from '../domain/text.ts';
import { type Condition, judgesOf } from './condition.ts';
import type { Conditions } from './schema.ts';
import type { ItemForesight } from './strategy.ts';
import { nothingAround } from './surroundings.ts';

/** Divides what a strategy asks into what an item decides and what each of its listings does. */
export function itemForesight(conditions: readonly Condition[], when: Conditions = {}): ItemForesight {
  const ofKinds = judgesOf(conditions.filter(({ reads }) => reads === 'kind'));
  const ofItems = judgesOf(conditions.filter(({ reads }) => reads === 'item'));
  const others = conditions.filter(({ reads }) => reads === 'listing');
  const ofListings = judgesOf(others);
  // What reads no more than the item is handed one without looking at what it lacks of a listing.
  const all = (judges: typeof ofKinds, item: unknown): boolean => {
    for (const judge of judges) if (judge(item as Listing, nothingAround) !== 'true') return false;
    return true;
  };
  const asked = (listing: Listing): boolean => all(ofListings, listing);
  return {
    heads: headsOf(when),
    mayWantKind: (item) => all(ofKinds, item),
    asks: (item) => {
      if (!all(ofItems, item) || !all(ofKinds, item)) return undefined;
      for (const { foresee } of others) if (!foresee(item).mayHold) return undefined;
      return asked;
    },
  };
}

/** How the names begin that a group may want; undefined: any name. */
function headsOf({ name, all = [], any }: Conditions): readonly string[] | undefined {
  if (name !== undefined)
    return (typeof name === 'string' ? [name] : name).map((glob) => /^[^*?]*/.exec(foldCase(glob))?.[0] ?? '');
  for (const group of all) {
    const heads = headsOf(group);
    if (heads !== undefined) return heads;
  }
  const alternatives = any?.map(headsOf);
  return alternatives?.every((heads) => heads !== undefined) === true ? alternatives.flat() : undefined;
}
