import type { EpochMs } from '../domain/clock.ts';
import type { Listing } from '../domain/listing.ts';
import type { Micros } from '../domain/money.ts';
import type { ReferenceRecord } from '../domain/reference.ts';

/** What a listing may be held against besides itself: values of one moment, so that the same always decides the same. */
export interface Surroundings {
  readonly at: EpochMs;
  /** What past days say of the steamPrice of a name (as `foldCase` makes it); undefined when there is no record. */
  recordOf(nameFolded: string): ReferenceRecord | undefined;
  /** What the cheapest other live listing of the same name costs; undefined when there is none, or nobody knows for sure. */
  floorBeside(listing: Pick<Listing, 'key' | 'nameFolded' | 'cost'>): Micros | undefined;
}

/** Nothing is known: no condition on it holds. */
export const nothingAround: Surroundings = { at: 0, recordOf: () => undefined, floorBeside: () => undefined };
