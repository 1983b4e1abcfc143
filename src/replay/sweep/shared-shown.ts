import { deserialize, serialize } from 'node:v8';
import type { Listing, ListingKey } from '../../domain/listing.ts';
import { type Micros, micros } from '../../domain/money.ts';
import type { ChangeKind, ListingChange } from '../../engine/snapshot.ts';
import { mostWithin } from '../../strategy/cost-bounds.ts';
import type { Strategy } from '../../strategy/strategy.ts';
import { Floats } from '../backtest/columns.ts';
import type { ShownPoll } from '../backtest/market-history.ts';
import { type SharedTexts, numberOfText, textOfNumber } from './shared-texts.ts';

const kinds: readonly ChangeKind[] = ['appeared', 'repriced', 'changed'];

const columnNames = [
  'poll',
  'lastChange',
  'lastGone',
  'kind',
  'seenAt',
  'position',
  'chunk',
  'key',
  'cost',
  'steam',
  'textEnd',
  'gone',
] as const;
type ColumnName = (typeof columnNames)[number];
type Columns = Readonly<Record<ColumnName, Floats>>;

/** What polls showed of listings that any variant may want: columns, and the listings' own words behind them. */
export interface ShownMemory {
  readonly columns: Readonly<Record<ColumnName, Float64Array<SharedArrayBuffer>>>;
  /** One listing after the other, serialized. */
  readonly listings: Uint8Array<SharedArrayBuffer>;
}

/** `keys`: of all listings that were offered. */
export function shareShown(shown: readonly ShownPoll[], keys: SharedTexts): ShownMemory {
  const columns = columnsOf(() => new Floats());
  const bytes = new Bytes();
  const numberOf = (key: ListingKey): number => numberOfText(keys, key) ?? unknown(key);
  for (const { poll, changed, gone } of shown) {
    for (const { kind, listing, seenAt, position, chunk } of changed) {
      columns.kind.push(kinds.indexOf(kind));
      columns.seenAt.push(seenAt);
      columns.position.push(position);
      columns.chunk.push(chunk);
      columns.key.push(numberOf(listing.key));
      columns.cost.push(listing.cost);
      columns.steam.push(listing.steam ?? Number.NaN);
      columns.textEnd.push(bytes.add(serialize(listing)));
    }
    for (const key of gone) columns.gone.push(numberOf(key));
    columns.poll.push(poll);
    columns.lastChange.push(columns.kind.length);
    columns.lastGone.push(columns.gone.length);
  }
  const views = columnNames.map((name) => [name, columns[name].values] as const);
  return { columns: Object.fromEntries(views) as ShownMemory['columns'], listings: bytes.all };
}

function columnsOf(of: (name: ColumnName) => Floats): Columns {
  return Object.fromEntries(columnNames.map((name) => [name, of(name)])) as Columns;
}

function unknown(key: ListingKey): never {
  throw new Error(`${key} was shown and never offered`);
}

/** What of it one strategy wants, as if only that had been read. */
export function shownFor({ columns: views, listings }: ShownMemory, keys: SharedTexts, strategy: Strategy): ShownPoll[] {
  const columns = columnsOf((name) => Floats.over(views[name]));
  const follow = new Set<number>();
  const wants = wantsOf(strategy);
  const shown: ShownPoll[] = [];
  let [change, departure] = [0, 0];
  for (let place = 0; place < columns.poll.length; place++) {
    const changed: ListingChange[] = [];
    for (; change < columns.lastChange.at(place); change++) {
      const found = changeAt(columns, listings, change, wants, follow);
      if (found !== undefined) changed.push(found);
    }
    const gone: ListingKey[] = [];
    for (; departure < columns.lastGone.at(place); departure++) {
      const key = columns.gone.at(departure);
      if (follow.delete(key)) gone.push(textOfNumber(keys, key));
    }
    if (changed.length > 0 || gone.length > 0) shown.push({ poll: columns.poll.at(place), changed, gone });
  }
  return shown;
}

interface Wants {
  /** Whether it is worth looking at the listing at all. */
  maybe(cost: Micros, steam: Micros | undefined): boolean;
  surely(listing: Listing): boolean;
}

function wantsOf({ foresight, looksAround, matches }: Strategy): Wants {
  // What asks for the listings around one has to see all of them.
  if (looksAround !== undefined) return { maybe: () => true, surely: () => true };
  const { bounds } = foresight;
  return {
    maybe: (cost, steam) => bounds.every((bound) => cost <= mostWithin(bound, steam)),
    surely: (listing) => matches(listing),
  };
}

/** What was of interest is followed until it is not any more: the change that makes it so has to be seen. */
function changeAt(
  columns: Columns,
  listings: Uint8Array,
  change: number,
  { maybe, surely }: Wants,
  follow: Set<number>,
): ListingChange | undefined {
  const key = columns.key.at(change);
  const steam = columns.steam.at(change);
  const followed = follow.has(key);
  if (!followed && !maybe(micros(columns.cost.at(change)), Number.isNaN(steam) ? undefined : micros(steam))) return undefined;
  const from = change === 0 ? 0 : columns.textEnd.at(change - 1);
  const listing = deserialize(listings.subarray(from, columns.textEnd.at(change))) as Listing;
  if (surely(listing)) follow.add(key);
  else if (!follow.delete(key)) return undefined;
  return {
    kind: kinds[columns.kind.at(change)] ?? 'changed',
    listing,
    seenAt: columns.seenAt.at(change),
    position: columns.position.at(change),
    chunk: columns.chunk.at(change),
    raw: undefined,
  };
}

/** Bytes that are only ever added at the end, in memory that threads may share. */
class Bytes {
  #data = new Uint8Array(new SharedArrayBuffer(65_536));
  #length = 0;

  get all(): Uint8Array<SharedArrayBuffer> {
    return this.#data.subarray(0, this.#length);
  }

  /** Where they end now. */
  add(bytes: Uint8Array): number {
    while (this.#length + bytes.length > this.#data.length) {
      const larger = new Uint8Array(new SharedArrayBuffer(2 * this.#data.length));
      larger.set(this.#data);
      this.#data = larger;
    }
    this.#data.set(bytes, this.#length);
    this.#length += bytes.length;
    return this.#length;
  }
}
