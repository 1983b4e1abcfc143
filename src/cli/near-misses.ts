import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Listing } from '../domain/listing.ts';
import { dollarsFromMicros } from '../domain/money.ts';
import { TapeReader } from '../replay/tape-reader.ts';
import { readListing } from '../strategy/read-listing.ts';
import type { ConditionReport, Strategy } from '../strategy/strategy.ts';
import { RECORDING_FILE } from './recording-file.ts';

/** A listing that a strategy would have wanted but for one condition. */
export interface NearMiss {
  readonly listing: Listing;
  readonly missed: ConditionReport;
}

/** Entries of the recording, and conditions in all, that are looked at for one answer. */
const ENTRIES = 400;
const QUESTIONS_MAX = 40_000;

const SHOWN_EACH = 3;

/** A listing of another item, or on another market, misses nothing narrowly. */
const NOT_NEAR = /^when\.(?:name|market|type|collection)\b/;

/** The newest entries of a recording that can be judged; none where there is no recording, or it cannot be read. */
export function newestListings(folder: string): readonly Listing[] {
  const path = join(folder, RECORDING_FILE);
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return [];
  const tape = new TapeReader(path);
  try {
    return tape.newestEntries(ENTRIES).flatMap((raw) => {
      const read = readListing(raw);
      return read.ok ? [read.listing] : [];
    });
  } finally {
    tape.close();
  }
}

/** Those of the listings that a strategy misses by one condition alone, the newest first. */
export function nearMisses(strategy: Strategy, listings: readonly Listing[], strategies: number): readonly NearMiss[] {
  const found: NearMiss[] = [];
  for (const listing of listings.slice(0, Math.ceil(QUESTIONS_MAX / strategies))) {
    if (!strategy.foresight.mayWant(listing)) continue;
    const short = strategy.explain(listing).filter(({ depth, verdict }) => depth === 0 && verdict !== 'true');
    const [missed] = short;
    if (missed === undefined || short.length > 1 || missed.verdict !== 'false' || NOT_NEAR.test(missed.path)) continue;
    found.push({ listing, missed });
    if (found.length === SHOWN_EACH) break;
  }
  return found;
}

export function nearMissJson({ listing, missed }: NearMiss): unknown {
  const { id, market, name, cost } = listing;
  const { path, wants: threshold, has: value } = missed;
  return { listingId: id, market, marketHashName: name, priceWithFee: dollarsFromMicros(cost), path, threshold, value };
}
