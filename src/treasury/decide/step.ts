import type { EpochMs } from '../../domain/clock.ts';
import { CENT, type Micros, ZERO, add, micros, subtract, sum } from '../../domain/money.ts';
import { type CapName, roomFor } from './caps.ts';
import type { ChildPolicy, TreasuryPolicy } from './policy.ts';
import { type TransferRow, holds } from './transfer.ts';

/** A balance as the service told it. */
export interface Reading {
  readonly balance: Micros;
  /** When the question left: what happened later may not be in it. */
  readonly askedAt: EpochMs;
}

/** All that a decision depends on. */
export interface TreasuryBooks {
  readonly isHalted: boolean;
  readonly isClockWrong?: boolean | undefined;
  /** undefined: it could not be read. */
  readonly top: Reading | undefined;
  /** By the child's name; one that could not be read is not there. */
  readonly children: ReadonlyMap<string, Reading>;
  /** Every open transfer, and every other of the last 24 hours. */
  readonly rows: readonly TransferRow[];
}

export interface Intended {
  readonly child: string;
  /** Whole cents. */
  readonly amount: Micros;
}

export type VerdictReason =
  | 'transfer'
  | 'enough' // the balance is at its floor or above
  | 'halted'
  | 'clock' // this machine's clock is wrong: no window of a cap can be told
  | 'open' // a transfer to it is not settled
  | 'unread' // its balance is not known, or it needs money by one that is too old
  | 'recent' // a transfer was just made: the balance may not show it yet
  | 'resting' // the service refused a transfer to it a short while ago
  | 'top-unread'
  | 'reserve' // the top-level account has nothing to spare above its reserve
  | `cap-${CapName}`;

/** What was decided of one child, and why. */
export interface Verdict {
  readonly child: string;
  readonly reason: VerdictReason;
  /** Of the transfer; zero where there is none. */
  readonly amount: Micros;
  /** Less than its target needs, because of this; undefined: all that it needs. */
  readonly cutBy: 'reserve' | CapName | undefined;
  readonly balance: Micros | undefined;
}

/** A reading older than this decides nothing. */
export const READING_MAX_MS = 60_000;
/** A service may answer from books of different age: a reading counts once it began so long after the last transfer was made. */
export const LAG_MS = 60_000;
/** A transfer of less than this is not worth its request, unless it is all that is needed. */
const LEAST = micros(1_000_000);
/** How long a child rests after so many refusals in a row. */
const RESTS_MS = [60_000, 300_000, 900_000, 3_600_000] as const;

/** What the treasury does now: every child with its reason, the neediest first. Pure; nothing is remembered between calls. */
export function treasuryStep(policy: TreasuryPolicy, books: TreasuryBooks, now: EpochMs): readonly Verdict[] {
  const rows = [...books.rows];
  const verdicts: Verdict[] = [];
  for (const child of neediestFirst(policy.children, books)) {
    const verdict = judged(policy, child, { ...books, rows }, now);
    verdicts.push(verdict);
    // As if it stood in the journal already: the next one sees it in every cap and in the balance.
    if (verdict.reason === 'transfer') rows.push(asOpen(verdict, now));
  }
  return verdicts;
}

/** The transfers among verdicts, in order. */
export function intendedOf(verdicts: readonly Verdict[]): readonly Intended[] {
  return verdicts.filter(({ reason }) => reason === 'transfer').map(({ child, amount }) => ({ child, amount }));
}

function asOpen({ child, amount }: Verdict, now: EpochMs): TransferRow {
  return { id: 0, child, amount, state: 'open', createdAt: now, settledAt: undefined };
}

/** Who has least of its floor comes first. */
export function neediestFirst(children: readonly ChildPolicy[], books: Pick<TreasuryBooks, 'children'>): readonly ChildPolicy[] {
  const share = ({ name, floor }: ChildPolicy): number => (books.children.get(name)?.balance ?? floor) / Math.max(1, floor);
  return children.toSorted((a, b) => share(a) - share(b) || (a.name < b.name ? -1 : 1));
}

function judged(policy: TreasuryPolicy, child: ChildPolicy, books: TreasuryBooks, now: EpochMs): Verdict {
  const reading = books.children.get(child.name);
  const none = (reason: VerdictReason): Verdict => ({
    ...{ child: child.name, reason, amount: ZERO, cutBy: undefined },
    balance: reading?.balance,
  });
  const own = books.rows.filter((row) => row.child === child.name);
  if (books.isHalted) return none('halted');
  if (books.isClockWrong === true) return none('clock');
  if (own.some(({ state }) => state === 'open')) return none('open');
  if (reading === undefined) return none('unread');
  if (reading.balance >= child.floor) return none('enough');
  if (now - reading.askedAt > READING_MAX_MS) return none('unread');
  if (own.some((row) => row.state === 'made' && reading.askedAt < (row.settledAt ?? now) + LAG_MS)) return none('recent');
  if (isResting(own, now)) return none('resting');
  if (books.top === undefined || now - books.top.askedAt > READING_MAX_MS) return none('top-unread');
  const need = wholeCents(subtract(child.target, reading.balance));
  const room = roomFor(policy, child, books.rows, now);
  const free = freeAbove(policy.reserve, books.top, books.rows);
  const least = free < room.left ? ({ left: free, by: 'reserve' } as const) : ({ left: room.left, by: room.cap } as const);
  const amount = wholeCents(least.left < need ? least.left : need);
  if (amount < need && amount < LEAST) return none(least.by === 'reserve' ? 'reserve' : `cap-${least.by}`);
  if (amount < CENT) return none('enough');
  const cutBy = amount < need ? least.by : undefined;
  return { child: child.name, reason: 'transfer', amount, cutBy, balance: reading.balance };
}

/** What the top-level account can spare: less what may move yet, and less what the reading may not show. */
function freeAbove(reserve: Micros, { balance, askedAt }: Reading, rows: readonly TransferRow[]): Micros {
  const unseen = rows.filter((row) => holds(row) && (row.state === 'open' || askedAt < (row.settledAt ?? askedAt) + LAG_MS));
  const free = balance - add(reserve, sum(unseen.map(({ amount }) => amount)));
  return free <= 0 ? ZERO : micros(free);
}

function isResting(own: readonly TransferRow[], now: EpochMs): boolean {
  const newestFirst = own.toSorted((a, b) => b.id - a.id);
  const other = newestFirst.findIndex(({ state }) => state !== 'refused');
  const refusals = other === -1 ? newestFirst : newestFirst.slice(0, other);
  const last = refusals[0]?.settledAt;
  const restMs = RESTS_MS[Math.min(refusals.length, RESTS_MS.length) - 1];
  return last !== undefined && restMs !== undefined && now < last + restMs;
}

/** A fraction of a cent stays where it is. */
function wholeCents(amount: Micros): Micros {
  return amount <= 0 ? ZERO : micros(amount - (amount % CENT));
}
