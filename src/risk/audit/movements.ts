import type { EpochMs } from '../../domain/clock.ts';
import { type Micros, ZERO, microsFromDollars, subtract, sum } from '../../domain/money.ts';
import type { Movement, TransactionRow } from './books.ts';
import { sameToTheCent } from './same.ts';
import { isAfter } from './strangers.ts';

/*
 * The service's ledger shows every movement of the balance, but the fields of an entry are not documented. That entries are classed
 * credit, debit or neutral is; the rest is read by the likeliest names, and an entry that cannot be read is never guessed at.
 */

/** An entry as a movement; undefined when its class, amount or time cannot be told. */
export function movementOf(entry: unknown): Movement | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const fields = entry as Readonly<Record<string, unknown>>;
  const at = instantOf(fields['timestamp'] ?? fields['createdAt'] ?? fields['date']);
  const amount = amountOf(fields['amount']);
  const kind = typeof fields['type'] === 'string' ? fields['type'].toLowerCase() : undefined;
  if (at === undefined || amount === undefined) return undefined;
  if (kind === 'credit') return { change: amount, at };
  if (kind === 'debit') return { change: subtract(ZERO, amount), at };
  return kind === 'neutral' ? { change: ZERO, at } : undefined;
}

/** The size of a movement: its class says which way it goes. */
function amountOf(value: unknown): Micros | undefined {
  return typeof value === 'number' ? microsFromDollars(Math.abs(value), 'up') : undefined;
}

/** Below this a number counts seconds, from it on milliseconds. */
const MILLISECONDS_FROM = 100_000_000_000;

function instantOf(value: unknown): EpochMs | undefined {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value < MILLISECONDS_FROM ? value * 1_000 : value;
  if (typeof value !== 'string') return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : at;
}

/** What moved the balance beside purchases and refunds. */
export interface OtherMoves {
  /** Surely since the first reading. */
  readonly since: Micros;
  /** Dated so near the first reading that it may hold them or not; each as what it adds. */
  readonly uncertain: readonly Micros[];
}

/** Deposits, withdrawals, fees: the movements that are left when each purchase and refund has been taken out. */
export function otherMoves(
  movements: readonly Movement[],
  transactions: readonly TransactionRow[],
  firstAt: EpochMs,
): OtherMoves {
  const booked = transactions.flatMap((row): Movement[] => {
    if (row.timestampMs === undefined || (row.type !== 'purchase' && row.type !== 'refund')) return [];
    return [{ change: row.type === 'refund' ? row.amount : subtract(ZERO, row.amount), at: row.timestampMs }];
  });
  const { left, unmatched } = withoutPairs(movements, booked);
  // A purchase may stand in the ledger in parts: what has no counterpart is taken off as a whole.
  const rest = [...left, ...unmatched.map(({ change, at }) => ({ change: subtract(ZERO, change), at }))];
  const since = rest.filter(({ at }) => isAfter(at, firstAt) === 'yes').map(({ change }) => change);
  const near = rest.filter(({ at, change }) => change !== 0 && isAfter(at, firstAt) === 'perhaps').map(({ change }) => change);
  return { since: sum(since), uncertain: near };
}

/** An entry and its transaction are dated alike; this allows for rounding to seconds and two clocks of one service. */
const SAME_TIME_MS = 60_000;

function withoutPairs(
  movements: readonly Movement[],
  booked: readonly Movement[],
): { readonly left: readonly Movement[]; readonly unmatched: readonly Movement[] } {
  const byTime = [...movements].sort((a, b) => a.at - b.at);
  const gone = new Set<Movement>();
  const unmatched = [...booked]
    .sort((a, b) => a.at - b.at)
    .filter((one) => {
      const from = firstFrom(byTime, one.at - SAME_TIME_MS);
      for (let index = from; (byTime[index]?.at ?? Number.POSITIVE_INFINITY) <= one.at + SAME_TIME_MS; index++) {
        const entry = byTime[index];
        if (entry === undefined || gone.has(entry) || !sameToTheCent(entry.change, one.change)) continue;
        gone.add(entry);
        return false;
      }
      return true;
    });
  return { left: byTime.filter((entry) => !gone.has(entry)), unmatched };
}

/** The place of the first movement that is not before a moment. */
function firstFrom(byTime: readonly Movement[], at: EpochMs): number {
  let [low, high] = [0, byTime.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((byTime[middle]?.at ?? Number.POSITIVE_INFINITY) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
