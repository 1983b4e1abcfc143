import type { Decision } from '../domain/decision.ts';
import type { EpochMs } from '../domain/clock.ts';
import { dropWaiting, judgeAll } from './dispatch.ts';
import type { Effect } from './effect.ts';
import { pruneRecent } from './exposure.ts';
import { mayPass } from './judge.ts';
import { matchOf } from './match.ts';
import type { SnapshotChange } from './snapshot.ts';
import { type EngineState, type Match, hourOf } from './state.ts';

/** Refusals that pass with time alone (a cap's window rolling on) are looked at again this often. */
const REJUDGE_MS = 5_000;

/** What a snapshot changes is judged at once; what still stands and was refused for a passing reason is judged again. */
export function onSnapshot(
  state: EngineState,
  change: SnapshotChange,
  at: EpochMs,
  effects: Effect[],
  decisions: Decision[],
): void {
  forget(state, change, at, effects, decisions);
  const fresh: Match[] = [];
  for (const { listing, seenAt, position } of change.changed) {
    const match = matchOf(listing, state.rules.strategies, { at: seenAt, position });
    if (match === undefined) state.standing.delete(listing.key);
    else {
      state.standing.set(listing.key, match);
      fresh.push(match);
    }
  }
  const again = change.complete ? confirmed(state, change, fresh, at) : [];
  countMatches(state, change, fresh, at, effects);
  pruneRecent(state.lanes.live.exposure, at);
  pruneRecent(state.lanes.paper.exposure, at);
  judgeAll(state, [...fresh, ...again], at, effects, decisions);
}

/** Matches that wait and are gone or changed are dropped: what was decided was decided of another offer. */
function forget(state: EngineState, change: SnapshotChange, at: EpochMs, effects: Effect[], decisions: Decision[]): void {
  if (state.waiting.length > 0) {
    const gone = new Set(change.gone);
    const changed = new Set(change.changed.map((entry) => entry.listing.key));
    dropWaiting(state, ({ match }) => gone.has(match.key), 'a newer snapshot showed it gone', at, effects, decisions);
    dropWaiting(state, ({ match }) => changed.has(match.key), 'a newer snapshot showed it changed', at, effects, decisions);
  }
  for (const key of change.gone) state.standing.delete(key);
}

/** Everything that stands is as fresh as this snapshot; returns those whose refusal may have passed. */
function confirmed(state: EngineState, change: SnapshotChange, fresh: readonly Match[], at: EpochMs): readonly Match[] {
  for (const match of state.standing.values()) match.seenAt = Math.max(match.seenAt, change.beganAt);
  if (state.version === state.judgedVersion && at - state.judgedAt < REJUDGE_MS) return [];
  state.judgedVersion = state.version;
  state.judgedAt = at;
  const busy = new Set([...fresh, ...state.waiting.map((waiting) => waiting.match)]);
  const again: Match[] = [];
  for (const match of state.standing.values()) {
    if (!busy.has(match) && (mayPass(match, 'live') || mayPass(match, 'paper'))) again.push(match);
  }
  return again;
}

/** The first snapshot says what stands, not what is new: it counts nowhere. */
function countMatches(state: EngineState, change: SnapshotChange, fresh: readonly Match[], at: EpochMs, effects: Effect[]): void {
  const start = hourOf(at);
  if (start !== state.hour.start) state.hour = { start, matches: 0 };
  if (change.first) return;
  const live = fresh.filter((match) => match.strategies.live.length > 0).length;
  if (live === 0) return;
  state.hour.matches += live;
  effects.push({ type: 'count-matches', hour: start, matches: live });
}
