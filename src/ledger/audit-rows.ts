import type { EpochMs } from '../domain/clock.ts';
import type { Micros } from '../domain/money.ts';
import type { BalanceReading } from '../domain/readings.ts';
import type { OurOrder, OurTransaction } from '../risk/audit/books.ts';
import type { Meta } from './meta.ts';
import type { Store } from './store.ts';

/** What an audit asks of the ledger beside the purchases themselves. */
export interface AuditQueries {
  /** Every order that was ever seen, under every id it has. */
  ordersSeen(): readonly OurOrder[];
  /** Every transaction that has served as evidence, or was put aside as nobody's. */
  transactionsUsed(): readonly OurTransaction[];
  /** When the first look at the account's orders was; undefined before it. */
  baselineAt(): EpochMs | undefined;
  /** The first reading of the balance; it is kept when the others are forgotten. */
  firstBalance(): BalanceReading | undefined;
}

interface OrderColumns {
  readonly order_id: string;
  readonly known_as: OurOrder['as'];
  readonly purchase_id: number | null;
  readonly amount: Micros;
  readonly first_seen: EpochMs;
}

interface TransactionColumns {
  readonly transaction_id: string;
  readonly used_as: OurTransaction['as'];
  readonly purchase_id: number | null;
}

export function createAuditQueries(store: Store, meta: Meta): AuditQueries {
  const orders = store.reading<[], OrderColumns>('SELECT order_id, known_as, purchase_id, amount, first_seen FROM orders');
  const transactions = store.reading<[], TransactionColumns>(
    'SELECT transaction_id, used_as, purchase_id FROM transactions_used',
  );
  const first = store.reading<[], { amount: Micros; began_at: EpochMs; ended_at: EpochMs }>(
    'SELECT amount, began_at, ended_at FROM balances ORDER BY seq LIMIT 1',
  );
  return {
    ordersSeen: () =>
      orders.all().map((row) => ({
        orderId: row.order_id,
        as: row.known_as,
        purchaseId: row.purchase_id ?? undefined,
        amount: row.amount,
        firstSeen: row.first_seen,
      })),
    transactionsUsed: () =>
      transactions.all().map((row) => ({
        transactionId: row.transaction_id,
        as: row.used_as,
        purchaseId: row.purchase_id ?? undefined,
      })),
    baselineAt: () => meta.number('baselineAt'),
    firstBalance() {
      const row = first.get();
      return row && { amount: row.amount, beganAt: row.began_at, endedAt: row.ended_at };
    },
  };
}
