import type { EpochMs } from '../domain/clock.ts';
import type { Micros } from '../domain/money.ts';
import type { ChangeKind } from '../engine/snapshot.ts';
import type { TapeInputs } from './inputs.ts';

/** A run of a process that recorded. What lies between two of them was seen by nobody. */
export interface RecordedSession {
  /** Of its recording. */
  readonly id: number;
  readonly startedAt: EpochMs;
  /** undefined where it was killed, or goes on. */
  readonly stoppedAt: EpochMs | undefined;
  /** Of Magpie. */
  readonly version: string;
  readonly mode: string;
}

/** Where a moment stands recorded. */
export interface Source {
  /** Path of the recording. */
  readonly recording: string;
  readonly session: RecordedSession;
}

/** The last complete poll before another one of the same session. */
export interface EarlierPoll {
  readonly seq: number;
  readonly beganAt: EpochMs;
  readonly endedAt: EpochMs;
}

/** What columns tell of an entry that a screen passes over; its text is read when it is asked for. May throw as reading does. */
export interface PassedOver {
  readonly name: string;
  readonly cost: Micros;
  readonly steam: Micros | undefined;
  readonly text: () => string;
}

/** One thing that happened to a listing. */
export interface RecordedEvent {
  /** As in `ListingChange`; gone: not to be had any more; bad: an entry that could not be judged. */
  readonly kind: ChangeKind | 'gone' | 'bad';
  /** When it was seen whole, or found gone. */
  readonly at: EpochMs;
  /** Empty where a bad entry has none that can be read; so is `id`. */
  readonly market: string;
  readonly id: string;
  /** Place in the feed, from 0; undefined when it is gone. */
  readonly position: number | undefined;
  /** As in `ListingChange`; undefined when it is gone or bad. */
  readonly chunk: number | undefined;
  /** The entry as JSON, unknown fields included; undefined when it is gone. */
  readonly text: string | undefined;
  /** In the place of `text`, where it is read through a screen that passes it over. */
  readonly passedOver?: PassedOver;
  /** Why it is bad; undefined otherwise. */
  readonly reason: string | undefined;
  /** The poll of its session that showed it; undefined where that one is not recorded any more. */
  readonly pollSeq: number | undefined;
  /** When the last complete poll before that ended: it happened after this one's answer was made. undefined where there is none. */
  readonly afterPollAt: EpochMs | undefined;
}

/** One poll of the live listings, and what it showed. */
export interface RecordedPoll {
  readonly seq: number;
  readonly beganAt: EpochMs;
  readonly endedAt: EpochMs;
  /** ok, the kind of a `SnapshotTrouble`, or the cause of the fault that it came to. */
  readonly outcome: string;
  /** What it lacks is gone. */
  readonly complete: boolean;
  /** The first of its session that was judged. */
  readonly first: boolean;
  readonly status: number | undefined;
  readonly bytes: number | undefined;
  readonly count: number | undefined;
  /** Entries that could not be judged; undefined where nothing was. */
  readonly bad: number | undefined;
  readonly requestId: string | undefined;
  readonly serviceDate: EpochMs | undefined;
  readonly message: string | undefined;
  /** The last complete one before it: what this one shows as new happened between the two. */
  readonly after: EarlierPoll | undefined;
  /** In the order in which they were found: changed ones in the feed's order, then gone, then bad. */
  readonly events: readonly RecordedEvent[];
}

/** Something else that the decisions rested on. */
export interface RecordedInput {
  readonly kind: keyof TapeInputs;
  readonly at: EpochMs;
  /** JSON of `TapeInputs[kind]`. */
  readonly value: string;
}

export interface RecordedGap {
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** What was lost: polls of which only the outcome for the listings is known, and inputs. */
  readonly polls: number;
  readonly inputs: number;
  readonly reason: string;
}

/**
 * What a recording has to say, one after the other.
 * session: a session begins here (or the range does, within it). ground: what stood, and what was in force, when the range or what is left of the session began.
 * gap: up to its end, polls or inputs are missing. damage: from here on this session cannot be read.
 */
export type Moment =
  | { readonly kind: 'session'; readonly at: EpochMs; readonly source: Source }
  | {
      readonly kind: 'ground';
      readonly at: EpochMs;
      readonly source: Source;
      /** The last event of each listing that stood, oldest first. */
      readonly standing: readonly RecordedEvent[];
      /** The last health, balance, strategies and settings. */
      readonly inForce: readonly RecordedInput[];
    }
  | { readonly kind: 'input'; readonly at: EpochMs; readonly source: Source; readonly input: RecordedInput }
  | { readonly kind: 'poll'; readonly at: EpochMs; readonly source: Source; readonly poll: RecordedPoll }
  | { readonly kind: 'gap'; readonly at: EpochMs; readonly source: Source; readonly gap: RecordedGap }
  | { readonly kind: 'damage'; readonly at: EpochMs; readonly source: Source; readonly message: string };
