import type { EpochMs } from '../../domain/clock.ts';
import type { ListingKey } from '../../domain/listing.ts';
import { Floats } from './columns.ts';
import { KeyNumbers } from './key-numbers.ts';
import { NumberTable } from './number-table.ts';
import {
  type Offer,
  type OfferBook,
  type OfferEnd,
  type ShownOffer,
  endNumber,
  offerAt,
  offerColumns,
  offerStandingAt,
} from './offers.ts';
import { OFFERS_MAX, strideOf } from './sampled.ts';

const [REPRICED, GONE, UNSEEN, OPEN] = [endNumber('repriced'), endNumber('gone'), endNumber('unseen'), endNumber('open')];

/** What is known of the listings that stand, by the place of each. */
const standingColumns = ['cost', 'steam', 'shownAt', 'absentAt', 'ordinal', 'name', 'since', 'followed', 'wanted'] as const;
type Standing = Record<(typeof standingColumns)[number], Float64Array>;

/** Kept offers of each listing and of each name. */
interface Index {
  readonly byKey: ReadonlyMap<number, readonly number[]>;
  readonly byName: ReadonlyMap<number, readonly number[]>;
}

/**
 * The offers of a recording as far as anybody will ask for them: those of listings that somebody wanted, those under a name that somebody wanted
 * that can still be what a resale is valued by, and as many of all others as rates of going are fitted on. What stands is in flat memory; what
 * ended and is of no use is only counted.
 */
export class LeanOffers implements OfferBook {
  readonly numbers = new KeyNumbers();
  readonly names: string[] = [];
  readonly #columns = offerColumns(() => new Floats());
  readonly #keys = new Floats();
  readonly #ordinals = new Floats();
  readonly #open = new NumberTable();
  readonly #at: Standing;
  readonly #nameIds = new Map<string, number>();
  readonly #wantedNames: boolean[] = [];
  readonly #followed = new NumberTable();
  readonly #valuedFrom: EpochMs;
  #stride = 1;
  #count = 0;
  #opened = 0;
  #found: Index | undefined;

  /** `valuedFrom`: nothing is valued by what was offered before. `followed`: listings of which all is kept from the beginning. */
  constructor(valuedFrom: EpochMs, followed: Iterable<ListingKey>) {
    this.#valuedFrom = valuedFrom;
    for (const key of followed) this.#follow(this.numbers.of(key));
    const empty = standingColumns.map((name) => [name, new Float64Array(0)] as const);
    this.#at = Object.fromEntries(empty) as Standing;
  }

  get count(): number {
    return this.#count;
  }

  nameId(name: string): number {
    const known = this.#nameIds.get(name);
    if (known !== undefined) return known;
    this.#nameIds.set(name, this.names.length);
    return this.names.push(name) - 1;
  }

  show({ key, name, cost, steam, at, absentAt = Number.NaN, lastSeenAt }: ShownOffer): void {
    const number = this.numbers.of(key);
    this.showNumber(number, this.#open.placeOf(number), this.nameId(name), cost, steam ?? Number.NaN, at, absentAt, lastSeenAt);
  }

  /** The place of a listing that stands; −1: it does not. */
  placeOf(number: number): number {
    return this.#open.placeOf(number);
  }

  /** Whether somebody wanted it as it was last shown. */
  isWanted(place: number): boolean {
    return (this.#at.wanted[place] as number) === 1;
  }

  /** By the ten million: `place` is where the listing stands, or −1; NaN for a steamPrice or a time that is not known. */
  showNumber(
    ...[number, place, name, cost, steam, at, absentAt, lastSeenAt]: readonly [
      ...[number: number, place: number, name: number, cost: number, steam: number],
      ...[at: EpochMs, absentAt: EpochMs, lastSeenAt: EpochMs],
    ]
  ): void {
    let own = place;
    if (own >= 0) {
      if (this.#at.cost[own] === cost) return;
      this.#emit(own, number, lastSeenAt, at, REPRICED);
    } else own = this.#begin(number);
    const standing = this.#at;
    standing.cost[own] = cost;
    standing.steam[own] = steam;
    standing.shownAt[own] = at;
    standing.absentAt[own] = absentAt;
    standing.name[own] = name;
    standing.ordinal[own] = this.#count;
    this.#count += 1;
    if (this.#count > this.#stride * OFFERS_MAX) this.#stride = strideOf(this.#count);
  }

  wants(key: ListingKey): boolean {
    const place = this.#open.placeOf(this.numbers.of(key));
    return place >= 0 && this.isWanted(place);
  }

  want(key: ListingKey): void {
    const number = this.numbers.of(key);
    const place = this.#open.placeOf(number);
    if (place < 0) return;
    this.#at.wanted[place] = 1;
    this.#at.followed[place] = 1;
    this.#wantedNames[this.#at.name[place] as number] = true;
    this.#follow(number);
  }

  leave(key: ListingKey): boolean {
    const place = this.#open.placeOf(this.numbers.of(key));
    if (place < 0 || !this.isWanted(place)) return false;
    this.#at.wanted[place] = 0;
    return true;
  }

  end(key: ListingKey, lastSeenAt: EpochMs, missedAt: EpochMs, how: OfferEnd): void {
    const number = this.numbers.of(key);
    this.endNumber(number, this.#open.placeOf(number), lastSeenAt, missedAt, how === 'unseen' ? UNSEEN : GONE);
  }

  endNumber(number: number, place: number, lastSeenAt: EpochMs, missedAt: EpochMs, how = GONE): void {
    if (place < 0) return;
    this.#emit(place, number, lastSeenAt, missedAt, how);
    this.#open.remove(number);
  }

  standingKeys(): readonly ListingKey[] {
    const since = ([, place]: readonly [number, number]): number => this.#at.since[place] as number;
    return [...this.#open.entries()].sort((a, b) => since(a) - since(b)).map(([number]) => this.numbers.keyOf(number));
  }

  finish(lastSeenAt: EpochMs): void {
    for (const [number, place] of this.#open.entries()) this.#emit(place, number, lastSeenAt, Number.NaN, OPEN);
  }

  at(index: number): Offer {
    return offerAt(this.#columns, index);
  }

  of(key: ListingKey, at: EpochMs): Offer | undefined {
    const own = this.#index().byKey.get(this.numbers.of(key));
    return own === undefined ? undefined : offerStandingAt(this.#columns, own, at);
  }

  keyAt(index: number): ListingKey {
    return this.numbers.keyOf(this.#keys.at(index));
  }

  named(name: string): Iterable<number> {
    return this.#index().byName.get(this.#nameIds.get(name) ?? -1) ?? [];
  }

  sampled(): Iterable<number> {
    const own: number[] = [];
    for (let index = 0; index < this.#ordinals.length; index++)
      if (this.#ordinals.at(index) % this.#stride === 0) own.push(index);
    return own.sort((a, b) => this.#ordinals.at(a) - this.#ordinals.at(b));
  }

  #begin(number: number): number {
    const place = this.#open.add(number);
    if (place >= this.#at.cost.length) this.#widen();
    this.#at.since[place] = this.#opened++;
    this.#at.wanted[place] = 0;
    this.#at.followed[place] = this.#followed.size > 0 && this.#followed.placeOf(number) >= 0 ? 1 : 0;
    return place;
  }

  #follow(number: number): void {
    if (this.#followed.placeOf(number) < 0) this.#followed.add(number);
  }

  #widen(): void {
    for (const name of standingColumns) {
      const wider = new Float64Array(Math.max(1_024, 2 * this.#at[name].length));
      wider.set(this.#at[name]);
      this.#at[name] = wider;
    }
  }

  /** An offer is over: it is kept where somebody may ask for it. */
  #emit(place: number, number: number, lastSeenAt: EpochMs, missedAt: EpochMs, end: number): void {
    const { cost, steam, shownAt, absentAt, ordinal, name, followed } = this.#at;
    const seenAt = Math.max(shownAt[place] as number, lastSeenAt);
    const until = missedAt === missedAt ? missedAt : seenAt;
    const isAsked =
      (ordinal[place] as number) % this.#stride === 0 ||
      followed[place] === 1 ||
      (until > this.#valuedFrom && this.#wantedNames[name[place] as number] === true);
    if (!isAsked) return;
    this.#columns.cost.push(cost[place] as number);
    this.#columns.steam.push(steam[place] as number);
    this.#columns.name.push(name[place] as number);
    this.#columns.shownAt.push(shownAt[place] as number);
    this.#columns.absentAt.push(absentAt[place] as number);
    this.#columns.lastSeenAt.push(seenAt);
    this.#columns.missedAt.push(missedAt);
    this.#columns.end.push(end);
    this.#keys.push(number);
    this.#ordinals.push(ordinal[place] as number);
  }

  #index(): Index {
    if (this.#found !== undefined) return this.#found;
    const byKey = new Map<number, number[]>();
    const byName = new Map<number, number[]>();
    for (let index = 0; index < this.#keys.length; index++) {
      const [key, name] = [this.#keys.at(index), this.#columns.name.at(index)];
      if (this.#followed.placeOf(key) >= 0) group(byKey, key, index);
      if (this.#wantedNames[name] === true) group(byName, name, index);
    }
    return (this.#found = { byKey, byName });
  }
}

function group(groups: Map<number, number[]>, of: number, index: number): void {
  const own = groups.get(of);
  if (own === undefined) groups.set(of, [index]);
  else own.push(index);
}
