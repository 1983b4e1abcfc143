import type { Decision } from '../domain/decision.ts';
import type { EpochMs } from '../domain/clock.ts';
import type { Lane } from '../domain/purchase.ts';
import { passes } from '../domain/reason.ts';
import { type Admission, type Situation, admit, standstill } from '../risk/admit.ts';
import { BALANCE_MAX_AGE_MS, available } from '../risk/balance.ts';
import type { Refusal } from '../risk/caps.ts';
import { marketRefusal } from '../risk/health.ts';
import type { Approved, Intent } from '../risk/intent.ts';
import { type Moment, type Openness, openness } from '../risk/openness.ts';
import type { Strategy } from '../strategy/strategy.ts';
import { blockerNames } from './event.ts';
import { usage } from './exposure.ts';
import { surroundingsOf } from './references.ts';
import type { EngineState, Match } from './state.ts';

/** The intent that one strategy has for a match. */
function intentOf(match: Match, strategy: Strategy, lane: Lane): Intent {
  return {
    lane,
    strategy: strategy.name,
    strategyHash: strategy.hash,
    limits: strategy.limits,
    listing: match.listing,
    seenAt: match.seenAt,
  };
}

type Probe = Parameters<typeof usage>[1];

/** What admission looks at before there is a listing, read from the state as it comes to it: what stops everything needs no sums. */
class StateMoment implements Moment {
  readonly state: EngineState;
  readonly lane: Lane;
  readonly probe: Probe;
  readonly now: EpochMs;

  constructor(state: EngineState, lane: Lane, probe: Probe, at: EpochMs) {
    this.state = state;
    this.lane = lane;
    this.probe = probe;
    this.now = at;
  }

  get halted(): string | undefined {
    return this.state.halt?.reason;
  }

  get blockers(): readonly Refusal[] {
    return blockersOf(this.state, this.now);
  }

  get slowedUntil(): Moment['slowedUntil'] {
    return this.state.slowedUntil;
  }

  get health(): Moment['health'] {
    return this.state.health;
  }

  get healthPolicy(): Moment['healthPolicy'] {
    return this.state.rules.health;
  }

  get limits(): Moment['limits'] {
    return this.state.rules.limits;
  }

  get usage(): Moment['usage'] {
    return usage(this.state.lanes[this.lane].exposure, this.probe, this.now);
  }

  get available(): Moment['available'] {
    return availableIn(this.state, this.lane, this.now);
  }
}

/** Everything that admission looks at. */
class StateSituation extends StateMoment implements Situation {
  readonly listing: Intent['listing'];
  readonly usesReference: boolean;

  constructor(state: EngineState, intent: Intent, usesReference: boolean, at: EpochMs) {
    super(state, intent.lane, { strategy: intent.strategy, marketHashName: intent.listing.name }, at);
    this.listing = intent.listing;
    this.usesReference = usesReference;
  }

  get never(): boolean {
    return this.state.rules.never(this.listing.nameFolded);
  }

  get reference(): NonNullable<Situation['reference']> {
    return { record: this.state.references.get(this.listing.nameFolded), policy: this.state.rules.reference };
  }

  get taken(): Situation['taken'] {
    return this.state.lanes[this.lane].taken.get(this.listing.key);
  }

  get elsewhere(): boolean {
    return this.lane === 'live' && this.state.among?.elsewhere.has(this.listing.key) === true;
  }

  get since(): Situation['since'] {
    return { balance: this.state.balance?.amount, provenAt: this.state.provenAt };
  }
}

/** Whether anything at all may be bought in a lane. */
export function opennessOf(state: EngineState, lane: Lane, at: EpochMs): Openness {
  return openness(new StateMoment(state, lane, { strategy: '', marketHashName: '' }, at));
}

/** What would keep a purchase that is under way already from being admitted now, apart from what it counts for itself. */
export function stopOf(state: EngineState, market: string, at: EpochMs): Refusal | undefined {
  const { slowedUntil, health, rules } = state;
  return (
    standstill({ now: at, halted: state.halt?.reason, blockers: blockersOf(state, at), slowedUntil }) ??
    marketRefusal(market, health, rules.health, at)
  );
}

/** What keeps buying closed, most important first. */
export function blockersOf(state: EngineState, at: EpochMs): readonly Refusal[] {
  const standing = blockerNames.flatMap((name) => state.blockers.get(name) ?? []);
  if (state.cautionUntil !== undefined && at < state.cautionUntil) {
    standing.push({ reason: 'caution', detail: `for ${Math.ceil((state.cautionUntil - at) / 1000)} s more` });
  }
  return standing;
}

/** Paper money is never debited, so on paper the reading itself is what there is. */
function availableIn(state: EngineState, lane: Lane, at: EpochMs): Situation['available'] {
  const { balance } = state;
  if (balance === undefined || at - balance.beganAt > BALANCE_MAX_AGE_MS) return undefined;
  return lane === 'live' ? available(balance, state.lanes.live.exposure.holds.values()) : balance.amount;
}

/**
 * Offers a match to its strategies in order, until one is admitted. Every refusal is noted, once for each reason, in
 * `decisions`; the admission itself is noted by who acts on it.
 */
export function consider(
  state: EngineState,
  match: Match,
  lane: Lane,
  at: EpochMs,
  decisions: Decision[],
): { readonly intent: Approved<Intent> } | { readonly refusal: Refusal } {
  let last: Refusal = { reason: 'expired', detail: 'no strategy wants it any more' };
  for (const strategy of match.strategies[lane]) {
    const intent = intentOf(match, strategy, lane);
    const moved = movedOn(state, match, strategy, at);
    if (moved !== undefined) {
      last = moved;
      note(match, lane, strategy, at, last, decisions);
      continue;
    }
    const admission: Admission = admit(intent, new StateSituation(state, intent, strategy.usesReference, at));
    if (admission.ok) return { intent: admission.intent };
    last = admission.refusal;
    note(match, lane, strategy, at, last, decisions);
  }
  return { refusal: last };
}

/** What a strategy asks of a listing's surroundings is asked again whenever it is judged: they change while the listing does not. */
function movedOn(state: EngineState, { listing }: Match, strategy: Strategy, at: EpochMs): Refusal | undefined {
  if (strategy.looksAround === undefined) return undefined;
  const around = surroundingsOf(state, at, true);
  if (strategy.matches(listing, around)) return undefined;
  const failing = strategy.explain(listing, around).find(({ depth, verdict }) => depth === 0 && verdict !== 'true');
  return { reason: 'moved-on', detail: failing === undefined ? 'it is not wanted any more' : `${failing.path}: ${failing.has}` };
}

/** Writes down a verdict unless the same one was the last for this match, lane and strategy. */
export function note(
  match: Match,
  lane: Lane,
  strategy: Pick<Strategy, 'name' | 'hash'>,
  at: EpochMs,
  refusal: Refusal | undefined,
  decisions: Decision[],
): void {
  const slot = slotOf(lane, strategy.name);
  const reason = refusal?.reason ?? 'admitted';
  if (match.noted.get(slot) === reason) return;
  match.noted.set(slot, reason);
  decisions.push({
    at,
    lane,
    market: match.listing.market,
    listingId: match.listing.id,
    marketHashName: match.listing.name,
    strategy: strategy.name,
    strategyHash: strategy.hash,
    cost: match.listing.cost,
    verdict: refusal === undefined ? 'admitted' : 'refused',
    reason: refusal?.reason,
    detail: refusal?.detail,
  });
}

/** Whether a lane's verdict on a match is open, or may change without the listing changing. */
export function mayPass(match: Match, lane: Lane): boolean {
  if (match.strategies[lane].length === 0) return false;
  const verdicts = match.strategies[lane].flatMap((strategy) => match.noted.get(slotOf(lane, strategy.name)) ?? []);
  if (verdicts.includes('admitted')) return false;
  return verdicts.length === 0 || verdicts.some((verdict) => verdict !== 'admitted' && passes(verdict));
}

/** Opens a lane's verdict again: an attempt ended without a purchase. */
export function reopen(match: Match, lane: Lane): void {
  for (const strategy of match.strategies[lane]) match.noted.delete(slotOf(lane, strategy.name));
}

function slotOf(lane: Lane, strategy: string): string {
  return `${lane}\n${strategy}`;
}
