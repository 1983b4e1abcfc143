import type { Journal } from '../engine/journal.ts';
import type { BalanceQueries } from './balances.ts';
import { createExpectedBalances } from './expected-balances.ts';
import type { Meta } from './meta.ts';
import type { OrderBook } from './order-book.ts';
import type { Proofs } from './proofs.ts';
import type { Store } from './store.ts';
import type { TransactionsUsed } from './transactions-used.ts';
import { createWatched } from './watched.ts';

interface Parts {
  readonly orders: OrderBook;
  readonly transactions: TransactionsUsed;
  readonly proofs: Proofs;
  readonly meta: Meta;
  readonly balances: BalanceQueries;
}

/** What the ledger knows that a look at the service must be held against. */
export function createKnown(store: Store, parts: Parts): Pick<Journal, 'known' | 'waitedFor' | 'uncertain' | 'usedTransactions'> {
  const { uncertain, watched } = createWatched(store);
  const { expectedBalances } = createExpectedBalances(store);
  const alerted = store.reading<[string], { kind: string; purchase_id: number }>(
    'SELECT DISTINCT kind, purchase_id FROM alerts WHERE purchase_id IN (SELECT value FROM json_each(?))',
  );
  return {
    uncertain,
    usedTransactions: (ids) => parts.transactions.among(ids),
    waitedFor(now) {
      const purchases = watched(now);
      return { purchases, booked: parts.transactions.bookedOf(purchases.map(({ id }) => id)) };
    },
    known(orderIds, transactionIds, now) {
      const { orders, transactions, proofs, meta, balances } = parts;
      const purchases = watched(now);
      const ids = purchases.map(({ id }) => id);
      const { all: orderCount, own: ownCount } = orders.counts();
      let alertedOf: ReadonlySet<string> | undefined;
      return {
        purchases,
        proofs: proofs.of(ids),
        orders: orders.among(orderIds),
        orderCount,
        orderSeq: orders.newestSeq(),
        ownCount,
        baselineAt: meta.number('baselineAt'),
        transactionsBaselineAt: meta.number('transactionsBaselineAt'),
        listed: orders.listedOf(ids),
        booked: transactions.bookedOf(ids),
        refunds: transactions.refundsOf(ids),
        usedTransactions: transactions.among(transactionIds),
        previousBalance: balances.spendable(),
        expectedBalances: expectedBalances(),
        // Few looks have anything to tell that was perhaps told before.
        get alerted() {
          alertedOf ??= new Set(alerted.all(JSON.stringify(ids)).map((row) => `${row.kind}:${row.purchase_id}`));
          return alertedOf;
        },
      };
    },
  };
}
