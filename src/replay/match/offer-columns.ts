import { micros } from '../../domain/money.ts';
import type { Item } from '../../strategy/item.ts';
import { netOfSteam } from '../../strategy/steam-fee.ts';

/** What the offers of one item have in common, its name as it was received included. */
export type NamedItem = Item & { readonly name: string };

/** Which items there are, for whoever looks for some of them. */
export interface ItemShelf {
  /** Items by their folded names, rising. */
  readonly byName: Uint32Array;
  /** Items that are alike in all but their names have one kind: an item of each, and the kind of each item. */
  readonly kinds: readonly NamedItem[];
  readonly kindOf: Uint32Array;
}

/** Offers clustered by item: those of the nth item lie from `starts[n]` up to `starts[n + 1]`. */
export interface OfferColumns {
  readonly items: readonly NamedItem[];
  readonly shelf: ItemShelf;
  readonly starts: Uint32Array;
  /** Micro-dollars, the fee included; rising within each item. */
  readonly cost: Float64Array;
  /** Micro-dollars; 0 without a steamPrice. */
  readonly steam: Float64Array;
  /** Of each item, the highest steamPrice of its offers. */
  readonly mostSteam: Float64Array;
  /** And what a sale at that leaves. */
  readonly mostNet: Float64Array;
  /** NaN where it lacks one. */
  readonly wear: Float64Array;
  /** −1 where it lacks one. */
  readonly paintSeed: Float64Array;
  /** Numbers of `words`; 255: missing. */
  readonly market: Uint8Array;
  readonly delivery: Uint8Array;
  readonly words: readonly string[];
}

/** One offer, to be put in its place. */
export interface OfferRow {
  readonly item: number;
  readonly cost: number;
  readonly steam: number;
  readonly wear: number;
  readonly paintSeed: number;
  readonly market: number;
  readonly delivery: number;
}

/** What `market` and `delivery` are where an offer lacks them. */
export const NO_WORD = 255;

/** Puts offers in the order of their items and costs. `rowAt` fills one row and may reuse it. Gives the order too: which row came where. */
export function offerColumns(
  items: readonly NamedItem[],
  words: readonly string[],
  count: number,
  rowAt: (index: number) => OfferRow,
): { readonly columns: OfferColumns; readonly order: Uint32Array } {
  const order = inOrder(items.length, count, rowAt);
  const columns = {
    ...{
      items,
      words,
      shelf: itemShelf(items),
      starts: new Uint32Array(items.length + 1),
      mostSteam: new Float64Array(items.length),
    },
    mostNet: new Float64Array(items.length),
    ...{ cost: new Float64Array(count), steam: new Float64Array(count), wear: new Float64Array(count) },
    ...{ paintSeed: new Float64Array(count), market: new Uint8Array(count), delivery: new Uint8Array(count) },
  };
  for (let place = 0; place < count; place++) {
    const { item, cost, steam, wear, paintSeed, market, delivery } = rowAt(order[place] as number);
    columns.starts[item + 1] = place + 1;
    columns.cost[place] = cost;
    columns.steam[place] = steam;
    columns.wear[place] = wear;
    columns.paintSeed[place] = paintSeed;
    columns.market[place] = market;
    columns.delivery[place] = delivery;
    if (steam > (columns.mostSteam[item] as number)) columns.mostSteam[item] = steam;
  }
  for (const [item, steam] of columns.mostSteam.entries()) columns.mostNet[item] = steam === 0 ? 0 : netOfSteam(micros(steam));
  // An item without offers begins where the one before it ends.
  const { starts } = columns;
  for (let item = 1; item < starts.length; item++) starts[item] = Math.max(starts[item] as number, starts[item - 1] as number);
  return { columns, order };
}

function inOrder(items: number, count: number, rowAt: (index: number) => OfferRow): Uint32Array {
  const next = new Uint32Array(items + 1);
  const costs = new Float64Array(count);
  for (let index = 0; index < count; index++) {
    const { item, cost } = rowAt(index);
    next[item + 1] = (next[item + 1] as number) + 1;
    costs[index] = cost;
  }
  for (let item = 1; item <= items; item++) next[item] = (next[item] as number) + (next[item - 1] as number);
  const ends = next.slice(1);
  const order = new Uint32Array(count);
  for (let index = 0; index < count; index++) {
    const { item } = rowAt(index);
    order[next[item] as number] = index;
    next[item] = (next[item] as number) + 1;
  }
  for (let item = 0, from = 0; item < items; from = ends[item] as number, item++)
    order.subarray(from, ends[item]).sort((a, b) => (costs[a] as number) - (costs[b] as number) || a - b);
  return order;
}

function itemShelf(items: readonly NamedItem[]): ItemShelf {
  const byName = Uint32Array.from(items, (_, index) => index).sort((a, b) =>
    compared((items[a] as NamedItem).nameFolded, (items[b] as NamedItem).nameFolded),
  );
  const known = new Map<string, number>();
  const kinds: NamedItem[] = [];
  const kindOf = Uint32Array.from(items, (item) => {
    const { type, exterior, rarity, collection, color } = item;
    const id = JSON.stringify([type, exterior, rarity, collection, color]);
    const kind = known.get(id) ?? kinds.push(item) - 1;
    known.set(id, kind);
    return kind;
  });
  return { byName, kinds, kindOf };
}

/** By UTF-16 code units, as `startsWith` compares. */
function compared(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
