import type { Decision } from '../domain/decision.ts';
import type { FaultCause } from '../domain/fault.ts';
import type { ListingKey } from '../domain/listing.ts';
import type { Lane, Purchase } from '../domain/purchase.ts';
import { refusalsInRow } from '../risk/breaker.ts';
import { releasePending } from './dispatch.ts';
import type { Effect } from './effect.ts';
import type { Event } from './event.ts';
import { withAdopted, withPurchase, withoutAdopted, withoutPending } from './exposure.ts';
import { note, reopen } from './judge.ts';
import { type EngineState, type LaneState, isBeforePending, noteTaken } from './state.ts';

type EventOf<T extends Event['type']> = Extract<Event, { type: T }>;

/** Rows of the ledger outrank whatever was assumed of their listings. */
export function onPurchases(state: EngineState, purchases: EventOf<'purchases'>['purchases']): void {
  for (const purchase of purchases) {
    const lane = state.lanes[purchase.lane];
    const key: ListingKey = `${purchase.market}:${purchase.listingId}`;
    const isBefore = isBeforePending(lane, purchase);
    lane.newestId = Math.max(lane.newestId, purchase.id);
    if (!isBefore) withoutPending(lane.exposure, key);
    withPurchase(lane.exposure, purchase);
    // A look may have taken it for somebody else's before the answer named it.
    if (purchase.serviceOrderId !== undefined) withoutAdopted(lane.exposure, purchase.serviceOrderId);
    if (isBefore) noteTaken(lane, purchase);
    else onNewest(state, lane, purchase, key);
  }
  state.version += 1;
}

/** No later purchase of its listing is under way: it is this one whose intent comes to something. */
function onNewest(state: EngineState, lane: LaneState, purchase: Purchase, key: ListingKey): void {
  if (purchase.state === 'expired') releasePending(state, purchase.lane, key);
  else {
    if (purchase.state !== 'intended') lane.pending.delete(key);
    noteTaken(lane, purchase);
  }
  const match = state.standing.get(key);
  if (match !== undefined && (purchase.state === 'expired' || purchase.state === 'rejected')) reopen(match, purchase.lane);
}

export function onAdopted(state: EngineState, event: EventOf<'adopted'>): void {
  const { orderId, amount, marketHashName, firstSeen, open } = event.order;
  withAdopted(state.lanes.live.exposure, orderId, { at: firstSeen, amount, marketHashName, open });
  state.version += 1;
}

export function onExplained(state: EngineState, event: EventOf<'explained'>): void {
  withoutAdopted(state.lanes.live.exposure, event.orderId);
  state.version += 1;
}

/** Causes that a person must cure; hammering the service with them helps nobody. */
const cautionCauses: ReadonlySet<FaultCause> = new Set<FaultCause>(['owner', 'key', 'ban']);

/** One, five, fifteen minutes: slow probes whether the cause has gone. */
const CAUTION_MS = [60_000, 300_000, 900_000] as const;

/** A service that cannot be reached is tried again after five seconds, then ten, up to a minute. */
const UNREACHED_MS = 5_000;
const UNREACHED_MS_MAX = 60_000;

/** What an answer says about the account as a whole. The row itself has come as an event of its own. */
export function onOutcome(state: EngineState, event: EventOf<'outcome'>, effects: Effect[]): void {
  const { outcome, purchase, at } = event;
  state.version += 1;
  if (outcome.kind === 'bought') {
    state.refusalsInRow = refusalsInRow(state.refusalsInRow, { bought: true });
    state.provenAt = at;
    state.cautionUntil = undefined;
    state.cautions = 0;
    return;
  }
  // What we kept back ourselves says nothing about the service.
  if (outcome.kind === 'unsent' && outcome.cause !== 'other') {
    state.cautionUntil = at + Math.min(UNREACHED_MS * 2 ** state.cautions, UNREACHED_MS_MAX);
    state.cautions += 1;
  }
  if (outcome.kind !== 'refused') return;
  state.refusalsInRow = refusalsInRow(state.refusalsInRow, { bought: false, cause: outcome.cause });
  if (!cautionCauses.has(outcome.cause)) return;
  state.cautionUntil = at + (CAUTION_MS[Math.min(state.cautions, CAUTION_MS.length - 1)] ?? 0);
  state.cautions += 1;
  effects.push({
    type: 'alert',
    alert: {
      kind: outcome.cause === 'owner' ? 'owner' : 'key',
      at,
      message: `The service refused a purchase for a reason that you must cure: ${outcome.message || outcome.code || outcome.cause}`,
      next:
        outcome.cause === 'owner'
          ? 'Check account.tradeUrl and the state of the account at the service.'
          : 'Check account.apiKey and what the key may do.',
      purchaseId: purchase.id,
    },
  });
}

/** The ledger said no: nothing was sent, and its reason is the one that counts. The permit was given back unused. */
export function onNotCommitted(state: EngineState, event: EventOf<'not-committed'>, decisions: Decision[]): void {
  const { intent, refusal, at } = event;
  const lane: Lane = intent.lane;
  const { key } = intent.listing;
  releasePending(state, lane, key);
  withoutPending(state.lanes[lane].exposure, key);
  if (refusal.reason === 'taken') state.lanes[lane].taken.set(key, { kind: 'closed' });
  const match = state.standing.get(key);
  if (match === undefined) return;
  note(match, lane, { name: intent.strategy, hash: intent.strategyHash }, at, refusal, decisions);
}
