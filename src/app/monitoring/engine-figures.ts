import type { EpochMs } from '../../domain/clock.ts';
import { windows } from '../../domain/limits.ts';
import { type Micros, dollarsFromMicros, micros } from '../../domain/money.ts';
import type { Lane } from '../../domain/purchase.ts';
import { buyableMarkets } from '../../domain/readings.ts';
import { type Exposure, usage } from '../../engine/exposure.ts';
import { opennessOf } from '../../engine/judge.ts';
import type { EngineState } from '../../engine/state.ts';
import { marketStatuses } from '../../monitor/labels.ts';
import type { Meter } from '../../monitor/meter.ts';
import { available } from '../../risk/balance.ts';
import { marketRefusal } from '../../risk/health.ts';
import { laneOf } from '../facts.ts';
import { lowBalanceBound } from '../low-balance.ts';

type State = Readonly<EngineState>;

/** Whether anything may be bought, and if not why. */
export function tellOpenness(meter: Meter, state: State, now: EpochMs): void {
  const { everywhere, markets } = opennessOf(state, laneOf(state), now);
  meter.clear('magpie_buying_closed');
  for (const { market, refusal } of markets) {
    const closed = everywhere ?? refusal;
    meter.set('magpie_buying_open', { market }, closed === undefined ? 1 : 0);
    if (closed !== undefined) meter.set('magpie_buying_closed', { reason: closed.reason }, 1);
  }
  meter.set('magpie_halted', {}, state.halt === undefined ? 0 : 1);
  meter.set('magpie_slowed_seconds', {}, Math.max(0, (state.slowedUntil ?? 0) - now) / 1_000);
  meter.set('magpie_limiter_queue', { limiter: 'buys' }, state.waiting.length);
  meter.set('magpie_listings_matching', {}, state.standing.size);
  tellHealth(meter, state, now);
}

function tellHealth(meter: Meter, { health, rules }: State, now: EpochMs): void {
  meter.clear('magpie_market_status');
  for (const market of buyableMarkets) {
    meter.set('magpie_market_healthy', { market }, marketRefusal(market, health, rules.health, now) === undefined ? 1 : 0);
    const said = health !== undefined && 'markets' in health ? health.markets[market]?.status : undefined;
    const status = said === undefined ? 'unknown' : (marketStatuses.find((each) => each === said) ?? 'other');
    meter.set('magpie_market_status', { market, status }, 1);
  }
}

/** The balance and what is held of it. */
export function tellBalance(meter: Meter, state: State, lowBalance: Micros | undefined, now: EpochMs): void {
  const { balance, lanes, rules } = state;
  const holds = [...lanes.live.exposure.holds.values()];
  if (balance !== undefined) {
    meter.set('magpie_balance_dollars', {}, dollarsFromMicros(balance.amount));
    meter.set('magpie_balance_age_seconds', {}, (now - balance.beganAt) / 1_000);
    meter.set('magpie_free_dollars', {}, dollarsFromMicros(available(balance, holds)));
  }
  const reserved = holds.reduce((total, { amount, answeredAt }) => (answeredAt === undefined ? total + amount : total), 0);
  meter.set('magpie_reserved_dollars', {}, dollarsFromMicros(micros(reserved)));
  meter.set('magpie_reserve_dollars', {}, dollarsFromMicros(rules.limits.reserve));
  meter.set('magpie_low_balance_dollars', {}, dollarsFromMicros(lowBalanceBound(lowBalance, rules.limits.reserve)));
  for (const lane of ['live', 'paper'] as const) tellSpent(meter, lane, lanes[lane].exposure);
}

const accepted: ReadonlySet<string> = new Set(['bought', 'completed', 'refunded', 'simulated']);

function tellSpent(meter: Meter, lane: Lane, { contributions }: Exposure): void {
  let [spent, refunded] = [0, 0];
  for (const { row, net } of contributions.values()) {
    if (row === undefined || !accepted.has(row.state)) continue;
    spent += row.amount;
    refunded += row.amount - net;
  }
  meter.set('magpie_spent_dollars', { lane }, dollarsFromMicros(micros(spent)));
  meter.set('magpie_refunded_dollars', { lane }, dollarsFromMicros(micros(refunded)));
}

/** The caps of the account with what they count. */
export function tellAccountCaps(meter: Meter, state: State, now: EpochMs): void {
  const { limits } = state.rules;
  const { exposure } = state.lanes[laneOf(state)];
  const used = usage(exposure, { strategy: '', marketHashName: '' }, now);
  meter.clear('magpie_spend_limit_dollars');
  for (const window of windows) {
    const cap = limits.spend[window];
    meter.set('magpie_spend_dollars', { window }, dollarsFromMicros(used.spend[window]));
    if (cap !== undefined) meter.set('magpie_spend_limit_dollars', { window }, dollarsFromMicros(cap));
  }
  meter.set('magpie_open_purchases', {}, used.open);
  meter.set('magpie_open_purchases_limit', {}, limits.openPurchases);
  meter.set('magpie_unknown_purchases', {}, used.unknown);
  meter.set('magpie_unknown_purchases_limit', {}, limits.unknown);
  meter.set('magpie_hour_purchases', {}, used.committedInHour);
  meter.set('magpie_hour_purchases_limit', {}, limits.breaker.perHour);
  meter.set('magpie_refusals_in_row', {}, state.refusalsInRow);
  meter.set('magpie_refusals_in_row_limit', {}, limits.breaker.refusalsInRow);
}
