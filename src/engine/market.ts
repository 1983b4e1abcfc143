import type { Decision } from '../domain/decision.ts';
import type { EpochMs } from '../domain/clock.ts';
import type { ListingKey } from '../domain/listing.ts';
import type { Surroundings } from '../strategy/surroundings.ts';
import { dropWaiting, judgeAll } from './dispatch.ts';
import type { Effect } from './effect.ts';
import type { Event } from './event.ts';
import { pruneRecent } from './exposure.ts';
import { mayPass } from './judge.ts';
import { matchOf } from './match.ts';
import type { EarlyChange, ListingChange, SnapshotChange } from './snapshot.ts';
import { nowBelowFloor, surroundingsOf } from './references.ts';
import { type EarlyAnswer, type EngineState, type Match, hourOf } from './state.ts';

/** Refusals that pass with time alone (a cap's window rolling on) are looked at again this often. */
export const REJUDGE_MS = 5_000;

/**
 * Wanted listings of one answer that may be judged before its end. One that shows more is judged when it is whole: breakers count all of
 * its matches before the first may go then, and the best of them goes first.
 */
const EARLY_WANTED_MAX = 3;

/** What a snapshot changes is judged at once; what still stands and was refused for a passing reason is judged again. */
export function onSnapshot(
  state: EngineState,
  { change, at, asJudged = false }: Extract<Event, { type: 'snapshot' }>,
  effects: Effect[],
  decisions: Decision[],
): void {
  const early = earlyOf(state, change.pollSeq);
  const changed = change.changed.filter(({ listing }) => early.shown.get(listing.key) !== listing);
  state.early = undefined;
  vouchedFor(state, change);
  forget(state, change.gone, changed, at, effects, decisions);
  state.shelf.note({ changed, gone: change.gone }, change.complete);
  const matched = matchesOf(state, changed, surroundingsOf(state, at, change.complete));
  const found = change.complete ? nowBelowFloor(state, changed, at, change.beganAt) : [];
  const putOff = early.putOff.filter((match) => state.standing.get(match.key) === match);
  const fresh = [...matched, ...found.map(({ match }) => match), ...putOff];
  const again = change.complete && !asJudged ? confirmed(state, change, fresh, at) : [];
  // The first snapshot says what stands, not what is new: it counts nowhere.
  const unheardOf = found.filter(({ isNew }) => isNew).map(({ match }) => match);
  if (!change.first) countMatches(state, [...matched, ...unheardOf], at, effects);
  pruneRecent(state.lanes.live.exposure, at);
  pruneRecent(state.lanes.paper.exposure, at);
  judgeAll(state, [...fresh, ...again], at, effects, decisions);
}

/** What an answer shows before its end is judged as it comes, as long as it is little. The whole answer does not count it again. */
export function onEarly(state: EngineState, change: EarlyChange, at: EpochMs, effects: Effect[], decisions: Decision[]): void {
  const { pollSeq, changed, gone } = change;
  const early = earlyOf(state, pollSeq);
  state.early = early;
  vouchedFor(state, change);
  forget(state, gone, changed, at, effects, decisions);
  state.shelf.note({ changed, gone }, false);
  for (const key of gone) early.shown.delete(key);
  const fresh = matchesOf(state, changed, surroundingsOf(state, at, false));
  for (const { listing } of changed) early.shown.set(listing.key, listing);
  countMatches(state, fresh, at, effects);
  early.wanted += fresh.length;
  if (early.wanted > EARLY_WANTED_MAX) early.putOff.push(...fresh);
  else judgeAll(state, fresh, at, effects, decisions);
}

function earlyOf(state: EngineState, pollSeq: number): EarlyAnswer {
  const { early } = state;
  if (early?.pollSeq === pollSeq) return early;
  // Of an answer that came to nothing: what was put off still stands without a verdict, and the next complete one judges it.
  if (early !== undefined && early.putOff.length > 0) state.version += 1;
  return { pollSeq, shown: new Map(), wanted: 0, putOff: [] };
}

export function matchesOf(state: EngineState, changed: readonly ListingChange[], around: Surroundings): Match[] {
  const fresh: Match[] = [];
  for (const { listing, seenAt, position } of changed) {
    const match = matchOf(listing, state.rules.strategies, { at: seenAt, position }, around);
    if (match === undefined) state.standing.delete(listing.key);
    else {
      state.standing.set(listing.key, match);
      fresh.push(match);
    }
  }
  return fresh;
}

/** What item looks alone had shown is now shown, or known to be gone, by the live listings. */
function vouchedFor(state: EngineState, { changed, gone, vouched = [] }: SnapshotChange | EarlyChange): void {
  const { watchedAlone } = state;
  if (watchedAlone.size === 0) return;
  for (const { listing } of changed) watchedAlone.delete(listing.key);
  for (const key of [...gone, ...vouched]) watchedAlone.delete(key);
}

/** Matches that wait and are gone or changed are dropped: what was decided was decided of another offer. */
export function forget(
  state: EngineState,
  gone: readonly ListingKey[],
  changed: readonly ListingChange[],
  at: EpochMs,
  effects: Effect[],
  decisions: Decision[],
): void {
  if (state.waiting.length > 0) {
    const left = new Set(gone);
    const other = new Set(changed.map((entry) => entry.listing.key));
    dropWaiting(state, ({ match }) => left.has(match.key), 'a newer snapshot showed it gone', at, effects, decisions);
    dropWaiting(state, ({ match }) => other.has(match.key), 'a newer snapshot showed it changed', at, effects, decisions);
  }
  for (const key of gone) {
    state.standing.delete(key);
    state.among?.elsewhere.delete(key);
  }
}

/** Everything that the live listings show is as fresh as this snapshot; returns those whose refusal may have passed. */
function confirmed(state: EngineState, change: SnapshotChange, fresh: readonly Match[], at: EpochMs): readonly Match[] {
  const { watchedAlone } = state;
  const isVouched = watchedAlone.size === 0 ? () => true : ({ key }: Match) => !watchedAlone.has(key);
  for (const match of state.standing.values()) if (isVouched(match)) match.seenAt = Math.max(match.seenAt, change.beganAt);
  if (state.version === state.judgedVersion && at - state.judgedAt < REJUDGE_MS) return [];
  state.judgedVersion = state.version;
  state.judgedAt = at;
  const busy = new Set([...fresh, ...state.waiting.map((waiting) => waiting.match)]);
  const again: Match[] = [];
  for (const match of state.standing.values()) {
    if (!busy.has(match) && isVouched(match) && (mayPass(match, 'live') || mayPass(match, 'paper'))) again.push(match);
  }
  return again;
}

export function countMatches(state: EngineState, fresh: readonly Match[], at: EpochMs, effects: Effect[]): void {
  const start = hourOf(at);
  if (start !== state.hour.start) state.hour = { start, matches: 0 };
  const live = fresh.filter((match) => match.strategies.live.length > 0).length;
  if (live === 0) return;
  state.hour.matches += live;
  effects.push({ type: 'count-matches', hour: start, matches: live });
}
