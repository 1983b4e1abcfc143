import { type Micros, formatDollars, subtract, sum } from '../../domain/money.ts';
import type { TreasuryPolicy } from './policy.ts';
import { LAG_MS, type Reading } from './step.ts';
import { type TransferRow, holds } from './transfer.ts';

/** What the service says of a transfer that it calls made; undefined where it says nothing. */
export interface ToldTransfer {
  readonly amountCents: number | undefined;
  readonly partnerKeyId: string | undefined;
  readonly childKeyId: string | undefined;
}

/** What is known of the two sides from before. */
export interface KnownSides {
  readonly partnerKeyId: string | undefined;
  readonly childKeyId: string | undefined;
}

/** How what the service says of a transfer contradicts what was asked or known; undefined: it does not. */
export function contradictionOfAnswer(amountCents: number, told: ToldTransfer, known: KnownSides): string | undefined {
  if (told.amountCents !== undefined && told.amountCents !== amountCents)
    return `the service says that the key has moved ${told.amountCents} cents, and ${amountCents} were asked for`;
  for (const [side, what] of [
    ['childKeyId', 'to'],
    ['partnerKeyId', 'from'],
  ] as const)
    if (told[side] !== undefined && known[side] !== undefined && told[side].toLowerCase() !== known[side].toLowerCase())
      return `the service says that it moved ${what} ${told[side]}, and it is ${known[side]} that was meant`;
  return undefined;
}

export interface BalancesSeen {
  readonly top: Reading | undefined;
  /** The reading of the top-level balance before that, of this run or an earlier one. */
  readonly topBefore: Reading | undefined;
  readonly children: ReadonlyMap<string, Reading>;
  readonly rows: readonly TransferRow[];
}

/** What in the balances cannot be; undefined: nothing. */
export function contradictionOfBalances(policy: TreasuryPolicy, seen: BalancesSeen): string | undefined {
  const { top, topBefore, children, rows } = seen;
  if (top !== undefined && top.balance < 0) return `the top-level balance is negative: ${formatDollars(top.balance)}`;
  for (const [name, { balance }] of children)
    if (balance < 0) return `the balance of ${name} is negative: ${formatDollars(balance)}`;
  if (!policy.dedicated || top === undefined || topBefore === undefined) return undefined;
  const fell = subtract(topBefore.balance, top.balance);
  const explained = explainedFall(topBefore, rows);
  if (fell <= explained) return undefined;
  return `the top-level balance fell by ${formatDollars(fell)}, and transfers explain ${formatDollars(explained)} of it`;
}

/** Whether two contradictions are one that goes on: the same but for its amounts, which change from one round to the next. */
export function isSameContradiction(one: string, other: string): boolean {
  const bare = (words: string): string => words.replace(/-?\$[\d.]+/g, '$');
  return bare(one) === bare(other);
}

/** What transfers may have taken since a reading: those open, and those that were made after it or shortly before. */
function explainedFall(before: Reading, rows: readonly TransferRow[]): Micros {
  const since = rows.filter(
    (row) => holds(row) && (row.state === 'open' || (row.settledAt ?? before.askedAt) > before.askedAt - LAG_MS),
  );
  return sum(since.map(({ amount }) => amount));
}
