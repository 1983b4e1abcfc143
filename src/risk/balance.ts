import type { EpochMs } from '../domain/clock.ts';
import { type Lags, latestTime, noLags } from '../domain/lag.ts';
import { CENT, type Micros, add, micros, subtract, sum } from '../domain/money.ts';
import type { BalanceReading } from '../domain/readings.ts';

/** A reading older than this says nothing: invariant "older than a minute, nothing is bought". */
export const BALANCE_MAX_AGE_MS = 60_000;

/**
 * How long a balance may go on showing an accepted purchase as not debited. Until a reading that began this long after the
 * answer, or one that has fallen by the amount, the purchase keeps its hold.
 */
export const BALANCE_LAG_MS = 60_000;

/** A balance that grows by more than this factor from one reading to the next changed its unit or lost its decimal point. */
const JUMP_FACTOR = 5;

/** A jump is believed when readings near each other have shown it this many times: somebody has paid in. */
const JUMP_BELIEVED_AFTER = 5;

/** Readings too far above the believed one to be believed at once, which lie near each other. */
export interface Rise {
  readonly least: Micros;
  readonly times: number;
  /** Readings in a row that lie as far above these. */
  readonly above?: Rise | undefined;
}

/**
 * What a reading makes of a rise; undefined: it lies near the believed one, or below. What lies as far above the rise itself is a rise
 * of its own, so that a balance misread as a hundred times what it is cannot pass for the last of those that showed money paid in.
 */
export function riseAfter(
  rise: Rise | undefined,
  believed: Pick<BalanceReading, 'amount'>,
  reading: Pick<BalanceReading, 'amount'>,
): Rise | undefined {
  const { amount } = reading;
  if (!isFarAbove(amount, believed.amount)) return undefined;
  if (rise === undefined || isFarAbove(rise.least, amount)) return { least: amount, times: 1 };
  if (isFarAbove(amount, rise.least)) return { ...rise, above: riseAfter(rise.above, { amount: rise.least }, reading) };
  return { least: micros(Math.min(rise.least, amount)), times: rise.times + 1 };
}

/** Whether a rise has been read often enough to be believed. */
export function isBelieved({ times, above }: Rise): boolean {
  return times >= JUMP_BELIEVED_AFTER || (above !== undefined && isBelieved(above));
}

function isFarAbove(amount: Micros, other: Micros): boolean {
  return amount > other * JUMP_FACTOR;
}

/**
 * The newest reading that may be spent from. One that jumps far above the one before it is passed over until it has come again and
 * again; a fall is believed at once. Readings oldest first; undefined when there are none.
 */
export function believedReading(readings: readonly BalanceReading[]): BalanceReading | undefined {
  let believed: BalanceReading | undefined;
  let rise: Rise | undefined;
  for (const reading of readings) {
    rise = believed === undefined ? undefined : riseAfter(rise, believed, reading);
    if (rise !== undefined && !isBelieved(rise)) continue;
    believed = reading;
    rise = undefined;
  }
  return believed;
}

/** How many readings tell which of them may be believed. */
export const READINGS_TELLING = JUMP_BELIEVED_AFTER + 1;

/** How much later than another a reading began, at least: a clock that was set back or a machine that slept in between adds nothing. */
function gapBetween(earlier: BalanceReading, later: BalanceReading, lags: Lags): number {
  return Math.max(0, latestTime(later.beganAt, lags) - latestTime(earlier.beganAt, lags));
}

/** Whether readings, oldest first, reach back far enough to tell what may be spent from the newest that may be believed. */
export function reachBack(readings: readonly BalanceReading[], lags: Lags = noLags): boolean {
  const older = readings.slice(0, 1 - READINGS_TELLING);
  const age = older.reduce((total, reading, place) => total + gapBetween(older[place - 1] ?? reading, reading, lags), 0);
  return age > BALANCE_LAG_MS;
}

/**
 * What may be spent from: the believed reading, at the least that any reading of the minute before it showed. A service may answer
 * from books of different age, so what one reading has shown as gone stays gone though the next shows it as still there; that money
 * came in is believed a minute later. Readings oldest first, reaching back so far.
 */
export function spendableReading(readings: readonly BalanceReading[], lags: Lags = noLags): BalanceReading | undefined {
  const believed = believedReading(readings);
  if (believed === undefined) return undefined;
  let [least, later, age] = [believed.amount, believed, 0];
  for (const reading of readings.slice(0, readings.lastIndexOf(believed)).reverse()) {
    age += gapBetween(reading, later, lags);
    if (age > BALANCE_LAG_MS) break;
    least = micros(Math.min(least, reading.amount));
    later = reading;
  }
  return { ...believed, amount: least };
}

/** Money that a balance reading does not show as gone yet. */
export interface Hold {
  readonly purchaseId: number;
  readonly amount: Micros;
  /** When its outcome was known; undefined while it is reserved (intended, unknown, an unconfirmed refusal). */
  readonly answeredAt: EpochMs | undefined;
}

/** What may be spent by the reading: its amount minus every hold. May be negative. */
export function available(reading: BalanceReading, holds: Iterable<Hold>): Micros {
  return subtract(reading.amount, sum([...holds].map((hold) => hold.amount)));
}

/** Money on its way that a fall may or may not have taken along: more at once is not tried out. */
const COMPANIONS_MAX = 10;

/**
 * Which holds a new reading shows as debited. Where it began a minute after the answer, it must. Before that the balance must have
 * fallen by all such holds together and by nothing but them and what else of ours is on its way (to the cent): any other fall has
 * another cause, and ours may still come. It is a fall of what could be spent from until then (`before`, oldest first), so that none
 * counts twice. `isAlone`: nobody else is known to buy, whose fall it could be as well. A reserved hold is never shown: nobody knows
 * whether it was debited.
 */
export function debitsShown(
  before: readonly BalanceReading[],
  next: BalanceReading,
  holds: readonly Hold[],
  isAlone: boolean,
  lags: Lags = noLags,
): readonly number[] {
  // What is spent from is older than a reading that is passed over, and so is what it shows as gone.
  if (believedReading([...before, next]) !== next) return [];
  const answeredFor = ({ answeredAt }: Hold): number => (answeredAt === undefined ? -1 : next.beganAt - answeredAt);
  const due = holds.filter((hold) => answeredFor(hold) >= BALANCE_LAG_MS);
  const recent = holds.filter((hold) => answeredFor(hold) > 0 && answeredFor(hold) < BALANCE_LAG_MS);
  const rest = holds.filter((hold) => !recent.includes(hold));
  const fallen = subtract(spendableReading(before, lags)?.amount ?? next.amount, next.amount);
  const shown = isAlone && isFallOf(fallen, recent, rest) ? [...due, ...recent] : due;
  return shown.map((hold) => hold.purchaseId);
}

/** Whether a fall is that of some holds, with or without each of a few others. */
function isFallOf(fallen: Micros, holds: readonly Hold[], companions: readonly Hold[]): boolean {
  if (fallen <= 0) return false;
  let totals = new Set([sum(holds.map((hold) => hold.amount))]);
  for (const { amount } of companions.slice(0, COMPANIONS_MAX)) {
    totals = new Set([...totals, ...[...totals].map((total) => add(total, amount))]);
  }
  // A service that shows its balance in whole cents may show a debit of $0.125 as one of $0.12 or $0.13, never as none at all.
  return [...totals].some((total) => fallen >= total - (total % CENT) && fallen < total + CENT);
}
