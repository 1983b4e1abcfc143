import type { EpochMs } from '../../domain/clock.ts';
import { type Micros, ZERO, add, microsFromDollars, subtract, sum } from '../../domain/money.ts';
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

/** What moved the balance beside purchases and refunds: deposits, withdrawals, fees. */
export type OtherMoves =
  | {
      readonly ok: true;
      /** Surely since the first reading. */
      readonly since: Micros;
      /** Dated so near the first reading that it may hold them or not; each as what it adds. */
      readonly uncertain: readonly Micros[];
    }
  | { readonly ok: false; readonly why: string };

/**
 * The movements that are left when each purchase and refund has been taken out. A ledger that lacks one of those says nothing sure
 * about the rest.
 */
export function otherMoves(
  movements: readonly Movement[],
  transactions: readonly TransactionRow[],
  firstAt: EpochMs,
): OtherMoves {
  // Oldest first, as the entries: else one of several like amounts could take the entry that only an older one may have.
  const booked = transactions
    .flatMap((row): Movement[] => {
      if (row.timestampMs === undefined || (row.type !== 'purchase' && row.type !== 'refund')) return [];
      return [{ change: row.type === 'refund' ? row.amount : subtract(ZERO, row.amount), at: row.timestampMs }];
    })
    .sort((a, b) => a.at - b.at);
  const entries = new Entries(movements);
  const whole = booked.filter((one) => !entries.take(one));
  const lacking = whole.filter((one) => !entries.takeParts(one) && isAfter(one.at, firstAt) === 'yes');
  if (lacking.length > 0) return { ok: false, why: `${lacking.length} of ${booked.length} purchases and refunds are not in it` };
  const rest = entries.left.filter(({ change }) => change !== 0);
  return {
    ok: true,
    since: sum(rest.filter(({ at }) => isAfter(at, firstAt) === 'yes').map(({ change }) => change)),
    uncertain: rest.filter(({ at }) => isAfter(at, firstAt) === 'perhaps').map(({ change }) => change),
  };
}

/** An entry and its transaction are dated alike; this allows for rounding to seconds and two clocks of one service. */
const SAME_TIME_MS = 60_000;

/** Entries of the service's ledger, to be taken out one by one. */
class Entries {
  readonly #byTime: readonly Movement[];
  readonly #taken = new Set<Movement>();

  constructor(movements: readonly Movement[]) {
    this.#byTime = [...movements].sort((a, b) => a.at - b.at);
  }

  get left(): readonly Movement[] {
    return this.#byTime.filter((entry) => !this.#taken.has(entry));
  }

  /** Takes out the entry of a booking; false when there is none. */
  take(booked: Movement): boolean {
    const entry = this.#around(booked).find(({ change }) => sameToTheCent(change, booked.change));
    if (entry !== undefined) this.#taken.add(entry);
    return entry !== undefined;
  }

  /** A booking may stand in two parts, such as price and fee. */
  takeParts(booked: Movement): boolean {
    const near = this.#around(booked);
    for (const [index, first] of near.entries()) {
      const second = near.slice(index + 1).find(({ change }) => sameToTheCent(add(first.change, change), booked.change));
      if (second === undefined) continue;
      this.#taken.add(first).add(second);
      return true;
    }
    return false;
  }

  #around({ at }: Movement): Movement[] {
    const near: Movement[] = [];
    for (let index = this.#firstFrom(at - SAME_TIME_MS); index < this.#byTime.length; index++) {
      const entry = this.#byTime[index];
      if (entry === undefined || entry.at > at + SAME_TIME_MS) break;
      if (!this.#taken.has(entry)) near.push(entry);
    }
    return near;
  }

  /** The place of the first entry that is not before a moment. */
  #firstFrom(at: EpochMs): number {
    let [low, high] = [0, this.#byTime.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#byTime[middle]?.at ?? Number.POSITIVE_INFINITY) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
