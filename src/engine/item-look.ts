import type { Decision } from '../domain/decision.ts';
import type { EpochMs } from '../domain/clock.ts';
import type { ListingKey } from '../domain/listing.ts';
import { judgeAll } from './dispatch.ts';
import type { Effect } from './effect.ts';
import { mayPass } from './judge.ts';
import { countMatches, forget, matchesOf } from './market.ts';
import { surroundingsOf } from './references.ts';
import type { ListingChange } from './snapshot.ts';
import type { EngineState, Match } from './state.ts';

/** What one page of a watched item's listings changes in what is known, the live listings among it. */
export interface ItemLook {
  readonly itemId: string;
  readonly page: number;
  readonly beganAt: EpochMs;
  readonly endedAt: EpochMs;
  /** The item was not looked at before: its matches say what stands, not what is new. */
  readonly first: boolean;
  /** It ends a look whose pages all came and are all that there is, so that what none of them showed is gone. */
  readonly complete: boolean;
  readonly changed: readonly ListingChange[];
  /** Everything on the page that stands, as it stands from now on. */
  readonly shown: readonly ListingKey[];
  /** Of those: what the live listings do not show, so that they vouch for it no more than they could miss it. */
  readonly alone: readonly ListingKey[];
  /** Can no longer be bought: contradicted, or not in a complete look. */
  readonly gone: readonly ListingKey[];
}

/** A page is judged as an answer of the live listings is, for what it shows and for nothing else. */
export function onLooked(state: EngineState, look: ItemLook, at: EpochMs, effects: Effect[], decisions: Decision[]): void {
  const { changed, shown, alone, gone, beganAt } = look;
  forget(state, gone, changed, at, effects, decisions);
  state.shelf.note({ changed, gone }, false);
  for (const key of [...gone, ...shown]) state.watchedAlone.delete(key);
  for (const key of alone) state.watchedAlone.add(key);
  const fresh = matchesOf(state, changed, surroundingsOf(state, at, true));
  const busy = new Set([...fresh, ...state.waiting.map(({ match }) => match)]);
  const again: Match[] = [];
  for (const key of shown) {
    const match = state.standing.get(key);
    if (match === undefined) continue;
    match.seenAt = Math.max(match.seenAt, beganAt);
    if (!busy.has(match) && (mayPass(match, 'live') || mayPass(match, 'paper'))) again.push(match);
  }
  if (!look.first) countMatches(state, fresh, at, effects);
  judgeAll(state, [...fresh, ...again], at, effects, decisions);
}
