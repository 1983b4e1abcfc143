import { micros } from '../../domain/money.ts';
import { netOfSteam } from '../../strategy/steam-fee.ts';
import type { Strategy } from '../../strategy/strategy.ts';
import type { NamedItem, OfferColumns } from './offer-columns.ts';
import { OfferCursor } from './offer-cursor.ts';
import { type Limits, type Wish, Wishes, givenBy, limitsOf } from './wishes.ts';

/** Told of an offer that a strategy wants; not `sure`: columns do not say what it asks for (stickers, charms), and the listing has to be asked. */
export type OnWanted = (offer: number, sure: boolean) => void;

/**
 * Finds the offers that a strategy wants by columns: items by how their names begin and what they are, then no further than its bounds on
 * cost reach, and only then by what it asks of a listing, so that nothing decides but its own conditions. What is around a listing is not
 * known here: a strategy that looks there wants nothing.
 */
export function wantedIn(columns: OfferColumns, strategy: Strategy, onWanted: OnWanted): void {
  search(columns, new OfferCursor(columns), strategy, onWanted);
}

/**
 * The same for many strategies: each offer is looked at once, and only those are asked whose bounds reach as far. `onWanted` hears of a strategy by its
 * place; of one strategy the offers come in the same order.
 */
export function wantedByAny(
  columns: OfferColumns,
  strategies: readonly Strategy[],
  onWanted: (strategy: number, offer: number, sure: boolean) => void,
): void {
  const cursor = new OfferCursor(columns);
  const wishes = new Wishes(strategies);
  for (const item of columns.shelf.byName) {
    const begin = columns.starts[item] as number;
    if (columns.starts[item + 1] === begin) continue;
    const ladder = wishes
      .of(columns.items[item] as NamedItem)
      .map(({ strategy, limits, asks }) => ({ strategy, asks, end: reach(columns, item, limits) }))
      .sort((a, b) => b.end - a.end);
    const end = ladder[0]?.end ?? begin;
    let rungs = ladder.length;
    for (let offer = begin; offer < end; offer++) {
      while ((ladder[rungs - 1] as Rung).end <= offer) rungs--;
      cursor.at(offer, item);
      for (let rung = 0; rung < rungs; rung++) {
        const { strategy, asks } = ladder[rung] as Rung;
        cursor.wasAsked = false;
        if (asks(cursor)) onWanted(strategy, offer, !cursor.wasAsked);
        else if (cursor.wasAsked) onWanted(strategy, offer, false);
      }
    }
  }
}

/** A strategy, and up to which of an item's offers its bounds reach. */
type Rung = Pick<Wish, 'strategy' | 'asks'> & { readonly end: number };

function search(columns: OfferColumns, cursor: OfferCursor, strategy: Strategy, onWanted: OnWanted): void {
  const { items, shelf } = columns;
  const given = givenBy(strategy);
  const isWanted = Uint8Array.from(shelf.kinds, (item) => (given.mayWantKind(item) ? 1 : 0));
  const limits = limitsOf(strategy.foresight.bounds);
  for (const [from, to] of stretches(columns, given.heads)) {
    for (let place = from; place < to; place++) {
      const item = shelf.byName[place] as number;
      if (isWanted[shelf.kindOf[item] as number] === 0) continue;
      const end = reach(columns, item, limits);
      const begin = columns.starts[item] as number;
      if (end === begin) continue;
      const asks = given.asks(items[item] as NamedItem);
      if (asks === undefined) continue;
      for (let offer = begin; offer < end; offer++) {
        cursor.at(offer, item);
        if (asks(cursor)) onWanted(offer, !cursor.wasAsked);
        else if (cursor.wasAsked) onWanted(offer, false);
      }
    }
  }
}

/** Of the items by name, the stretches whose names begin so, each item once. */
function stretches(
  { items, shelf: { byName } }: OfferColumns,
  heads: readonly string[] | undefined,
): readonly [number, number][] {
  if (heads === undefined) return [[0, byName.length]];
  const nameAt = (place: number): string => (items[byName[place] as number] as NamedItem).nameFolded;
  const least = (holds: (name: string) => boolean): number => {
    let [low, high] = [0, byName.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(nameAt(middle))) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const found: [number, number][] = [];
  for (const head of [...heads].sort()) {
    const last = found.at(-1)?.[1] ?? 0;
    const from = Math.max(
      last,
      least((name) => name >= head),
    );
    const to = least((name) => name > head && !name.startsWith(head));
    if (to > from) found.push([from, to]);
  }
  return found;
}

/** Up to which of an item's offers bounds reach: with the highest steamPrice of all, at which they are widest. */
function reach({ starts, cost, mostSteam, mostNet }: OfferColumns, item: number, { cost: limit, share, loss }: Limits): number {
  const [from, to] = [starts[item] as number, starts[item + 1] as number];
  const steam = mostSteam[item] as number;
  let most = limit;
  if (share < Infinity) most = Math.min(most, steam === 0 ? -Infinity : share * steam);
  if (loss < Infinity) most = Math.min(most, steam === 0 ? -Infinity : (mostNet[item] as number) + loss);
  if (from === to || !((cost[from] as number) <= most)) return from;
  return (cost[to - 1] as number) <= most ? to : upTo(cost, from, to, most);
}

/** The first place whose cost is above; they rise. */
function upTo(cost: Float64Array, from: number, to: number, most: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((cost[middle] as number) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether any of the wishes for an item may want an offer that lies anywhere; what columns do not say is left to the listing. */
export function mayBeWanted(wishes: readonly Wish[], cursor: OfferCursor, offer: number, item: number): boolean {
  const { cost, steam } = cursor.columns;
  let isSet = false;
  for (const { limits, asks } of wishes) {
    if (!isWithin(limits, cost[offer] as number, steam[offer] as number)) continue;
    if (!isSet) cursor.at(offer, item);
    isSet = true;
    cursor.wasAsked = false;
    if (asks(cursor) || cursor.wasAsked) return true;
  }
  return false;
}

/** `steam` is 0 without a reference, and no rule on one holds. */
function isWithin({ cost: limit, share, loss }: Limits, cost: number, steam: number): boolean {
  if (!(cost <= limit)) return false;
  if (share < Infinity && !(steam > 0 && cost <= share * steam)) return false;
  return loss === Infinity || (steam > 0 && cost <= netOfSteam(micros(steam)) + loss);
}
