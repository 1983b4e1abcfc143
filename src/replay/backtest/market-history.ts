import type { EpochMs } from '../../domain/clock.ts';
import type { Listing, ListingKey } from '../../domain/listing.ts';
import type { BalanceReading, HealthMissing, HealthReading } from '../../domain/readings.ts';
import type { Event, StandingListing } from '../../engine/event.ts';
import type { NamedRecord } from '../../engine/references.ts';
import type { Rules } from '../../engine/state.ts';
import type { ListingChange, SnapshotChange } from '../../engine/snapshot.ts';
import type { Attempt } from '../inputs.ts';
import type { Blind, Coverage } from './coverage.ts';
import type { Floats } from './columns.ts';
import type { SeenOffers } from './offers.ts';
import type { OwnPast } from './own-past.ts';

/** What a poll showed of the listings that somebody may want. */
export interface ShownPoll {
  /** Its place among all polls. */
  readonly poll: number;
  readonly changed: readonly ListingChange[];
  readonly gone: readonly ListingKey[];
}

/** What stopped buying, or let it go on. */
export type Stop = Extract<Event, { readonly type: 'blocked' | 'unblocked' | 'halted' | 'resumed' | 'slowed' }>;

/** What else was heard. */
export type Heard = { readonly at: EpochMs } & (
  | { readonly of: 'health'; readonly health: HealthReading | HealthMissing }
  | { readonly of: 'references'; readonly records: readonly NamedRecord[] }
  | { /** Buying was closed, halted, slowed, or opened again. */ readonly of: 'stop'; readonly stop: Stop }
  | {
      /** Other rules came into force; never read from a recording, which has no strategies' texts. */ readonly of: 'rules';
      readonly rules: Rules;
      /** What of interest stood then. */
      readonly listings: readonly StandingListing[];
    }
);

/** Every poll that could be judged, in columns. */
export interface Polls {
  readonly beganAt: Floats;
  readonly endedAt: Floats;
  /** 1: complete, else 0. */
  readonly complete: Floats;
  /** 1: it shows everything that stands, else 0. */
  readonly first: Floats;
}

/** A time of one or several recordings, read once, to be replayed as often as one likes. */
export interface MarketHistory {
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly coverage: Coverage;
  readonly gaps: readonly Blind[];
  readonly polls: Polls;
  /** The complete ones alone. */
  readonly completePolls: Pick<Polls, 'beganAt' | 'endedAt'>;
  readonly offers: SeenOffers;
  /** Polls that showed something of interest, in their order. */
  readonly shown: readonly ShownPoll[];
  /** In the order of time. */
  readonly heard: readonly Heard[];
  /** Names of whose past days' prices something was known when it begins, from what was recorded before. */
  readonly recordsKnown: number;
  readonly balances: readonly BalanceReading[];
  readonly attempts: readonly Attempt[];
  readonly past: OwnPast;
  /** Changes of listings and departures, of interest or not. */
  readonly events: number;
  /** Different listings. */
  readonly listings: number;
  /** Entries that this version of Magpie cannot judge. */
  readonly unreadable: number;
}

/** Whether a listing is of interest to whoever will ask. */
export type Interest = (listing: Listing) => boolean;

/** A poll as `step` is told of it. By the hundred thousand: one plain object each. */
export function answerOf(
  { beganAt, endedAt, first, complete }: Polls,
  poll: number,
  shown: ShownPoll | undefined,
): SnapshotChange {
  const changed = shown?.changed ?? [];
  return {
    pollSeq: poll + 1,
    beganAt: beganAt.at(poll),
    endedAt: endedAt.at(poll),
    first: first.at(poll) === 1,
    complete: complete.at(poll) === 1,
    count: changed.length,
    changed,
    gone: shown?.gone ?? [],
    bad: [],
    badCount: 0,
    unchangedInARow: 0,
    trouble: undefined,
  };
}
