import type { EpochMs } from '../../domain/clock.ts';
import type { ListingKey } from '../../domain/listing.ts';
import { Floats } from '../backtest/columns.ts';
import {
  type Offer,
  type OfferColumns,
  type Offers,
  type SeenOffers,
  everyNth,
  offerAt,
  offerColumns,
  offerStandingAt,
} from '../backtest/offers.ts';
import { type SharedTexts, numberOfText, shareTexts, textOfNumber } from './shared-texts.ts';

/** Offers in groups: those of the nth stand in `members` from the end of the one before to its own. */
interface Groups {
  readonly ends: Uint32Array<SharedArrayBuffer>;
  readonly members: Uint32Array<SharedArrayBuffer>;
}

/** All offers of a history in memory that threads share: no thread has a copy of anything in it. */
export interface OfferMemory {
  readonly columns: Readonly<Record<keyof OfferColumns, Float64Array<SharedArrayBuffer>>>;
  readonly names: SharedTexts;
  readonly keys: SharedTexts;
  /** The number of the listing of each offer. */
  readonly keyOf: Uint32Array<SharedArrayBuffer>;
  readonly byKey: Groups;
  readonly byName: Groups;
}

export function shareOffers(offers: Offers): OfferMemory {
  const { columns, names, count } = offers;
  const numbers = new Map<ListingKey, number>();
  const keyOf = new Uint32Array(new SharedArrayBuffer(4 * count));
  for (let index = 0; index < count; index++) {
    const key = offers.keyAt(index);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    keyOf[index] = number;
  }
  return {
    columns: Object.fromEntries(
      Object.entries(columns).map(([name, column]) => [name, column.values] as const),
    ) as OfferMemory['columns'],
    names: shareTexts(names),
    keys: shareTexts([...numbers.keys()]),
    keyOf,
    byKey: grouped(count, numbers.size, (index) => keyOf[index] as number),
    byName: grouped(count, names.length, (index) => columns.name.at(index)),
  };
}

/** The offers of such memory, to be asked for as those of the history that it was made from. */
export class SharedOffers implements SeenOffers {
  readonly #memory: OfferMemory;
  readonly #columns: OfferColumns;

  constructor(memory: OfferMemory) {
    this.#memory = memory;
    this.#columns = offerColumns((name) => Floats.over(memory.columns[name]));
  }

  get count(): number {
    return this.#columns.cost.length;
  }

  at(index: number): Offer {
    return offerAt(this.#columns, index);
  }

  sampled(): Iterable<number> {
    return everyNth(this.count);
  }

  of(key: ListingKey, at: EpochMs): Offer | undefined {
    const { keys, byKey } = this.#memory;
    const number = numberOfText(keys, key);
    return number === undefined ? undefined : offerStandingAt(this.#columns, membersOf(byKey, number), at);
  }

  keyAt(index: number): ListingKey {
    return textOfNumber(this.#memory.keys, this.#memory.keyOf[index] as number);
  }

  named(name: string): Iterable<number> {
    const { names, byName } = this.#memory;
    const number = numberOfText(names, name);
    return number === undefined ? [] : membersOf(byName, number);
  }
}

function membersOf({ ends, members }: Groups, group: number): Uint32Array {
  return members.subarray(ends[group - 1] ?? 0, ends[group]);
}

/** Each in its group, in the order of the offers. */
function grouped(count: number, groups: number, groupOf: (index: number) => number): Groups {
  const ends = new Uint32Array(new SharedArrayBuffer(4 * groups));
  const members = new Uint32Array(new SharedArrayBuffer(4 * count));
  for (let index = 0; index < count; index++) add(ends, groupOf(index), 1);
  for (let group = 1; group < groups; group++) add(ends, group, ends[group - 1] as number);
  for (let index = count - 1; index >= 0; index--) {
    const group = groupOf(index);
    add(ends, group, -1);
    members[ends[group] as number] = index;
  }
  // Each stands at its beginning now, which is the end of the one before.
  ends.copyWithin(0, 1);
  if (groups > 0) ends[groups - 1] = count;
  return { ends, members };
}

function add(values: Uint32Array, index: number, by: number): void {
  values[index] = (values[index] as number) + by;
}
