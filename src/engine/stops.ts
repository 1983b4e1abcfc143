import type { EpochMs } from '../domain/clock.ts';
import type { Decision } from '../domain/decision.ts';
import { formatDollars } from '../domain/money.ts';
import { tooManyRefusals, unusualHour } from '../risk/breaker.ts';
import type { Refusal } from '../risk/caps.ts';
import type { Effect } from './effect.ts';
import type { BlockerName } from './event.ts';
import { spentInHour } from './exposure.ts';
import type { Halt } from './journal.ts';
import type { EngineState } from './state.ts';

/** Stops buying when a breaker has tripped, at once in the state and durably by the effect, until a person resumes. */
export function tripBreakers(state: EngineState, at: EpochMs, decisions: readonly Decision[], effects: Effect[]): void {
  const tripped = trippedBreaker(state, at, decisions);
  if (tripped === undefined) return;
  onHalted(state, { ...tripped, at });
  effects.push({ type: 'halt', ...tripped });
}

export function onHalted(state: EngineState, standing: Halt): void {
  state.halt = standing;
  state.version += 1;
}

/** A person has looked at it: what counted towards a halt starts anew. */
export function onResumed(state: EngineState, at: EpochMs): void {
  state.halt = undefined;
  state.refusalsInRow = 0;
  state.cautionUntil = undefined;
  state.cautions = 0;
  state.hour = { ...state.hour, matches: 0 };
  state.provenAt = at;
  state.version += 1;
}

export function onBlocked(state: EngineState, name: BlockerName, refusal: Refusal): void {
  state.blockers.set(name, refusal);
  state.version += 1;
}

export function onUnblocked(state: EngineState, name: BlockerName): void {
  state.blockers.delete(name);
  state.version += 1;
}

export function onSlowed(state: EngineState, until: EpochMs): void {
  state.slowedUntil = Math.max(state.slowedUntil ?? 0, until);
  state.version += 1;
}

function trippedBreaker(
  state: EngineState,
  at: EpochMs,
  decisions: readonly Decision[],
): { readonly reason: string; readonly by: string } | undefined {
  if (state.halt !== undefined) return undefined;
  const { breaker } = state.rules.limits;
  const refusals = tooManyRefusals(state.refusalsInRow, breaker);
  if (refusals !== undefined) return { reason: refusals, by: 'refusals-in-row' };
  const perHour = decisions.find((decision) => decision.reason === 'breaker-per-hour' && decision.lane === 'live');
  if (perHour !== undefined) return { reason: `${perHour.detail} (limits.breaker.perHour)`, by: 'purchases-per-hour' };
  if (state.usual === undefined) return undefined;
  const spend = spentInHour(state.lanes.live.exposure, at);
  const unusual = unusualHour({ matches: state.hour.matches, spend }, state.usual, breaker);
  return unusual === undefined ? undefined : { reason: unusual, by: 'unusual-hour' };
}

/** An alert when the reserve keeps something from being bought, once until there is room again. */
export function reserveAlert(state: EngineState, at: EpochMs, decisions: readonly Decision[], effects: Effect[]): void {
  const reached = decisions.find((decision) => decision.reason === 'reserve' && decision.lane === 'live');
  if (reached === undefined) {
    if (decisions.some((decision) => decision.verdict === 'admitted' && decision.lane === 'live')) state.reserveTold = false;
    return;
  }
  if (state.reserveTold) return;
  state.reserveTold = true;
  effects.push({
    type: 'alert',
    alert: {
      kind: 'reserve',
      at,
      message: `The balance has reached the reserve of ${formatDollars(state.rules.limits.reserve)}: ${reached.detail ?? ''}`,
      next: 'Add to the balance, or lower limits.reserve.',
      purchaseId: undefined,
    },
  });
}
