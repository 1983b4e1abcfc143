import { type Micros, ZERO, sum } from '../../src/domain/money.ts';
import type { BooksView } from '../../src/sandbox/audit.ts';
import type { TreasuryPolicy } from '../../src/treasury/decide/policy.ts';
import type { KeptTransfer } from '../../src/treasury/journal.ts';

/** How the idempotency keys of others begin. */
export const BY_HAND = 'by-hand-';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A treasury's life that is over, and the exchange's books of it: the first account is the top-level one. */
export interface TreasuryLife {
  readonly policy: TreasuryPolicy;
  /** Of the children, in the order of the exchange's accounts. */
  readonly names: readonly string[];
  /** Of all accounts before the first transfer. */
  readonly startTotal: Micros;
  /** Balances lied or others moved money: reserve and targets could not be kept. */
  readonly isBeyond: boolean;
  readonly books: Pick<BooksView, 'accounts' | 'bookings' | 'transfers'>;
  /** Of its journal. */
  readonly rows: readonly KeptTransfer[];
}

/** Every promise of the treasury, held against the exchange's books; in words, what was broken. */
export function auditTreasury(life: TreasuryLife): string[] {
  return [...money(life), ...bounds(life), ...rowsAndTransfers(life), ...caps(life)];
}

function money({ books: { accounts, bookings }, startTotal }: TreasuryLife): string[] {
  const amounts = (kind: string): Micros[] => bookings.filter((booking) => booking.kind === kind).map(({ amount }) => amount);
  const broken: string[] = [];
  if (sum(accounts.map(({ balance }) => balance)) !== startTotal + sum(amounts('withdrawal')))
    broken.push('a cent was made or lost');
  if (sum(amounts('transfer')) !== ZERO) broken.push('a transfer has one side');
  return broken;
}

function bounds({ books: { accounts, bookings }, policy, names, isBeyond }: TreasuryLife): string[] {
  if (isBeyond) return [];
  const moves = bookings.filter(({ kind }) => kind === 'transfer');
  const [top, ...children] = accounts;
  const broken: string[] = [];
  if (moves.some(({ account, balanceAfter }) => account === top?.id && balanceAfter < policy.reserve))
    broken.push('the reserve was gone under');
  for (const [index, name] of names.entries()) {
    const target = policy.children.find((child) => child.name === name)?.target ?? ZERO;
    if (moves.some(({ account, balanceAfter }) => account === children[index]?.id && balanceAfter > target))
      broken.push(`${name} was filled beyond its target`);
  }
  return broken;
}

/** Each row is one transfer at the exchange or none, whatever became of its requests, and none is open once all is quiet. */
function rowsAndTransfers({ books: { accounts, transfers }, rows, names }: TreasuryLife): string[] {
  const [top, ...children] = accounts;
  const idOf = new Map(names.map((name, index) => [name, children[index]?.id]));
  const broken: string[] = [];
  for (const row of rows) {
    const made = transfers.filter(({ id }) => id === `${top?.id}:${row.idempotencyKey}`);
    if (made.length > 1 || made.some(({ amount, to }) => amount !== row.amount || to !== idOf.get(row.child)))
      broken.push(`transfer ${row.id} became something else`);
    if (row.state === 'made' && made.length !== 1) broken.push(`transfer ${row.id} is called made and is not`);
    if ((row.state === 'refused' || row.state === 'not-made') && made.length !== 0)
      broken.push(`transfer ${row.id} is called ${row.state} and was made`);
    if (row.state === 'open') broken.push(`transfer ${row.id} is still open after a calm end`);
  }
  const known = new Set(rows.map(({ idempotencyKey }) => `${top?.id}:${idempotencyKey}`));
  const strange = ofTreasury(transfers).filter(({ id }) => !known.has(id));
  if (strange.length > 0) broken.push('the exchange knows a transfer that the journal does not');
  return broken;
}

function caps({ books: { accounts, transfers }, policy, names }: TreasuryLife): string[] {
  const own = ofTreasury(transfers);
  const over = (of: typeof own, windowMs: number, cap: Micros): boolean =>
    of.some(({ at }) => sum(of.filter((each) => each.at <= at && each.at > at - windowMs).map(({ amount }) => amount)) > cap);
  const broken: string[] = [];
  if (own.some(({ amount }) => amount > policy.perTransfer)) broken.push('the cap of one transfer was exceeded');
  if (over(own, HOUR_MS, policy.hour)) broken.push('the cap of an hour was exceeded');
  if (over(own, DAY_MS, policy.day)) broken.push('the cap of a day was exceeded');
  for (const [index, name] of names.entries()) {
    const perDay = policy.children.find((child) => child.name === name)?.perDay ?? ZERO;
    const toIt = own.filter(({ to }) => to === accounts[index + 1]?.id);
    if (over(toIt, DAY_MS, perDay)) broken.push(`the cap of a day of ${name} was exceeded`);
  }
  return broken;
}

function ofTreasury(transfers: BooksView['transfers']): BooksView['transfers'] {
  return transfers.filter(({ id }) => !id.includes(`:${BY_HAND}`));
}
