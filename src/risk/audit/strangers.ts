import type { EpochMs } from '../../domain/clock.ts';
import { type Micros, ZERO, subtract, sum } from '../../domain/money.ts';
import { foldCase } from '../../domain/text.ts';
import { type Attribution, type StrangerOrder, isBrokenStatus } from './attribution.ts';
import type { OrderRow, OurBooks, TheirBooks, TransactionRow } from './books.ts';
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

/** Holds orders and bookings that belong to no purchase of ours against what the ledger knows of them. */
export function compareStrangers(ours: OurBooks, theirs: TheirBooks, { strangers }: Attribution): StrangerFindings {
  const debits = [...strangers.debits];
  const paired = strangers.orders.map((order) => ({ ...order, debit: takeDebitOf(order.row, debits) }));
  const isOld = ({ known, row }: StrangerOrder): boolean =>
    known === undefined ? isBefore(row.timestampMs, ours) : known.as === 'baseline';
  const adopted = paired.filter(({ known }) => known?.as === 'adopted');
  const fresh = paired.filter((order) => order.known === undefined && !isOld(order));
  const putAside = new Set(ours.transactions.filter(({ as }) => as === 'baseline').map(({ transactionId }) => transactionId));
  const alone = debits.filter((row) => !putAside.has(row.transactionId) && !isBefore(row.timestampMs, ours));
  const money = moneyOf(ours, theirs, strangers);
  return {
    differences: [...fresh.flatMap((order) => unexplainedOrder(order, strangers.refunds)), ...alone.map(unexplainedDebit)],
    others: {
      baseline: paired.filter(isOld).length,
      adopted: adopted.map(({ row, debit }) => ({
        orderId: row.orderId,
        name: row.itemName ?? row.itemId ?? '',
        amount: debit?.amount ?? row.amount,
        status: row.statusCode,
      })),
    },
    ...money,
  };
}

/** The booking of an order, taken out of those that are left. An order may show its price without the fee. */
function takeDebitOf(order: OrderRow, debits: TransactionRow[]): TransactionRow | undefined {
  const at = debits.findIndex((row) => {
    if (!isAlike(row, order)) return false;
    return sameToTheCent(row.amount, order.amount) || (row.price !== undefined && sameToTheCent(row.price, order.amount));
  });
  return at === -1 ? undefined : debits.splice(at, 1)[0];
}

function isAlike(row: TransactionRow, order: OrderRow): boolean {
  if (row.itemId !== undefined && row.itemId === order.itemId) return true;
  return row.itemName !== undefined && order.itemName !== undefined && foldCase(row.itemName) === foldCase(order.itemName);
}

/** From before our time, which began with the first look at the orders. */
function isBefore(at: EpochMs | undefined, { baselineAt }: OurBooks): boolean {
  return baselineAt === undefined || (at !== undefined && at < baselineAt);
}

function unexplainedOrder(
  { row, debit }: { readonly row: OrderRow; readonly debit: TransactionRow | undefined },
  refunds: readonly TransactionRow[],
): Difference[] {
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

/** Transactions say what moved; without them the orders of others have to stand for it. */
function moneyOf(
  ours: OurBooks,
  theirs: TheirBooks,
  { orders, debits, refunds }: Attribution['strangers'],
): Pick<StrangerFindings, 'spent' | 'uncertain'> {
  const { firstBalance } = ours;
  if (firstBalance === undefined) return { spent: ZERO, uncertain: [] };
  const byTransactions = theirs.transactions.ok && theirs.transactions.whole;
  const gone = byTransactions ? debits : orders.filter(({ known }) => known?.as !== 'baseline').map(({ row }) => row);
  const back = byTransactions ? refunds : [];
  const moves = [
    ...gone.map(({ amount, timestampMs }) => ({ change: subtract(ZERO, amount), at: timestampMs })),
    ...back.map(({ amount, timestampMs }) => ({ change: amount, at: timestampMs })),
  ];
  const since = moves.filter(({ at }) => isAfter(at, firstBalance.beganAt) === 'yes').map(({ change }) => change);
  const late = ours.orders.filter((order) => order.as === 'adopted' && isUnseen(order.orderId, order.firstSeen, theirs));
  return {
    spent: subtract(ZERO, sum(since)),
    uncertain: [
      ...moves.filter(({ at }) => isAfter(at, firstBalance.beganAt) === 'perhaps').map(({ change }) => change),
      ...late.map(({ amount }) => subtract(ZERO, amount)),
    ],
  };
}

/** Adopted by a look after the lists were asked for: they cannot show it yet. */
function isUnseen(orderId: string, firstSeen: EpochMs, { orders }: TheirBooks): boolean {
  return orders.ok && firstSeen >= orders.beganAt && !orders.rows.some((row) => row.orderId === orderId);
}
