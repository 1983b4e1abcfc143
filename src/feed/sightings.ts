import { type BadListing, type Listing, type ListingKey, listingKey } from '../domain/listing.ts';
import type { Entries } from './entry.ts';
import type { Known } from './known.ts';
import { sameListing, samePrice } from './same.ts';

/** A sound listing that is new, or different from what its id was known for. */
export interface Sighting {
  readonly listing: Listing;
  /** undefined when it was not known. */
  readonly before: Listing | undefined;
  readonly raw: unknown;
  /** Its place in the answer, from 0; the first one where the answer repeats it. */
  readonly position: number;
}

/** An entry of an answer that cannot be judged. */
export interface BadSighting {
  readonly bad: BadListing;
  /** undefined when its market or id cannot be read. */
  readonly key: ListingKey | undefined;
  readonly raw: unknown;
  readonly position: number;
}

/** One answer, entry by entry. Of the listings that are known, `Known` itself remembers which were seen as they were. */
export interface Sightings {
  /** Counts the answers. */
  readonly answer: number;
  /** How many of the sound listings are known, and are as they were. */
  unchanged: number;
  /** Those that are new or different, in the answer's order. */
  readonly different: Map<ListingKey, Sighting>;
  readonly bad: BadSighting[];
}

/** How many listings of the answer are sound. */
export function goodCount({ unchanged, different }: Sightings): number {
  return unchanged + different.size;
}

/** Texts of a bad entry are kept to be shown, not to be read in full. */
const SHOWN_MAX = 100;

/**
 * Reads every entry of one answer. An entry repeated word for word counts once; as soon as two copies of one (market, id)
 * differ in anything a strategy could tell, or one of them is bad, none of them is good.
 */
export function readEntries(answer: number, entries: readonly unknown[], known: Known, reading: Entries): Sightings {
  const seen: Sightings = { answer, unchanged: 0, different: new Map(), bad: [] };
  reading.begin(entries);
  const spoilt = new Set<ListingKey>();
  const contradicted = new Set<ListingKey>();
  for (let position = 0; position < entries.length; position++) {
    const raw = entries[position];
    reading.go(position);
    if (reading.slot >= 0 && known.seeAgain(reading.slot, reading.version, answer)) {
      seen.unchanged++;
      continue;
    }
    const read = reading.read();
    if (!read.ok) {
      const key = keyOf(raw);
      seen.bad.push({ bad: read.bad, key, raw, position });
      if (key !== undefined) spoilt.add(key);
      continue;
    }
    const { listing } = read;
    const { key } = listing;
    const slot = known.slotOf(key);
    const twin = slot === undefined ? seen.different.get(key)?.listing : known.seenAs(slot, answer);
    if (!twin) {
      const before = slot === undefined ? undefined : known.listingAt(slot);
      if (slot !== undefined) known.see(slot, answer, listing);
      if (slot !== undefined && before && (before === listing || sameListing(before, listing))) {
        reading.shows(slot, known.versionAt(slot));
        seen.unchanged++;
      } else seen.different.set(key, { listing, before, raw, position });
    } else if (twin !== listing && !sameListing(twin, listing) && !contradicted.has(key)) {
      contradicted.add(key);
      seen.bad.push({ bad: contradiction(twin, listing), key, raw, position });
    }
  }
  for (const key of [...spoilt, ...contradicted]) removeGood(seen, key, known);
  return seen;
}

/** What was taken for good turns out not to be. */
export function removeGood(seen: Sightings, key: ListingKey, known: Known): void {
  const slot = known.slotOf(key);
  if (!seen.different.delete(key) && slot !== undefined && known.seenAs(slot, seen.answer)) seen.unchanged--;
  if (slot !== undefined) known.unsee(slot);
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
