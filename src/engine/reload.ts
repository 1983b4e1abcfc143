import type { EpochMs } from '../domain/clock.ts';
import type { Decision } from '../domain/decision.ts';
import { dropWaiting } from './dispatch.ts';
import type { Effect } from './effect.ts';
import type { StandingListing } from './event.ts';
import { matchOf } from './match.ts';
import { surroundingsOf } from './references.ts';
import type { EngineState, Rules } from './state.ts';

/**
 * From here on other rules decide, in one step: no match that the old ones made is left. What is under way stays what it is, and what a
 * person asked for by hand waits on, to be admitted by the new limits.
 */
export function onRules(state: EngineState, rules: Rules, at: EpochMs, effects: Effect[], decisions: Decision[]): void {
  const isOwn = ({ requestId }: { readonly requestId: number | undefined }): boolean => requestId === undefined;
  dropWaiting(
    state,
    ({ match }) => isOwn(match),
    'the strategies or limits were changed while it waited',
    at,
    effects,
    decisions,
  );
  state.rules = rules;
  state.standing.clear();
  // Of an answer that came to nothing; what it had shown stands and is matched anew like the rest.
  state.early = undefined;
  state.version += 1;
}

/** Matches listings that the rules in force have not seen yet. Nothing is judged before a complete snapshot has confirmed them. */
export function onShown(state: EngineState, listings: readonly StandingListing[], at: EpochMs): void {
  const around = surroundingsOf(state, at, true);
  for (const { listing, seenAt, position } of listings) {
    // The answer that arrives just now has shown it as it is.
    if (state.early?.shown.has(listing.key) === true || state.standing.get(listing.key)?.listing === listing) continue;
    const match = matchOf(listing, state.rules.strategies, { at: seenAt, position }, around);
    if (match !== undefined) state.standing.set(listing.key, match);
  }
  state.version += 1;
}
