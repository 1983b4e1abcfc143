import type { Item } from './item.ts';
import { isDoppler } from './item-name.ts';

/** What `why` says of a price that is a trap. */
export const trapWords = 'a Doppler, whose steamPrice blends all phases; it counts only with `doppler: true`';

/** Whether an item's steamPrice blends phases that are worth very different amounts, unless a strategy lets it count. */
export function dopplerTrap(doppler: boolean): (item: Pick<Item, 'nameFolded'>) => boolean {
  return ({ nameFolded }) => !doppler && isDoppler(nameFolded);
}
