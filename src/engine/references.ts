import type { Decision } from '../domain/decision.ts';
import type { EpochMs } from '../domain/clock.ts';
import type { ReferenceRecord } from '../domain/reference.ts';
import { type Surroundings, nothingAround } from '../strategy/surroundings.ts';
import type { Effect } from './effect.ts';
import type { Event } from './event.ts';
import { matchOf } from './match.ts';
import type { Shelved } from './name-shelf.ts';
import type { ListingChange } from './snapshot.ts';
import type { EngineState, Match } from './state.ts';

/** The record of one name, as `foldCase` makes it; null: there is none any more. */
export interface NamedRecord {
  readonly name: string;
  readonly record: ReferenceRecord | null;
}

/** Alerts about prices that have jumped, one to the next: while it lasts the decisions tell of each. */
const JUMP_ALERT_MS = 24 * 3_600_000;

const unknownFloor = (): undefined => undefined;

/**
 * What listings are held against besides themselves. Where an answer is not whole, nobody knows yet what the cheapest other listing
 * costs: `floors` is false then, and what asks for it is judged by the next answer that is whole.
 */
export function surroundingsOf(state: EngineState, at: EpochMs, floors: boolean): Surroundings {
  const { references, shelf, rules } = state;
  if (!rules.strategies.looksAround.record) return nothingAround;
  return {
    at,
    recordOf: (name) => references.get(name),
    floorBeside: floors && shelf.isSure ? (listing) => shelf.floorBeside(listing) : unknownFloor,
  };
}

/** Records are others from now on. What stands of these names is held against them, and judged with the next complete answer. */
export function onReferences(state: EngineState, { records, all, at }: Extract<Event, { type: 'references' }>): void {
  for (const { name, record } of all === undefined ? records : []) {
    if (record === null) state.ownReferences.delete(name);
    else state.ownReferences.set(name, record);
  }
  state.references = all ?? state.ownReferences;
  state.version += 1;
  if (!state.rules.strategies.looksAround.record) return;
  const around = surroundingsOf(state, at, true);
  for (const { name } of records) for (const shelved of state.shelf.of(name)) matchAgain(state, shelved, around);
}

/**
 * Listings that have come to be below all others of their name without having changed: others went, or an answer that was not whole
 * had shown them. `just`: those that were held against the floor with this answer already.
 */
export function nowBelowFloor(
  state: EngineState,
  just: readonly ListingChange[],
  at: EpochMs,
  seenAt: EpochMs,
): readonly Found[] {
  if (!state.rules.strategies.looksAround.floor || !state.shelf.isSure) return [];
  const around = surroundingsOf(state, at, true);
  const known = new Set(just.map(({ listing }) => listing));
  return (
    state.shelf
      .cheapestOfTouched()
      // What the live listings do not show is judged by looks at its item alone.
      .filter(({ listing }) => !known.has(listing) && !state.watchedAlone.has(listing.key))
      .flatMap((shelved) => matchAgain(state, { ...shelved, seenAt: Math.max(shelved.seenAt, seenAt) }, around) ?? [])
  );
}

interface Found {
  readonly match: Match;
  /** Nobody wanted the listing before. */
  readonly isNew: boolean;
}

/** The match of a listing where other strategies want it than those that did. What was noted of it stays noted. */
function matchAgain(state: EngineState, { listing, seenAt, position }: Shelved, around: Surroundings): Found | undefined {
  const before = state.standing.get(listing.key);
  if (before !== undefined && state.waiting.some(({ match }) => match === before)) return undefined;
  const match = matchOf(listing, state.rules.strategies, { at: seenAt, position }, around);
  if (match === undefined || (before !== undefined && sameStrategies(before, match))) return undefined;
  const next = before === undefined ? match : { ...match, noted: before.noted };
  state.standing.set(listing.key, next);
  return { match: next, isNew: before === undefined };
}

function sameStrategies({ strategies: a }: Match, { strategies: b }: Match): boolean {
  const same = (lane: 'live' | 'paper'): boolean =>
    a[lane].length === b[lane].length && a[lane].every((strategy, index) => strategy === b[lane][index]);
  return same('live') && same('paper');
}

/** An alert when a steamPrice has jumped so that something is not bought for it, once a day. */
export function jumpAlert(state: EngineState, at: EpochMs, decisions: readonly Decision[], effects: Effect[]): void {
  const jumped = decisions.find(({ reason }) => reason === 'reference-jumped');
  if (jumped === undefined || at - (state.jumpToldAt ?? -Infinity) < JUMP_ALERT_MS) return;
  state.jumpToldAt = at;
  effects.push({
    type: 'alert',
    alert: {
      kind: 'reference',
      at,
      message: `A steamPrice has jumped, so nothing is bought by it: ${jumped.marketHashName}: ${jumped.detail ?? ''}`,
      next: `Nothing, if it passes; \`magpie why ${jumped.listingId}\` shows the record. A price that has truly moved is believed in some days, or with a larger reference.maxJump.`,
      purchaseId: undefined,
    },
  });
}
