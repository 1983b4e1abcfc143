import { type ReadListing, readListing } from '../strategy/read-listing.ts';
import type { Held } from './known.ts';

/** An entry of an answer as it was read. */
export interface Entry {
  readonly read: ReadListing;
  /** The known listing that it showed when it was last seen, and nothing else; undefined when that was not yet told. */
  held: Held | undefined;
}

export type ReadEntry = (raw: unknown) => Entry;

export function readEntry(raw: unknown): Entry {
  return { read: readListing(raw), held: undefined };
}

/** Reads each entry once, for a feed that hands on the very same object for as long as the service sends the same bytes. */
export function readingOnce(): ReadEntry {
  const entries = new WeakMap<object, Entry>();
  return (raw) => {
    if (typeof raw !== 'object' || raw === null) return readEntry(raw);
    const known = entries.get(raw);
    if (known) return known;
    const entry = readEntry(raw);
    entries.set(raw, entry);
    return entry;
  };
}
