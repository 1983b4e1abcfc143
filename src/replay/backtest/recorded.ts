import type { EpochMs } from '../../domain/clock.ts';
import { type ListingKey, listingKey } from '../../domain/listing.ts';
import type { ChangeKind } from '../../engine/snapshot.ts';
import { keptJson } from '../listing-text.ts';
import type { Moment, PassedOver, RecordedEvent, RecordedInput, RecordedPoll as TapePoll, Source } from '../moment.ts';
import { type Recording, momentsOf } from '../recordings.ts';
import type { Span } from '../span.ts';

/** A listing that a poll showed new or different. */
export interface RecordedChange {
  readonly kind: ChangeKind;
  readonly key: ListingKey;
  /** When it had been received whole. */
  readonly at: EpochMs;
  readonly position: number;
  /** 0: with the whole answer; else by the how-manyeth look at one that still arrived. */
  readonly chunk: number;
  /** The entry as the service sent it, as JSON; of one that nobody can want what columns tell of it, and the way to its text. */
  readonly entry: string | PassedOver;
}

/** One poll of the live listings, with what it changed; the first of a run or range shows what stood as well. */
export interface RecordedPoll {
  readonly of: 'poll';
  /** Which run of which recording. */
  readonly run: string;
  readonly seq: number;
  readonly beganAt: EpochMs;
  readonly endedAt: EpochMs;
  /** Received whole and in no contradiction with itself: what it lacks is gone. */
  readonly complete: boolean;
  /** It shows everything that stands. */
  readonly first: boolean;
  readonly changed: readonly RecordedChange[];
  /** Gone, or become bad. */
  readonly gone: readonly ListingKey[];
}

export type Recorded =
  | RecordedPoll
  | { readonly of: 'input'; readonly recording: string; readonly at: EpochMs; readonly kind: string; readonly value: unknown }
  | { readonly of: 'gap'; readonly from: EpochMs; readonly to: EpochMs; readonly reason: string };

/** What recordings hold of a time, one thing after the other. Throws SQLite's errors. */
export function* recordedIn(
  recordings: readonly Recording[],
  range: Span,
  screen?: Parameters<typeof momentsOf>[2],
): Generator<Recorded, undefined> {
  const grounds = new Map<string, readonly RecordedEvent[]>();
  for (const moment of momentsOf(recordings, range, screen)) {
    const run = runOf(moment.source);
    const { recording } = moment.source;
    if (moment.kind === 'ground') {
      grounds.set(run, moment.standing);
      for (const input of moment.inForce) yield* inputOf(recording, input);
    } else if (moment.kind === 'input') {
      yield* inputOf(recording, moment.input);
    } else if (moment.kind === 'poll') {
      yield pollOf(run, moment.poll, grounds.get(run) ?? []);
      grounds.delete(run);
    } else if (moment.kind !== 'session') yield gapOf(moment);
  }
  return undefined;
}

/** Nothing where it is no JSON any more. */
function* inputOf(recording: string, { kind, at, value: text }: RecordedInput): Generator<Recorded, undefined> {
  const value = keptJson(text);
  if (value !== undefined) yield { of: 'input', recording, at, kind, value };
}

function gapOf(moment: Extract<Moment, { kind: 'gap' | 'damage' }>): Recorded {
  if (moment.kind === 'damage')
    return { of: 'gap', from: moment.at, to: Number.MAX_SAFE_INTEGER, reason: `damaged: ${moment.message}` };
  const { from, to, reason } = moment.gap;
  return { of: 'gap', from, to, reason };
}

/** Which run of which recording. */
export function runOf({ recording, session }: Source): string {
  return `${recording}:${session.id}`;
}

function pollOf(
  run: string,
  { seq, beganAt, endedAt, complete, first, events }: TapePoll,
  ground: readonly RecordedEvent[],
): RecordedPoll {
  const isFirst = first || ground.length > 0;
  return { of: 'poll', run, seq, beganAt, endedAt, complete, first: isFirst, ...shownBy([...ground, ...events]) };
}

/** What the events of one poll come to; of a listing, the last says it. */
export function shownBy(events: readonly RecordedEvent[]): Pick<RecordedPoll, 'changed' | 'gone'> {
  const changed = new Map<ListingKey, RecordedChange>();
  const gone = new Set<ListingKey>();
  for (const { kind, market, id, at, position = 0, chunk = 0, text, passedOver } of events) {
    const key = listingKey(market, id);
    const entry = text ?? passedOver;
    if (kind === 'gone' || kind === 'bad' || entry === undefined) {
      changed.delete(key);
      gone.add(key);
    } else {
      gone.delete(key);
      changed.set(key, { kind, key, at, position, chunk, entry });
    }
  }
  return { changed: [...changed.values()], gone: [...gone] };
}
