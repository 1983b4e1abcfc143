import type { FaultCause } from '../domain/fault.ts';
import type { Breaker } from '../domain/limits.ts';
import { type Micros, formatDollars, micros } from '../domain/money.ts';
import { counted } from '../domain/text.ts';

/** What an account does in an ordinary hour: means over the hours of the last seven days in which anything happened. */
export interface Usual {
  /** Days of history behind the means; below seven nothing is judged unusual. */
  readonly days: number;
  readonly matchesPerHour: number;
  readonly spendPerHour: Micros;
}

/** What has happened in the running hour. */
export interface ThisHour {
  readonly matches: number;
  readonly spend: Micros;
}

const DAYS_OF_HISTORY = 7;

/** Below these an hour is never unusual, however quiet the account: a multiple of almost nothing means nothing. */
const QUIET = { matches: 20, spend: micros(20_000_000) } as const;

/** Causes that say nothing bad about us: somebody was faster, the price moved, we were too quick. */
const harmlessCauses: ReadonlySet<FaultCause> = new Set<FaultCause>(['gone', 'repriced', 'rate']);

/** How many refusals in a row count after one more answer: a purchase that is accepted starts anew, a harmless refusal changes nothing. */
export function refusalsInRow(
  before: number,
  answer: { readonly bought: true } | { readonly bought: false; readonly cause: FaultCause },
): number {
  if (answer.bought) return 0;
  return harmlessCauses.has(answer.cause) ? before : before + 1;
}

/** Why the breaker trips after a refusal, in words; undefined when it does not. */
export function tooManyRefusals(inRow: number, breaker: Breaker): string | undefined {
  return inRow < breaker.refusalsInRow
    ? undefined
    : `${counted(inRow, 'refusal')} in a row that ${inRow === 1 ? 'was' : 'were'} neither lost to a rival nor a matter of rate (limits.breaker.refusalsInRow)`;
}

/** Why an hour is far above what is usual for this account, in words; undefined when it is not. */
export function unusualHour(hour: ThisHour, usual: Usual | undefined, breaker: Breaker): string | undefined {
  if (usual === undefined || usual.days < DAYS_OF_HISTORY) return undefined;
  if (hour.matches >= Math.max(QUIET.matches, usual.matchesPerHour * breaker.unusual)) {
    return `${counted(hour.matches, 'match', 'matches')} in this hour, ${usual.matchesPerHour.toFixed(1)} are usual (limits.breaker.unusual)`;
  }
  if (hour.spend >= Math.max(QUIET.spend, usual.spendPerHour * breaker.unusual)) {
    return `${formatDollars(hour.spend)} spent in this hour, ${formatDollars(usual.spendPerHour)} are usual (limits.breaker.unusual)`;
  }
  return undefined;
}
