import type { EpochMs } from '../domain/clock.ts';
import type { Purchase } from '../domain/purchase.ts';
import type { Journal } from '../engine/journal.ts';
import type { BalanceQueries } from './balances.ts';
import { createExpectedBalances } from './expected-balances.ts';
import type { Meta } from './meta.ts';
import type { OrderBook } from './order-book.ts';
import type { Proofs } from './proofs.ts';
import { PURCHASE_COLUMNS, type PurchaseRow, purchaseOf } from './purchase-row.ts';
import type { Store } from './store.ts';
import type { TransactionsUsed } from './transactions-used.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * How long evidence may still change a purchase, in milliseconds. A refusal is watched for ten minutes; what was unknown once, and
 * what is completed or returned, for ten days; a completed order besides that until a day after its trade protection of seven
 * days; a refund of which a part is missing, two months.
 */
const watchMs = {
  refused: 10 * MINUTE_MS,
  disproved: 10 * DAY_MS,
  completed: 10 * DAY_MS,
  afterSettlement: 8 * DAY_MS,
  refunded: 10 * DAY_MS,
  partlyRefunded: 60 * DAY_MS,
} as const;

interface Parts {
  readonly orders: OrderBook;
  readonly transactions: TransactionsUsed;
  readonly proofs: Proofs;
  readonly meta: Meta;
  readonly balances: BalanceQueries;
}

const WATCHED = `
  SELECT ${PURCHASE_COLUMNS} FROM purchases WHERE id IN (
    SELECT id FROM purchases WHERE lane = 'live' AND state IN ('intended', 'unknown', 'bought')
    UNION SELECT id FROM purchases WHERE held = 1
    UNION SELECT id FROM purchases WHERE lane = 'live' AND state = 'rejected' AND moved_at >= @disproved
      AND (was_unknown = 1 OR answered_at >= @refused)
    UNION SELECT id FROM purchases WHERE lane = 'live' AND state = 'completed' AND moved_at >= @completed
    UNION SELECT id FROM purchases WHERE state = 'completed' AND settlement_at >= @afterSettlement
    UNION SELECT id FROM purchases WHERE lane = 'live' AND state = 'refunded' AND moved_at >= @partlyRefunded
      AND (moved_at >= @refunded OR refunded < amount)
  ) ORDER BY id`;

const UNCERTAIN = `
  SELECT ${PURCHASE_COLUMNS} FROM purchases WHERE id IN (
    SELECT id FROM purchases WHERE lane = 'live' AND state IN ('intended', 'unknown', 'bought')
    UNION SELECT id FROM purchases WHERE held = 1
  ) ORDER BY id`;

/** What the ledger knows that a look at the service must be held against. */
export function createKnown(store: Store, parts: Parts): Pick<Journal, 'known' | 'uncertain' | 'usedTransactions'> {
  const uncertain = store.reading<[], PurchaseRow>(UNCERTAIN);
  const watched = store.reading<[Record<keyof typeof watchMs, EpochMs>], PurchaseRow>(WATCHED);
  const { expectedBalances } = createExpectedBalances(store);
  const alerted = store.reading<[string], { kind: string; purchase_id: number }>(
    'SELECT DISTINCT kind, purchase_id FROM alerts WHERE purchase_id IN (SELECT value FROM json_each(?))',
  );
  const purchasesAt = (now: EpochMs): Purchase[] => {
    const since = Object.fromEntries(Object.entries(watchMs).map(([name, ms]) => [name, now - ms]));
    return watched.all(since as Record<keyof typeof watchMs, EpochMs>).map(purchaseOf);
  };
  return {
    uncertain: () => uncertain.all().map(purchaseOf),
    usedTransactions: (ids) => parts.transactions.among(ids),
    known(orderIds, transactionIds, now) {
      const { orders, transactions, proofs, meta, balances } = parts;
      const purchases = purchasesAt(now);
      const ids = purchases.map(({ id }) => id);
      const { all: orderCount, own: ownCount } = orders.counts();
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
        usedTransactions: transactions.among(transactionIds),
        previousBalance: balances.balance(),
        expectedBalances: expectedBalances(),
        alerted: new Set(alerted.all(JSON.stringify(ids)).map((row) => `${row.kind}:${row.purchase_id}`)),
      };
    },
  };
}
