import type { EpochMs } from '../domain/clock.ts';
import type { FaultCause } from '../domain/fault.ts';
import { type Window, windows } from '../domain/limits.ts';
import { formatDollars } from '../domain/money.ts';
import { available } from '../risk/balance.ts';
import { opennessOf } from '../engine/judge.ts';
import { closedWords } from '../risk/openness.ts';
import type { Lane } from '../domain/purchase.ts';
import { counted } from '../domain/text.ts';
import { usage } from '../engine/exposure.ts';
import type { PollResult } from '../engine/snapshot.ts';
import type { EngineState } from '../engine/state.ts';

/** What the polls have come to so far in this run. */
export class PollFacts {
  /** Start of the last complete poll; undefined before the first. */
  lastCompleteAt: EpochMs | undefined;
  /** End of the last complete poll that showed anything new, changed or gone; undefined before the first. */
  lastMovedAt: EpochMs | undefined;
  /** Listings in the last answer. */
  listings = 0;
  /** Listings of the last answer that cannot be judged. */
  bad = 0;
  badExample: string | undefined;
  polls = 0;
  failuresInRow = 0;
  /** Why the last poll failed; undefined when it did not. */
  lastFault: string | undefined;
  /** What that failure was about. */
  lastCause: FaultCause | undefined;
  /** Why the account did not answer the last question, and whether that is the key's fault; undefined when it did. */
  accountFault: { readonly message: string; readonly forbidden: boolean } | undefined;

  note(result: PollResult): void {
    this.polls += 1;
    if (!result.ok) {
      this.failuresInRow += 1;
      this.lastFault = result.fault.message;
      this.lastCause = result.fault.cause;
      return;
    }
    this.failuresInRow = 0;
    this.lastFault = undefined;
    this.lastCause = undefined;
    const { change } = result;
    if (change.complete) this.lastCompleteAt = change.endedAt;
    if (change.complete && change.unchangedInARow === 0) this.lastMovedAt = change.endedAt;
    this.listings = change.count;
    this.bad = change.badCount;
    const example = change.bad[0];
    if (example !== undefined) this.badExample = `${example.name ?? example.id ?? 'an entry without a name'}: ${example.reason}`;
  }
}

/** One line about where things stand: listings, balance, the use of every cap of the account. */
export function statusLine(state: Readonly<EngineState>, facts: PollFacts, now: EpochMs): string {
  const lane = state.lanes[laneOf(state)].exposure;
  const { limits } = state.rules;
  const used = usage(lane, { strategy: '', marketHashName: '' }, now);
  const caps = windows.flatMap((window) => {
    const cap = limits.spend[window];
    return cap === undefined ? [] : [`${window} ${formatDollars(used.spend[window])} of ${formatDollars(cap)}`];
  });
  const balance = state.balance;
  const parts = [
    counted(facts.listings, 'listing'),
    `${state.standing.size} matching`,
    balance === undefined
      ? 'no balance yet'
      : `balance ${formatDollars(balance.amount)}, free ${formatDollars(available(balance, lane.holds.values()))}, reserve ${formatDollars(limits.reserve)}`,
    ...(caps.length > 0 ? [`spent: ${caps.join(', ')}`] : []),
    `open ${used.open} of ${limits.openPurchases}`,
    ...(used.unknown > 0 ? [`unknown ${used.unknown} of ${limits.unknown}`] : []),
    ...stateWords(state, now),
  ];
  return parts.join(' · ');
}

/** The use of each strategy's own caps, for those that have used any. */
export function strategyCapsLine(state: Readonly<EngineState>, now: EpochMs): string | undefined {
  const used = state.rules.strategies.all.flatMap((strategy) => {
    const { spend, count } = strategy.limits;
    const use = usage(state.lanes[strategy.lane].exposure, { strategy: strategy.name, marketHashName: '' }, now);
    if (use.strategyCount.total === 0) return [];
    const parts = windows.flatMap((window) => [
      ...capPart(window, spend[window], formatDollars(use.strategySpend[window]), formatDollars),
      ...capPart(window, count[window], String(use.strategyCount[window]), String),
    ]);
    return parts.length === 0 ? [] : [`${strategy.name} ${parts.join(', ')}`];
  });
  return used.length === 0 ? undefined : used.join(' · ');
}

function capPart<T>(window: Window, cap: T | undefined, used: string, show: (cap: T) => string): readonly string[] {
  return cap === undefined ? [] : [`${window} ${used} of ${show(cap)}`];
}

/** Where everything is on paper it is the paper's figures that count. */
export function laneOf(state: Readonly<EngineState>): Lane {
  return onPaper(state) ? 'paper' : 'live';
}

/** Whether nothing can be bought, only written down: there are strategies, and all of them are on paper. */
export function onPaper({ rules: { strategies } }: Readonly<EngineState>): boolean {
  return strategies.all.length > 0 && strategies.all.every((strategy) => strategy.lane === 'paper');
}

function stateWords(state: Readonly<EngineState>, now: EpochMs): readonly string[] {
  if (state.halt !== undefined) return ['HALTED'];
  const words = notBuyingWords(state, now);
  return words === undefined ? [] : [words];
}

/** What is closed and why: `not buying: …`, `buying on ecosteam only: …`; undefined while buying is open everywhere. */
export function notBuyingWords(state: Readonly<EngineState>, now: EpochMs): string | undefined {
  const closed = closedWords(opennessOf(state, laneOf(state), now));
  if (closed === undefined) return undefined;
  return `${closed.only.length === 0 ? 'not buying' : `buying on ${closed.only.join(', ')} only`}: ${closed.why}`;
}
