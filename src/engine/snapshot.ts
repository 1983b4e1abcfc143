import type { EpochMs } from '../domain/clock.ts';
import type { Fault } from '../domain/fault.ts';
import type { BadListing, Listing, ListingKey } from '../domain/listing.ts';

/**
 * appeared: not known before, or known, gone and back. repriced: its price or priceWithFee moved. changed: another field
 * that a strategy can judge by moved. A change of anything else (an image address, an unknown field) is no change.
 */
export type ChangeKind = 'appeared' | 'repriced' | 'changed';

/** One listing that is new or different, with where and when it was seen. */
export interface ListingChange {
  readonly kind: ChangeKind;
  readonly listing: Listing;
  /** When it had been received whole, steady epoch milliseconds. */
  readonly seenAt: EpochMs;
  /** Its place in the feed's order, from 0. */
  readonly position: number;
  /** 0: handed on with the whole answer. Else it was handed on while the answer still arrived, by the how-manyeth look at it. */
  readonly chunk: number;
  /** The entry as the service sent it, unknown fields included: for the recording, never for a decision. */
  readonly raw: unknown;
}

/** An entry that cannot be judged, or one of several that contradict each other. */
export interface BadEntry extends BadListing {
  /** undefined when its market or id cannot be read. */
  readonly key: ListingKey | undefined;
  readonly position: number;
  /** The poll before did not show the same trouble with the same entry. */
  readonly fresh: boolean;
  readonly raw: unknown;
}

/**
 * What is odd about an answer as a whole.
 * prices: most known prices moved at once as no market moves; nothing is judged. count: the list and its count contradict each
 * other. shrunk: nearly everything is gone at once. too-many: longer than we follow. Of these three the listings are judged, but
 * nothing is said about what is gone.
 * many-bad: a large part cannot be judged; the rest is judged as usual.
 */
export interface SnapshotTrouble {
  readonly kind: 'prices' | 'count' | 'shrunk' | 'too-many' | 'many-bad';
  /** One sentence for a person. */
  readonly message: string;
}

/**
 * What an answer of the live feed shows for sure while it still arrives. Everything in `changed` is handed on again, the very same
 * listings, with the whole answer or with what is left of it when it breaks off.
 */
export interface EarlyChange {
  readonly pollSeq: number;
  readonly at: EpochMs;
  /** In the feed's order. */
  readonly changed: readonly ListingChange[];
  /** Listings of `changed` that the same answer has contradicted since: they cannot be bought. */
  readonly gone: readonly ListingKey[];
  /** As in the whole answer; only of one that broke off, of which nothing more comes. */
  readonly vouched?: readonly ListingKey[];
}

/** What an answer of the live feed changes, however that was found: of the whole, also where parts of it were handed on early. */
export interface SnapshotChange {
  /** Counts the polls of this run from 1. */
  readonly pollSeq: number;
  readonly beganAt: EpochMs;
  readonly endedAt: EpochMs;
  /** Nothing was judged before it since the start: it is judged whole, by priority rather than by arrival. */
  readonly first: boolean;
  /** It was received whole and contradicts neither itself nor common sense, so that what it lacks is gone. */
  readonly complete: boolean;
  /** Entries in the list as received, bad ones included. */
  readonly count: number;
  /** In the feed's order. */
  readonly changed: readonly ListingChange[];
  /**
   * Listings that can no longer be bought: gone from a complete answer, or (in any answer) become bad or contradictory, or
   * dropped because more are known than we follow. A known listing that is in neither list stands as it stood.
   */
  readonly gone: readonly ListingKey[];
  /** Not in `changed`, since looks at watched items had shown them just so; left out where no item is watched. */
  readonly vouched?: readonly ListingKey[];
  /** Details of the first hundred. */
  readonly bad: readonly BadEntry[];
  readonly badCount: number;
  /** Complete answers in a row, this one included, that showed no change at all; 0 when it did. */
  readonly unchangedInARow: number;
  readonly trouble: SnapshotTrouble | undefined;
}

/** One poll of the live listings as it went on the wire, whatever came of it. */
export interface PollFacts {
  /** Counts the polls of this run from 1. */
  readonly seq: number;
  readonly beganAt: EpochMs;
  readonly endedAt: EpochMs;
  /** HTTP status; undefined when there was no answer. */
  readonly status: number | undefined;
  /** Size of the decoded body in bytes; undefined when no whole body came. */
  readonly bytes: number | undefined;
  /** Entries in the list; undefined when there was none. */
  readonly count: number | undefined;
  readonly requestId: string | undefined;
  /** The answer's Date header, epoch milliseconds. */
  readonly serviceDate: EpochMs | undefined;
}

/** What one poll of the live listings came to. A failed poll says nothing about any listing but those it had shown whole before it failed. */
export type PollResult =
  | { readonly ok: true; readonly facts: PollFacts; readonly change: SnapshotChange }
  | {
      readonly ok: false;
      readonly facts: PollFacts;
      readonly fault: Fault;
      /** What was handed on early of an answer that then came to nothing; left out when nothing was. Never complete. */
      readonly change?: SnapshotChange;
    };
