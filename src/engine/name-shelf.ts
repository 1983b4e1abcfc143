import type { Listing, ListingKey } from '../domain/listing.ts';
import type { Micros } from '../domain/money.ts';
import type { ListingChange } from './snapshot.ts';

/** A listing as the newest answers show it. */
export type Shelved = Pick<ListingChange, 'listing' | 'seenAt' | 'position'>;

/** So many answers may wait where no tick comes. */
const NOTED_MAX = 256;

interface Change {
  readonly changed: readonly ListingChange[];
  readonly gone: readonly ListingKey[];
}

/**
 * The live listings, by name. What an answer changes is only noted while it is judged, and put in its place when somebody asks or at
 * the next tick, so that nothing waits for it. Nobody has asked: they lie in one row, and no name has a map of its own, since most of a
 * thousand accounts never ask.
 */
export class NameShelf {
  readonly #shelved = new Map<ListingKey, Shelved>();
  /** The same by name; undefined until somebody has asked. */
  #names: Map<string, Map<ListingKey, Shelved>> | undefined;
  readonly #touched = new Set<string>();
  #noted: Change[] = [];
  #sure = false;

  /** Every live listing is here: a complete answer has been noted since the start. */
  get isSure(): boolean {
    return this.#sure;
  }

  /** A whole answer has something to tell of floors though it shows nothing new: it is the first, or names have changed since it was asked. */
  get isOpen(): boolean {
    return !this.#sure || this.#noted.length > 0 || this.#touched.size > 0;
  }

  /** What an answer, or a part of one that still arrives, changes. */
  note(change: Change, complete: boolean): void {
    if (change.changed.length > 0 || change.gone.length > 0) this.#noted.push(change);
    this.#sure ||= complete;
    if (this.#noted.length >= NOTED_MAX) this.settle();
  }

  /** Puts what was noted in its place. */
  settle(): void {
    if (this.#noted.length === 0) return;
    const noted = this.#noted;
    this.#noted = [];
    for (const { changed, gone } of noted) {
      for (const key of gone) this.#drop(key);
      for (const change of changed) this.#put(shelvedOf(change));
    }
  }

  /** The live listings of a name. */
  of(nameFolded: string): readonly Shelved[] {
    return [...(this.#byName().get(nameFolded)?.values() ?? [])];
  }

  /** What the cheapest other listing of the same name costs; undefined where there is no other. */
  floorBeside({ key, nameFolded }: Pick<Listing, 'key' | 'nameFolded'>): Micros | undefined {
    let floor: Micros | undefined;
    for (const { listing } of this.#byName().get(nameFolded)?.values() ?? []) {
      if (listing.key !== key && (floor === undefined || listing.cost < floor)) floor = listing.cost;
    }
    return floor;
  }

  /** The cheapest listing of each name that has changed since this was last asked: no other can be below all others of its name. */
  cheapestOfTouched(): readonly Shelved[] {
    const names = this.#byName();
    const found: Shelved[] = [];
    for (const name of this.#touched) {
      let best: Shelved | undefined;
      for (const each of names.get(name)?.values() ?? []) {
        if (best === undefined || each.listing.cost < best.listing.cost) best = each;
      }
      if (best !== undefined) found.push(best);
    }
    this.#touched.clear();
    return found;
  }

  /** Nobody asks for the cheapest of those that have changed by now. */
  forgetTouched(): void {
    this.#touched.clear();
  }

  #byName(): ReadonlyMap<string, ReadonlyMap<ListingKey, Shelved>> {
    this.settle();
    if (this.#names === undefined) {
      this.#names = new Map();
      for (const kept of this.#shelved.values()) putIn(this.#names, kept);
    }
    return this.#names;
  }

  #put(kept: Shelved): void {
    const { key, nameFolded } = kept.listing;
    const before = this.#shelved.get(key);
    if (before !== undefined && before.listing.nameFolded !== nameFolded) this.#drop(key);
    this.#shelved.set(key, kept);
    if (this.#names !== undefined) putIn(this.#names, kept);
    this.#touched.add(nameFolded);
  }

  #drop(key: ListingKey): void {
    const name = this.#shelved.get(key)?.listing.nameFolded;
    if (name === undefined) return;
    this.#shelved.delete(key);
    const others = this.#names?.get(name);
    others?.delete(key);
    if (others?.size === 0) this.#names?.delete(name);
    this.#touched.add(name);
  }
}

const shelved = new WeakMap<ListingChange, Shelved>();

/** What is kept of a change, without the entry as it was sent: one for all accounts that are told of it. */
function shelvedOf(change: ListingChange): Shelved {
  const before = shelved.get(change);
  if (before !== undefined) return before;
  const { listing, seenAt, position } = change;
  const kept = { listing, seenAt, position };
  shelved.set(change, kept);
  return kept;
}

function putIn(names: Map<string, Map<ListingKey, Shelved>>, kept: Shelved): void {
  const { key, nameFolded } = kept.listing;
  const others = names.get(nameFolded);
  if (others === undefined) names.set(nameFolded, new Map([[key, kept]]));
  else others.set(key, kept);
}
