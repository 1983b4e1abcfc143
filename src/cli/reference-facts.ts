import type { Listing } from '../domain/listing.ts';
import { type Micros, dollarsFromMicros, formatDollars } from '../domain/money.ts';
import { type ReferenceRecord, dayOf, jumpText, recordOf } from '../domain/reference.ts';
import { counted } from '../domain/text.ts';
import { openReader } from '../ledger/open.ts';
import type { NamedSamples, Reading } from '../ledger/references.ts';
import { jumpRefusal } from '../risk/reference-guard.ts';
import { pricesFolder } from '../settings/prices-folder.ts';
import type { Surroundings } from '../strategy/surroundings.ts';
import type { Circumstances } from './admission.ts';
import { ago } from './time.ts';

/** What our own record says of a listing's name. */
export interface ReferenceFacts {
  /** By the days before today; undefined when none has a steamPrice. */
  readonly record: ReferenceRecord | undefined;
  /** The newest look at its live listings; undefined when it was never seen. */
  readonly reading: Reading | undefined;
  /** Why its steamPrice is not believed beside the record, in words; undefined when it is. */
  readonly jumped: string | undefined;
}

export function referenceFacts(listing: Pick<Listing, 'nameFolded' | 'steam'>, where: Circumstances): ReferenceFacts {
  const { now, settings } = where;
  const kept = keptOf(listing.nameFolded, where);
  const record = kept && recordOf(kept.samples, dayOf(now), settings.reference.days);
  const refusal = listing.steam === undefined ? undefined : jumpRefusal(listing.steam, record, settings.reference);
  return { record, reading: kept?.reading, jumped: refusal?.detail };
}

/** Several accounts keep one record, unless one of them watches items for itself and so has seen more than the others. */
function keptOf(name: string, { reader, settings }: Circumstances): NamedSamples | undefined {
  const shared = settings.account === undefined ? undefined : openReader(pricesFolder(settings.recordingFolder));
  if (shared?.ok !== true) return reader?.referenceOf(name);
  try {
    const [own, ofAll] = [reader?.referenceOf(name), shared.value.referenceOf(name)];
    return own !== undefined && own.reading.at > (ofAll?.reading.at ?? 0) ? own : ofAll;
  } finally {
    shared.value.close();
  }
}

/**
 * What a command can know of a listing's surroundings: the record, and the cheapest listings of its name as they were last read. The
 * daemon goes by the listings of its newest answer.
 */
export function surroundingsFor({ record, reading }: ReferenceFacts, where: Circumstances): Surroundings {
  return {
    at: where.now,
    recordOf: () => record,
    floorBeside: ({ cost }) => reading && besides(reading, cost),
  };
}

/** One that costs as much as the cheapest is taken for it. */
function besides({ floor, nextFloor }: Reading, cost: Micros): Micros | undefined {
  return cost === floor ? nextFloor : floor;
}

/** Sentences about it for a person. */
export function referenceWords({ record, reading, jumped }: ReferenceFacts, { steam }: Listing, now: number): readonly string[] {
  return [
    record === undefined
      ? 'our record of its steamPrice: none yet; a day counts once it is over'
      : `our record of its steamPrice: ${recordWords(record, steam)}, newest ${ago(record.newestAt, now)}`,
    ...(reading === undefined ? [] : [`its cheapest listing: ${readingWords(reading)} (read ${ago(reading.at, now)})`]),
    ...(jumped === undefined ? [] : [`its steamPrice is not believed: ${jumped}`]),
  ];
}

function recordWords(record: ReferenceRecord, steam: Micros | undefined): string {
  const { median, samples, low, high } = record;
  const jump = steam === undefined ? '' : `, now ${jumpText(steam, record)}`;
  return `median ${formatDollars(median)} of ${counted(samples, 'day')} (${formatDollars(low)} to ${formatDollars(high)})${jump}`;
}

function readingWords({ floor, nextFloor }: Reading): string {
  return `${formatDollars(floor)}, ${nextFloor === undefined ? 'the only one' : `the next ${formatDollars(nextFloor)}`}`;
}

/** The same for a program: dollars as numbers, times ISO 8601 in UTC. */
export function referenceJson({ record, reading, jumped }: ReferenceFacts): Record<string, unknown> {
  const iso = (at: number): string => new Date(at).toISOString();
  const dollars = (amount: Micros | undefined): number | null => (amount === undefined ? null : dollarsFromMicros(amount));
  return {
    median: dollars(record?.median),
    samples: record?.samples ?? 0,
    newest: record === undefined ? null : iso(record.newestAt),
    low: dollars(record?.low),
    high: dollars(record?.high),
    floor: dollars(reading?.floor),
    nextFloor: dollars(reading?.nextFloor),
    floorRead: reading === undefined ? null : iso(reading.at),
    jumped: jumped ?? null,
  };
}
