import type { EpochMs } from '../../domain/clock.ts';
import { type Micros, ZERO, subtract, sum } from '../../domain/money.ts';
import { foldCase } from '../../domain/text.ts';
import { type Attribution, type StrangerOrder, isBrokenStatus } from './attribution.ts';
import type { OrderRow, OurBooks, TheirBooks, TransactionRow } from './books.ts';
import { type Fit, pairUp } from './pairing.ts';
import type { Difference, Others } from './report.ts';
import { sameToTheCent } from './same.ts';

/** What others did with the account. */
export interface StrangerFindings {
  readonly differences: readonly Difference[];
  readonly others: Others;
  /** What left the balance for them since the first reading, less what came back. */
  readonly spent: Micros;
  /** What may or may not belong to that, each as what it adds to the balance. */
  readonly uncertain: readonly Micros[];
}

/** Clocks of two machines may differ by this much: what is dated so near the first reading may be in it or not. */
export const EDGE_MS = 300_000;

/** Whether a moment at the service lies after one of ours, as far as two clocks can tell. */
export function isAfter(at: EpochMs | undefined, ours: EpochMs): 'yes' | 'no' | 'perhaps' {
  if (at === undefined || Math.abs(at - ours) <= EDGE_MS) return 'perhaps';
  return at > ours ? 'yes' : 'no';
}

type Paired = StrangerOrder & { readonly debit: TransactionRow | undefined };

/** Orders of before our time and after, each with its debit; then debits that belong to no order, those put aside before apart. */
interface Sorted {
  readonly old: readonly Paired[];
  readonly recent: readonly Paired[];
  readonly alone: readonly TransactionRow[];
  readonly aside: readonly TransactionRow[];
  readonly refunds: readonly TransactionRow[];
}

/** Holds orders and bookings that belong to no purchase of ours against what the ledger knows of them. */
export function compareStrangers(ours: OurBooks, theirs: TheirBooks, { strangers }: Attribution): StrangerFindings {
  const debitsOf = pairUp(strangers.debits, (row) => strangers.orders.flatMap((owner) => debitFit(owner, row)));
  const paired = strangers.orders.map((order) => ({ ...order, debit: debitsOf.get(order) }));
  const given = new Set(debitsOf.values());
  const debits = strangers.debits.filter((row) => !given.has(row));
  const isOld = ({ known, row }: StrangerOrder): boolean =>
    known === undefined ? isBefore(row.timestampMs, ours) : known.as === 'baseline';
  const [old, recent] = [paired.filter(isOld), paired.filter((order) => !isOld(order))];
  const putAside = new Set(ours.transactions.filter(({ as }) => as === 'baseline').map(({ transactionId }) => transactionId));
  const isAlone = (row: TransactionRow): boolean => !putAside.has(row.transactionId) && !isBefore(row.timestampMs, ours);
  const alone = debits.filter(isAlone);
  const aside = debits.filter((row) => !isAlone(row));
  const unexplained = recent.filter(({ known }) => known === undefined);
  const adopted = recent.filter(({ known }) => known !== undefined);
  return {
    differences: [...unexplained.flatMap((order) => unexplainedOrder(order, strangers.refunds)), ...alone.map(unexplainedDebit)],
    others: {
      baseline: old.length,
      adopted: adopted.map(({ row, debit }) => ({
        orderId: row.orderId,
        name: row.itemName ?? row.itemId ?? '',
        amount: debit?.amount ?? row.amount,
        status: row.statusCode,
      })),
    },
    ...moneyOf(ours, theirs, { old, recent, alone, aside, refunds: strangers.refunds }),
  };
}

/** Whether a debit may be an order's, and how well it fits. An order may show its price without the fee. */
function debitFit(owner: StrangerOrder, row: TransactionRow): readonly Fit<StrangerOrder>[] {
  if (!isAlike(row, owner.row)) return [];
  if (sameToTheCent(row.amount, owner.row.amount)) return [{ owner, rank: 1 }];
  return row.price !== undefined && sameToTheCent(row.price, owner.row.amount) ? [{ owner, rank: 2 }] : [];
}

function isAlike(row: TransactionRow, order: OrderRow): boolean {
  if (row.itemId !== undefined && row.itemId === order.itemId) return true;
  return row.itemName !== undefined && order.itemName !== undefined && foldCase(row.itemName) === foldCase(order.itemName);
}

/** From before our time, which began with the first look at the orders. */
function isBefore(at: EpochMs | undefined, { baselineAt }: OurBooks): boolean {
  return baselineAt === undefined || (at !== undefined && at < baselineAt);
}

function unexplainedOrder({ row, debit }: Paired, refunds: readonly TransactionRow[]): Difference[] {
  const amount = debit?.amount ?? row.amount;
  const cameBack =
    isBrokenStatus(row.statusCode) && refunds.some((each) => isAlike(each, row) && sameToTheCent(each.amount, amount));
  if (cameBack) return [];
  return [
    {
      kind: 'order-unexplained',
      purchaseId: null,
      orderId: row.orderId,
      transactionId: debit?.transactionId ?? null,
      name: row.itemName ?? row.itemId ?? '',
      ours: ZERO,
      theirs: amount,
      difference: subtract(ZERO, amount),
    },
  ];
}

function unexplainedDebit(row: TransactionRow): Difference {
  return {
    kind: 'debit-unexplained',
    purchaseId: null,
    orderId: null,
    transactionId: row.transactionId,
    name: row.itemName ?? row.itemId ?? '',
    ours: ZERO,
    theirs: row.amount,
    difference: subtract(ZERO, row.amount),
  };
}

interface Move {
  readonly change: Micros;
  readonly since: 'yes' | 'no' | 'perhaps';
}

/** Transactions say what moved; where none shows the debit of an order, the order has to stand for it. */
function moneyOf(
  ours: OurBooks,
  theirs: TheirBooks,
  { old, recent, alone, aside, refunds }: Sorted,
): Pick<StrangerFindings, 'spent' | 'uncertain'> {
  const { firstBalance } = ours;
  if (firstBalance === undefined) return { spent: ZERO, uncertain: [] };
  const since = (at: EpochMs | undefined): Move['since'] => isAfter(at, firstBalance.beganAt);
  const seesDebits = theirs.transactions.ok && theirs.transactions.whole;
  const moves: Move[] = [
    // What the first look did not show was ordered after it, whatever the clocks say.
    ...recent.map(({ row, debit }): Move => ({
      change: subtract(ZERO, debit?.amount ?? row.amount),
      since: debit === undefined && seesDebits ? 'perhaps' : 'yes',
    })),
    ...alone.map(({ amount, timestampMs }): Move => ({
      change: subtract(ZERO, amount),
      since: timestampMs === undefined ? 'perhaps' : 'yes',
    })),
    ...[...aside, ...old.flatMap(({ debit }) => debit ?? [])].map(({ amount, timestampMs }): Move => ({
      change: subtract(ZERO, amount),
      since: since(timestampMs),
    })),
    ...refunds.map((row): Move => ({
      change: row.amount,
      since: recent.some((order) => isAlike(row, order.row)) ? 'yes' : since(row.timestampMs),
    })),
  ];
  const late = ours.orders.filter((order) => order.as === 'adopted' && isUnseen(order.orderId, order.firstSeen, theirs));
  const changes = (which: Move['since']): Micros[] => moves.flatMap((move) => (move.since === which ? [move.change] : []));
  return {
    spent: subtract(ZERO, sum(changes('yes'))),
    uncertain: [...changes('perhaps'), ...late.map(({ amount }) => subtract(ZERO, amount))],
  };
}

/** Adopted by a look after the lists were asked for: they cannot show it yet. */
function isUnseen(orderId: string, firstSeen: EpochMs, { orders }: TheirBooks): boolean {
  return orders.ok && firstSeen >= orders.beganAt && !orders.rows.some((row) => row.orderId === orderId);
}
