import type { EpochMs } from '../domain/clock.ts';
import { windowMs } from '../domain/limits.ts';
import { type BalanceReading, type HealthMissing, type HealthReading, buyableMarkets } from '../domain/readings.ts';
import { BALANCE_MAX_AGE_MS } from '../risk/balance.ts';
import { marketRefusal } from '../risk/health.ts';
import { ADOPTED_OPEN_MS } from '../risk/usage.ts';
import type { Effect } from './effect.ts';
import type { Exposure } from './exposure.ts';
import { REJUDGE_MS } from './market.ts';
import { type EngineState, hourOf } from './state.ts';

const NEVER = Number.NEGATIVE_INFINITY;

/** What of the readings decides: the same again, and no verdict becomes another by them. */
interface Heard {
  readonly amount: number | undefined;
  readonly isStale: boolean;
  readonly markets: string;
}

/**
 * Tells an answer at which nothing can be decided from others, for who replays millions of them: it shows nothing new, nothing waits, and every
 * match that stands was judged under what still holds (the same purchases, health and balance, and no cap's window, pause or age that has
 * ended since). Such an answer, told to `step`, would leave the state as `passes` does and have no effect. Where a strategy asks for what
 * is around a listing, no verdict is held to stand, and a whole answer is such only while no floor has changed.
 */
export class Stillness {
  /** Verdicts hold before this; NEVER: some match is still to be judged. */
  #until: EpochMs = NEVER;
  #heard: Heard = { amount: undefined, isStale: true, markets: '' };
  #version = -1;
  #waited = false;

  /** After each step. */
  note(state: EngineState, at: EpochMs, effects: readonly Effect[]): void {
    const waits = state.waiting.length > 0;
    const putOff = (state.early?.putOff.length ?? 0) > 0;
    const isCalm = !waits && !this.#waited && !putOff && !state.rules.strategies.looksAround.record && !admits(effects);
    const { version } = state;
    if (!isCalm) this.#until = NEVER;
    else if (version === state.judgedVersion && at === state.judgedAt) this.#settle(state, at);
    // What it judged by itself it may have judged under something else than what all others were judged under.
    else if (version !== this.#version || !this.#holds(state, at)) this.#until = NEVER;
    this.#version = version;
    this.#waited = waits;
  }

  /** A reading that is only to be known until something is judged; false, and nothing done, where something waits to be. */
  hears(
    state: EngineState,
    reading: { readonly health: HealthReading | HealthMissing } | { readonly balance: BalanceReading },
  ): boolean {
    if (state.waiting.length > 0 || state.usual !== undefined) return false;
    if ('health' in reading) state.health = reading.health;
    else state.balance = reading.balance;
    state.version += 1;
    this.#version = state.version;
    return true;
  }

  /** Whether an answer that shows nothing new decides nothing; then it is done with. Never the first of a run. */
  passes(state: EngineState, at: EpochMs, complete: boolean): boolean {
    if (state.waiting.length > 0 || state.early !== undefined) return false;
    if (complete && (tellsFloors(state) || !this.#isJudged(state, at))) return false;
    const start = hourOf(at);
    if (start !== state.hour.start) state.hour = { start, matches: 0 };
    return true;
  }

  /** After a whole answer that passes: every later one before this passes as well and changes nothing, as long as nothing is heard and nothing stepped. */
  passesUntil({ judgedAt, hour }: EngineState): EpochMs {
    return Math.min(judgedAt + REJUDGE_MS, hour.start + windowMs.hour);
  }

  /** Whether a whole answer that does show something new leaves all else as it was judged; then `step` may be told so. */
  standsAsJudged(state: EngineState, at: EpochMs): boolean {
    if (state.waiting.length > 0 || state.rules.strategies.looksAround.record) return false;
    // What is admitted on paper counts at once, and so for what is judged behind it.
    return state.rules.strategies.all.every(({ lane }) => lane === 'live') && this.#isJudged(state, at);
  }

  /** Whether nothing is to be judged again; where it was due, it counts as done. */
  #isJudged(state: EngineState, at: EpochMs): boolean {
    if (state.version === state.judgedVersion && at - state.judgedAt < REJUDGE_MS) return true;
    if (!this.#holds(state, at)) return false;
    state.judgedVersion = state.version;
    state.judgedAt = at;
    return true;
  }

  #settle(state: EngineState, at: EpochMs): void {
    this.#until = Math.min(
      later(state.cautionUntil, at),
      later(state.slowedUntil, at),
      windowsEnd(state.lanes.live.exposure, at),
      windowsEnd(state.lanes.paper.exposure, at),
    );
    this.#heard = heardOf(state, at);
  }

  /** Whether all that was judged would be judged alike now. */
  #holds(state: EngineState, at: EpochMs): boolean {
    if (!(at < this.#until)) return false;
    const { amount, isStale, markets } = this.#heard;
    const { balance } = state;
    if (balance?.amount !== amount || isOld(balance, at) !== isStale) return false;
    return state.rules.health.require === 'off' || verdictsOn(state, at) === markets;
  }
}

function admits(effects: readonly Effect[]): boolean {
  return effects.some((effect) => effect.type === 'decide' && effect.decisions.some(({ verdict }) => verdict === 'admitted'));
}

/** A broken answer, or the part of one, shows floors that only the next whole one is held against. */
function tellsFloors({ rules, shelf }: EngineState): boolean {
  return rules.strategies.looksAround.floor && shelf.isOpen;
}

function heardOf(state: EngineState, at: EpochMs): Heard {
  return { amount: state.balance?.amount, isStale: isOld(state.balance, at), markets: verdictsOn(state, at) };
}

function isOld(balance: BalanceReading | undefined, at: EpochMs): boolean {
  return balance === undefined || at - balance.beganAt > BALANCE_MAX_AGE_MS;
}

/** What health says of each market one can buy from, in a word. */
function verdictsOn({ health, rules }: EngineState, at: EpochMs): string {
  let words = '';
  for (const market of buyableMarkets) words += `${marketRefusal(market, health, rules.health, at)?.reason ?? ''}\n`;
  return words;
}

function later(moment: EpochMs | undefined, at: EpochMs): EpochMs {
  return moment !== undefined && moment > at ? moment : Infinity;
}

/** When the next purchase or order leaves a window of a cap. */
function windowsEnd({ recent, strangers, lags }: Exposure, at: EpochMs): EpochMs {
  // Windows that reach back into slow runs end at times of their own.
  if (lags.slow.length > 0) return NEVER;
  let next = Infinity;
  for (const row of recent.values())
    for (const ms of [windowMs.hour, windowMs.day]) next = Math.min(next, later(row.at + ms, at));
  for (const seenAt of strangers.values()) next = Math.min(next, later(seenAt + ADOPTED_OPEN_MS, at));
  return next;
}
