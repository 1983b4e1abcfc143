import type { EpochMs } from '../../domain/clock.ts';
import type { ListingKey } from '../../domain/listing.ts';
import { type Micros, micros } from '../../domain/money.ts';
import { Floats, countUpTo } from './columns.ts';
import { strideOf } from './sampled.ts';

/** How a listing at a price came to its end. open: it stood when the watching ended. unseen: it went while nobody watched. */
export type OfferEnd = 'gone' | 'repriced' | 'unseen' | 'open';

const ends: readonly OfferEnd[] = ['gone', 'repriced', 'unseen', 'open'];

/** As it stands in the column `end`. */
export function endNumber(end: OfferEnd): number {
  return ends.indexOf(end);
}

/** A listing at one price, from when it was first seen so until it was not. */
export interface Offer {
  readonly name: number;
  readonly cost: Micros;
  /** undefined without a steamPrice. */
  readonly steam: Micros | undefined;
  /** When it was first seen. */
  readonly shownAt: EpochMs;
  /** The last complete look that did not show it began then; undefined where it may have stood for any time. */
  readonly absentAt: EpochMs | undefined;
  /** A look that began then still showed it. */
  readonly lastSeenAt: EpochMs;
  /** The look that did not show it any more ended then; undefined where none did. */
  readonly missedAt: EpochMs | undefined;
  readonly end: OfferEnd;
}

/** Offers as they can be asked for, wherever they lie. */
export interface SeenOffers {
  /** Of all that were seen, those that nobody can ask for any more included. */
  readonly count: number;
  at(index: number): Offer;
  /** Evenly chosen ones on which rates of going are fitted, in the order in which they were shown. */
  sampled(): Iterable<number>;
  /** The offer of a listing that stood, or was last shown, at a moment. */
  of(key: ListingKey, at: EpochMs): Offer | undefined;
  /** The listing of an offer. */
  keyAt(index: number): ListingKey;
  /** Those of one name, in the order in which they were shown. */
  named(name: string): Iterable<number>;
}

/** A listing as it was just seen. */
export interface ShownOffer {
  readonly key: ListingKey;
  readonly name: string;
  readonly cost: Micros;
  readonly steam: Micros | undefined;
  readonly at: EpochMs;
  /** The last complete look that did not show it began then. */
  readonly absentAt: EpochMs | undefined;
  /** What was known before was last seen then. */
  readonly lastSeenAt: EpochMs;
}

const columnNames = ['name', 'cost', 'steam', 'shownAt', 'absentAt', 'lastSeenAt', 'missedAt', 'end'] as const;
type ColumnName = (typeof columnNames)[number];

/** What is known of each offer, as numbers. */
export type OfferColumns = Readonly<Record<ColumnName, Floats>>;

/** A column for each, made by whoever knows where it lies. */
export function offerColumns(of: (name: ColumnName) => Floats): OfferColumns {
  return Object.fromEntries(columnNames.map((name) => [name, of(name)])) as OfferColumns;
}

export function offerAt(columns: OfferColumns, index: number): Offer {
  const [steam, absentAt, missedAt] = [columns.steam.at(index), columns.absentAt.at(index), columns.missedAt.at(index)];
  return {
    name: columns.name.at(index),
    cost: micros(columns.cost.at(index)),
    steam: Number.isNaN(steam) ? undefined : micros(steam),
    shownAt: columns.shownAt.at(index),
    absentAt: Number.isNaN(absentAt) ? undefined : absentAt,
    lastSeenAt: columns.lastSeenAt.at(index),
    missedAt: Number.isNaN(missedAt) ? undefined : missedAt,
    end: ends[columns.end.at(index)] ?? 'open',
  };
}

/** Of the offers of one listing, in their order, the one that stood or was last shown at a moment. */
export function offerStandingAt(
  columns: OfferColumns,
  own: { readonly length: number; readonly [index: number]: number },
  at: EpochMs,
): Offer | undefined {
  const upTo = countUpTo({ length: own.length, at: (place) => columns.shownAt.at(own[place] as number) }, at);
  const index = own[upTo - 1];
  return index === undefined ? undefined : offerAt(columns, index);
}

/** Offers while they are read. */
export interface OfferBook extends SeenOffers {
  /** A listing as it was just seen; one at the price that it had goes on. */
  show(seen: ShownOffer): void;
  /** It stood at `lastSeenAt` and did not at `missedAt`. */
  end(key: ListingKey, lastSeenAt: EpochMs, missedAt: EpochMs, how: OfferEnd): void;
  /** Whether somebody wanted a listing as it was last shown. */
  wants(key: ListingKey): boolean;
  /** Somebody wants a listing that stands, as it was just shown. */
  want(key: ListingKey): void;
  /** Nobody does any more. Gives whether somebody did. */
  leave(key: ListingKey): boolean;
  /** Listings that stand, in the order in which they came. */
  standingKeys(): readonly ListingKey[];
  /** The watching is over: what stands was last seen then. */
  finish(lastSeenAt: EpochMs): void;
}

/** The sample of so many offers that all are there. */
export function* everyNth(count: number): Generator<number, undefined> {
  const stride = strideOf(count);
  for (let index = 0; index < count; index += stride) yield index;
  return undefined;
}

/** All offers of a recording, in columns. */
export class Offers implements OfferBook {
  readonly names: string[] = [];
  readonly columns = offerColumns(() => new Floats());
  readonly #nameIds = new Map<string, number>();
  readonly #open = new Map<ListingKey, number>();
  readonly #byKey = new Map<ListingKey, number[]>();
  readonly #wanted = new Set<ListingKey>();
  #keys: readonly ListingKey[] | undefined;
  #byName: ReadonlyMap<number, readonly number[]> | undefined;

  get count(): number {
    return this.columns.cost.length;
  }

  wants(key: ListingKey): boolean {
    return this.#wanted.has(key);
  }

  want(key: ListingKey): void {
    this.#wanted.add(key);
  }

  leave(key: ListingKey): boolean {
    return this.#wanted.delete(key);
  }

  standingKeys(): readonly ListingKey[] {
    return [...this.#open.keys()];
  }

  show(seen: ShownOffer): number {
    const before = this.#open.get(seen.key);
    if (before !== undefined) {
      if (this.columns.cost.at(before) === seen.cost) return before;
      this.#close(before, seen.lastSeenAt, seen.at, 'repriced');
    }
    const index = this.columns.cost.push(seen.cost);
    this.columns.name.push(this.#nameId(seen.name));
    this.columns.steam.push(seen.steam ?? Number.NaN);
    this.columns.shownAt.push(seen.at);
    // A price that was changed is a new offer from a moment that is known as well as that of any other.
    this.columns.absentAt.push(seen.absentAt ?? Number.NaN);
    this.columns.lastSeenAt.push(seen.at);
    this.columns.missedAt.push(Number.NaN);
    this.columns.end.push(ends.indexOf('open'));
    this.#open.set(seen.key, index);
    const own = this.#byKey.get(seen.key);
    if (own === undefined) this.#byKey.set(seen.key, [index]);
    else own.push(index);
    [this.#keys, this.#byName] = [undefined, undefined];
    return index;
  }

  end(key: ListingKey, lastSeenAt: EpochMs, missedAt: EpochMs, how: OfferEnd): void {
    const index = this.#open.get(key);
    if (index !== undefined) this.#close(index, lastSeenAt, missedAt, how);
    this.#open.delete(key);
  }

  finish(lastSeenAt: EpochMs): void {
    const { shownAt, lastSeenAt: seen } = this.columns;
    for (const index of this.#open.values()) seen.set(index, Math.max(shownAt.at(index), lastSeenAt));
  }

  at(index: number): Offer {
    return offerAt(this.columns, index);
  }

  sampled(): Iterable<number> {
    return everyNth(this.count);
  }

  of(key: ListingKey, at: EpochMs): Offer | undefined {
    const own = this.#byKey.get(key);
    return own === undefined ? undefined : offerStandingAt(this.columns, own, at);
  }

  keyAt(index: number): ListingKey {
    this.#keys ??= this.#keysInOrder();
    return this.#keys[index] as ListingKey;
  }

  named(name: string): Iterable<number> {
    this.#byName ??= this.#groupedByName();
    return this.#byName.get(this.#nameIds.get(name) ?? -1) ?? [];
  }

  #keysInOrder(): readonly ListingKey[] {
    const keys: ListingKey[] = [];
    for (const [key, own] of this.#byKey) for (const index of own) keys[index] = key;
    return keys;
  }

  #groupedByName(): ReadonlyMap<number, readonly number[]> {
    const byName = new Map<number, number[]>();
    for (let index = 0; index < this.count; index++) {
      const name = this.columns.name.at(index);
      const own = byName.get(name);
      if (own === undefined) byName.set(name, [index]);
      else own.push(index);
    }
    return byName;
  }

  #close(index: number, lastSeenAt: EpochMs, missedAt: EpochMs, how: OfferEnd): void {
    this.columns.lastSeenAt.set(index, Math.max(this.columns.shownAt.at(index), lastSeenAt));
    this.columns.missedAt.set(index, missedAt);
    this.columns.end.set(index, ends.indexOf(how));
  }

  #nameId(name: string): number {
    const known = this.#nameIds.get(name);
    if (known !== undefined) return known;
    this.#nameIds.set(name, this.names.length);
    return this.names.push(name) - 1;
  }
}
