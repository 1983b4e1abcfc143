import type { Decision } from '../domain/decision.ts';
import type { EpochMs } from '../domain/clock.ts';
import type { Lane } from '../domain/purchase.ts';
import type { Refusal } from '../risk/caps.ts';
import type { Approved, Intent } from '../risk/intent.ts';
import type { Effect } from './effect.ts';
import { withPending } from './exposure.ts';
import { consider, mayPass, note } from './judge.ts';
import { inOrder } from './match.ts';
import { claimedElsewhere } from '../risk/taken.ts';
import type { Event } from './event.ts';
import type { Among, EngineState, Match, Waiting } from './state.ts';

/** Judges matches in order: paper ones are written at once, live ones that are admitted wait for their turn. */
export function judgeAll(
  state: EngineState,
  matches: readonly Match[],
  at: EpochMs,
  effects: Effect[],
  decisions: Decision[],
): void {
  for (const match of matches.toSorted(inOrder)) {
    if (mayPass(match, 'paper')) judgePaper(state, match, at, effects, decisions);
    if (mayPass(match, 'live')) judgeLive(state, match, at, effects, decisions);
  }
}

function judgePaper(state: EngineState, match: Match, at: EpochMs, effects: Effect[], decisions: Decision[]): void {
  const verdict = consider(state, match, 'paper', at, decisions);
  if ('refusal' in verdict) return refuseByHand(match, verdict.refusal, effects);
  handOn(state, match, verdict.intent, at, decisions);
  effects.push({ type: 'simulate', intent: verdict.intent, requestId: match.requestId });
}

function judgeLive(state: EngineState, match: Match, at: EpochMs, effects: Effect[], decisions: Decision[]): void {
  const verdict = consider(state, match, 'live', at, decisions);
  if ('refusal' in verdict) return refuseByHand(match, verdict.refusal, effects);
  state.waiting.push({ match, since: at });
}

/** Lets as many waiting matches go as there are permits, each judged again before its turn. */
export function dispatch(state: EngineState, at: EpochMs, effects: Effect[], decisions: Decision[]): void {
  expireOld(state, at, effects, decisions);
  if (state.among !== undefined) return inTurn(state, state.among, at, effects, decisions);
  if (state.permits === 0 || state.waiting.length === 0) return;
  state.waiting.sort((a, b) => inOrder(a.match, b.match));
  while (state.permits > 0) {
    const next = state.waiting.shift();
    if (next === undefined) return;
    letGo(state, next, at, effects, decisions);
  }
}

/** One of several accounts lets go only what it has the turn for. */
function inTurn(state: EngineState, among: Among, at: EpochMs, effects: Effect[], decisions: Decision[]): void {
  const { turn } = among;
  among.turn = undefined;
  if (turn === undefined || state.permits === 0) return;
  const place = state.waiting.findIndex(({ match }) => match.key === turn);
  const [next] = place === -1 ? [] : state.waiting.splice(place, 1);
  if (next !== undefined) letGo(state, next, at, effects, decisions);
}

function letGo(state: EngineState, { match }: Waiting, at: EpochMs, effects: Effect[], decisions: Decision[]): void {
  const verdict = consider(state, match, 'live', at, decisions);
  if ('refusal' in verdict) return refuseByHand(match, verdict.refusal, effects);
  state.permits -= 1;
  handOn(state, match, verdict.intent, at, decisions);
  effects.push({ type: 'buy', intent: verdict.intent, requestId: match.requestId });
}

/** Another account has a listing: what waits here for it is dropped. Or it has it no longer, and what stands may be judged again. */
export function onElsewhere(
  state: EngineState,
  { key, taken, at }: Extract<Event, { type: 'elsewhere' }>,
  effects: Effect[],
  decisions: Decision[],
): void {
  if (state.among === undefined) return;
  if (!taken) {
    if (state.among.elsewhere.delete(key)) state.version += 1;
    return;
  }
  state.among.elsewhere.add(key);
  dropWaiting(state, ({ match }) => match.key === key, claimedElsewhere, at, effects, decisions);
}

/** From here to its first row, an intent counts against every cap and closes its listing. */
function handOn(state: EngineState, match: Match, intent: Approved<Intent>, at: EpochMs, decisions: Decision[]): void {
  const lane = state.lanes[intent.lane];
  note(match, intent.lane, { name: intent.strategy, hash: intent.strategyHash }, at, undefined, decisions);
  lane.pending.set(match.key, { before: lane.taken.get(match.key), after: lane.newestId });
  lane.taken.set(match.key, { kind: 'closed' });
  withPending(
    lane.exposure,
    match.key,
    { amount: match.listing.cost, strategy: intent.strategy, marketHashName: match.listing.name },
    intent.lane === 'live',
  );
}

function expireOld(state: EngineState, at: EpochMs, effects: Effect[], decisions: Decision[]): void {
  dropWaiting(
    state,
    (waiting) => at - waiting.since > state.rules.patienceMs,
    'could not be sent within two polling intervals',
    at,
    effects,
    decisions,
  );
}

/** Drops waiting matches that a test picks, with a decision that says why; words alone mean that they have expired. */
export function dropWaiting(
  state: EngineState,
  drop: (waiting: Waiting) => boolean,
  why: string | Refusal,
  at: EpochMs,
  effects: Effect[],
  decisions: Decision[],
): void {
  if (state.waiting.length === 0) return;
  const kept: Waiting[] = [];
  for (const waiting of state.waiting) {
    if (!drop(waiting)) {
      kept.push(waiting);
      continue;
    }
    const refusal: Refusal = typeof why === 'string' ? { reason: 'expired', detail: why } : why;
    for (const strategy of waiting.match.strategies.live) note(waiting.match, 'live', strategy, at, refusal, decisions);
    refuseByHand(waiting.match, refusal, effects);
  }
  state.waiting = kept;
}

function refuseByHand(match: Match, refusal: Refusal, effects: Effect[]): void {
  if (match.requestId !== undefined) effects.push({ type: 'refuse-by-hand', requestId: match.requestId, refusal });
}

/** Puts back what a listing meant before an intent that never got a row. */
export function releasePending(state: EngineState, lane: Lane, key: Match['key']): void {
  const { pending, taken } = state.lanes[lane];
  const intent = pending.get(key);
  if (intent === undefined) return;
  pending.delete(key);
  if (intent.before === undefined) taken.delete(key);
  else taken.set(key, intent.before);
}
