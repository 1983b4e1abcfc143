import type { Decision } from '../domain/decision.ts';
import type { Effect } from './effect.ts';
import type { Event } from './event.ts';
import { dispatch, judgeAll, onElsewhere } from './dispatch.ts';
import { onAdopted, onExplained, onNotCommitted, onOutcome, onPurchases } from './books.ts';
import { onLooked } from './item-look.ts';
import { matchByHand } from './match.ts';
import { onEarly, onSnapshot } from './market.ts';
import { jumpAlert, onReferences } from './references.ts';
import { onRules, onShown } from './reload.ts';
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
  jumpAlert(state, event.at, decisions, effects);
  if (decisions.length > 0) effects.push({ type: 'decide', decisions });
  return { state, effects: buysFirst(effects) };
}

/** Somebody else may be after the same listing: what is only written down can wait until the request has left. */
function buysFirst(effects: readonly Effect[]): readonly Effect[] {
  if (effects.length < 2) return effects;
  return [...effects.filter(({ type }) => type === 'buy'), ...effects.filter(({ type }) => type !== 'buy')];
}

function take(state: EngineState, event: Event, effects: Effect[], decisions: Decision[]): void {
  switch (event.type) {
    case 'snapshot':
    case 'early':
    case 'looked':
      see(state, event, effects, decisions);
      break;
    case 'health':
    case 'balance':
    case 'permit':
    case 'usual':
    case 'references':
    case 'slowed':
    case 'turn':
      hear(state, event);
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
    case 'by-hand':
      judgeAll(state, [matchByHand(event.listing, event.lane, event.seenAt, event.requestId)], event.at, effects, decisions);
      break;
    case 'rules':
      onRules(state, event.rules, event.at, effects, decisions);
      break;
    case 'shown':
      onShown(state, event.listings, event.at);
      break;
    case 'elsewhere':
      onElsewhere(state, event, effects, decisions);
      break;
    case 'tick':
      onTick(state);
      break;
  }
}

/** What the service shows of its market. */
function see(
  state: EngineState,
  event: Extract<Event, { type: 'snapshot' | 'early' | 'looked' }>,
  effects: Effect[],
  decisions: Decision[],
): void {
  switch (event.type) {
    case 'snapshot':
      return onSnapshot(state, event, effects, decisions);
    case 'early':
      return onEarly(state, event.change, event.at, effects, decisions);
    case 'looked':
      return onLooked(state, event.look, event.at, effects, decisions);
  }
}

/** What can wait until nothing else is to be done. */
function onTick({ rules, shelf }: EngineState): void {
  rules.strategies.prepare(QUESTIONS_PER_TICK);
  shelf.settle();
  if (!rules.strategies.looksAround.floor) shelf.forgetTouched();
}

/** What is only to be known until something is judged. */
function hear(
  state: EngineState,
  event: Extract<Event, { type: 'health' | 'balance' | 'permit' | 'usual' | 'references' | 'slowed' | 'turn' }>,
): void {
  switch (event.type) {
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
    case 'usual':
      state.usual = event.usual;
      break;
    case 'references':
      onReferences(state, event);
      break;
    case 'slowed':
      onSlowed(state, event.until);
      break;
    case 'turn':
      if (state.among !== undefined) state.among.turn = event.key;
      break;
  }
}
