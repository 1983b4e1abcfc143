import { type BadListing, type Listing, type ListingKey, listingKey } from '../domain/listing.ts';
import { readListing } from '../strategy/read-listing.ts';
import { sameEntry, sameListing, samePrice } from './same.ts';

/** A sound listing as one answer shows it. */
export interface Sighting {
  readonly listing: Listing;
  readonly raw: unknown;
  /** Its place, from 0, in the answer in which it was last new or different; the first one where that answer repeats it. */
  readonly position: number;
}

/** An entry of an answer that cannot be judged. */
export interface BadSighting {
  readonly bad: BadListing;
  readonly key: ListingKey | undefined;
  readonly raw: unknown;
  readonly position: number;
}

export interface Sightings {
  /** By key, in the answer's order. */
  readonly good: Map<ListingKey, Sighting>;
  readonly bad: BadSighting[];
}

/** Texts of a bad entry are kept to be shown, not to be read in full. */
const SHOWN_MAX = 100;

/**
 * Reads every entry of one answer. An entry repeated word for word counts once; as soon as two copies of one (market, id)
 * differ in anything a strategy could tell, or one of them is bad, none of them is good. `known` gives what an id looked like
 * before: an entry that says the same again is not read again.
 */
export function readEntries(entries: readonly unknown[], known: (key: ListingKey) => Sighting | undefined): Sightings {
  const good = new Map<ListingKey, Sighting>();
  const bad: BadSighting[] = [];
  const spoilt = new Set<ListingKey>();
  const contradicted = new Set<ListingKey>();
  for (let position = 0; position < entries.length; position++) {
    const entry = readEntry(entries[position], position, known);
    if ('bad' in entry) {
      bad.push(entry);
      if (entry.key !== undefined) spoilt.add(entry.key);
      continue;
    }
    const { key } = entry.listing;
    const twin = good.get(key);
    if (!twin) good.set(key, entry);
    else if (!sameListing(twin.listing, entry.listing) && !contradicted.has(key)) {
      contradicted.add(key);
      bad.push({ bad: contradiction(twin.listing, entry.listing), key, raw: entry.raw, position });
    }
  }
  for (const key of [...spoilt, ...contradicted]) good.delete(key);
  return { good, bad };
}

function readEntry(raw: unknown, position: number, known: (key: ListingKey) => Sighting | undefined): Sighting | BadSighting {
  const key = keyOf(raw);
  const before = key === undefined ? undefined : known(key);
  if (before && sameEntry(before.raw, raw)) return before;
  const read = readListing(raw);
  return read.ok ? { listing: read.listing, raw, position } : { bad: read.bad, key, raw, position };
}

/** The (market, id) an entry claims; undefined when either is not text. */
function keyOf(raw: unknown): ListingKey | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined;
  const { market, id } = raw as { market?: unknown; id?: unknown };
  return typeof market === 'string' && typeof id === 'string' ? listingKey(market, id) : undefined;
}

function contradiction(first: Listing, second: Listing): BadListing {
  if (samePrice(first, second)) return judgedBad(first, 'the same id twice in one snapshot, and the two differ');
  return judgedBad(first, `two prices for one id in one snapshot: ${first.priceWithFee} and ${second.priceWithFee}`);
}

/** A listing that is sound in itself, but not to be judged for the given reason. */
export function judgedBad(listing: Listing, reason: string): BadListing {
  const { id, market, name } = listing;
  return { reason, id: id.slice(0, SHOWN_MAX), market: market.slice(0, SHOWN_MAX), name: name.slice(0, SHOWN_MAX) };
}
