import type { EpochMs } from '../domain/clock.ts';
import type { ListingKey } from '../domain/listing.ts';
import type { EarlyChange, ListingChange } from '../engine/snapshot.ts';
import type { ItemBindings } from './bindings.ts';
import { isJump, pricesCannotJump } from './common-sense.ts';
import { type Reading, type Sighting, changeOf } from './sightings.ts';
import { sameListing } from './same.ts';

export interface EarlyOptions {
  readonly pollSeq: number;
  readonly reading: Reading;
  readonly bindings: ItemBindings;
  /** How many listings were known before this answer. */
  readonly known: number;
}

/**
 * What is handed on of an answer while it still arrives: a sound listing once it is there whole, and no sooner than no rest of the
 * answer can bring common sense to judge nothing of it.
 */
export class Early {
  readonly pollSeq: number;
  readonly reading: Reading;
  readonly #options: EarlyOptions;
  readonly #handedOn = new Map<ListingKey, ListingChange>();
  readonly #takenBack = new Set<ListingKey>();
  #looks = 0;
  /** So many of the listings that are different have been counted, and handed on or passed over. */
  #counted = 0;
  #next = 0;
  /** How many of those that are known cost about what they did. */
  #near = 0;

  constructor(options: EarlyOptions) {
    this.#options = options;
    this.pollSeq = options.pollSeq;
    this.reading = options.reading;
  }

  /** What can be handed on since the last look; undefined when nothing can. */
  look(at: EpochMs): EarlyChange | undefined {
    this.#count();
    const gone = this.#contradicted();
    const changed = this.#isTrusted() ? this.#fresh(at) : [];
    if (changed.length === 0 && gone.length === 0) return undefined;
    return { pollSeq: this.pollSeq, at, changed, gone };
  }

  /** Takes back what the rest of the answer contradicts, though nobody has looked since. */
  end(): void {
    this.#contradicted();
  }

  /** What was handed on and not taken back. */
  get standing(): readonly ListingChange[] {
    return [...this.#handedOn.values()].filter(({ listing }) => !this.#takenBack.has(listing.key));
  }

  get takenBack(): Iterable<ListingKey> {
    return this.#takenBack;
  }

  /** How the same listing was handed on early; undefined when it was not. */
  asHandedOn({ listing }: Sighting): ListingChange | undefined {
    const change = this.#handedOn.get(listing.key);
    return change !== undefined && sameListing(change.listing, listing) ? change : undefined;
  }

  /** What was handed on, but is not among what the whole answer shows to be good and different. */
  missingIn(different: ReadonlyMap<ListingKey, Sighting>): readonly ListingKey[] {
    return [...this.#handedOn.keys()].filter((key) => !different.has(key));
  }

  #count(): void {
    const { different } = this.reading;
    for (; this.#counted < different.length; this.#counted++) {
      const { listing, before } = different[this.#counted] as Sighting;
      if (before !== undefined && !isJump(listing, before)) this.#near++;
    }
  }

  #contradicted(): readonly ListingKey[] {
    if (this.reading.doubted === 0) return [];
    const gone = [...this.#handedOn.keys()].filter((key) => this.reading.isDoubted(key) && !this.#takenBack.has(key));
    for (const key of gone) this.#takenBack.add(key);
    return gone;
  }

  /** Listings that turn out to be bad count as if they had been steady: they are taken off. */
  #isTrusted(): boolean {
    const { seen, doubted } = this.reading;
    return pricesCannotJump(seen.unchanged + this.#near - doubted, this.#options.known);
  }

  #fresh(at: EpochMs): readonly ListingChange[] {
    const { different } = this.reading;
    if (this.#next === different.length) return [];
    this.#looks++;
    const changed: ListingChange[] = [];
    for (; this.#next < different.length; this.#next++) {
      const sighting = different[this.#next] as Sighting;
      if (this.reading.isDoubted(sighting.listing.key) || this.#options.bindings.otherItem(sighting) !== undefined) continue;
      const change = changeOf(sighting, at, this.#looks);
      this.#handedOn.set(sighting.listing.key, change);
      changed.push(change);
    }
    return changed;
  }
}
