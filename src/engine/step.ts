import type { Decision } from '../domain/decision.ts';
import type { Effect } from './effect.ts';
import type { Event } from './event.ts';
import { dispatch, judgeAll } from './dispatch.ts';
import { onAdopted, onExplained, onNotCommitted, onOutcome, onPurchases } from './books.ts';
import { matchByHand } from './match.ts';
import { onEarly, onSnapshot } from './market.ts';
import { onBlocked, onHalted, onResumed, onSlowed, onUnblocked, reserveAlert, tripBreakers } from './stops.ts';
import type { EngineState } from './state.ts';

/** Strategies asked about items seen for the first time, at a tick: a millisecond or two. */
const QUESTIONS_PER_TICK = 5_000;

export interface Step {
  readonly state: EngineState;
  /** To be obeyed in this order. */
  readonly effects: readonly Effect[];
}

/**
 * The whole bot: what happened in, what is to be done out. Deterministic: the same state and event always give the same
 * answer, and nothing outside is read or touched. The state handed in is owned by the call and must not be used again.
 */
export function step(state: EngineState, event: Event): Step {
  const effects: Effect[] = [];
  const decisions: Decision[] = [];
  take(state, event, effects, decisions);
  tripBreakers(state, event.at, decisions, effects);
  dispatch(state, event.at, effects, decisions);
  tripBreakers(state, event.at, decisions, effects);
  reserveAlert(state, event.at, decisions, effects);
  if (decisions.length > 0) effects.push({ type: 'decide', decisions });
  return { state, effects: buysFirst(effects) };
}

/** Somebody else may be after the same listing: what is only written down can wait until the request has left. */
function buysFirst(effects: readonly Effect[]): readonly Effect[] {
  const isBuy = ({ type }: Effect): boolean => type === 'buy';
  return [...effects.filter(isBuy), ...effects.filter((effect) => !isBuy(effect))];
}

function take(state: EngineState, event: Event, effects: Effect[], decisions: Decision[]): void {
  switch (event.type) {
    case 'snapshot':
      onSnapshot(state, event.change, event.at, effects, decisions);
      break;
    case 'early':
      onEarly(state, event.change, event.at, effects, decisions);
      break;
    case 'health':
      state.health = event.health;
      state.version += 1;
      break;
    case 'balance':
      state.balance = event.reading;
      state.version += 1;
      break;
    case 'permit':
      state.permits += 1;
      break;
    case 'purchases':
      onPurchases(state, event.purchases);
      break;
    case 'adopted':
      onAdopted(state, event);
      break;
    case 'explained':
      onExplained(state, event);
      break;
    case 'outcome':
      onOutcome(state, event, effects);
      break;
    case 'not-committed':
      onNotCommitted(state, event, decisions);
      break;
    case 'halted':
      onHalted(state, event.halt);
      break;
    case 'resumed':
      onResumed(state, event.at);
      break;
    case 'blocked':
      onBlocked(state, event.name, event.refusal);
      break;
    case 'unblocked':
      onUnblocked(state, event.name);
      break;
    case 'slowed':
      onSlowed(state, event.until);
      break;
    case 'usual':
      state.usual = event.usual;
      break;
    case 'by-hand':
      judgeAll(state, [matchByHand(event.listing, event.lane, event.seenAt, event.requestId)], event.at, effects, decisions);
      break;
    case 'tick':
      state.rules.strategies.prepare(QUESTIONS_PER_TICK);
      break;
  }
}
