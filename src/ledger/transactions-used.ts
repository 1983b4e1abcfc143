import type { EpochMs } from '../domain/clock.ts';
import type { Micros } from '../domain/money.ts';
import type { RefundKnown } from '../engine/evidence.ts';
import type { Meta } from './meta.ts';
import type { Store } from './store.ts';

/** Which transactions have served as evidence: each settles one thing, once. */
export interface TransactionsUsed {
  /** Those of the given transactions that were used, or are baseline. */
  among(transactionIds: readonly string[]): ReadonlySet<string>;
  /** Of the given purchases, those whose debit a transaction has shown, each with the service's own date of it. */
  bookedOf(purchaseIds: readonly number[]): ReadonlyMap<number, EpochMs | undefined>;
  /** What came back for each of the given purchases, in the order in which it was seen. */
  refundsOf(purchaseIds: readonly number[]): ReadonlyMap<number, readonly RefundKnown[]>;
  /** Whether it can be marked as this purchase's debit. */
  mayBeDebit(transactionId: string, purchaseId: number): boolean;
  /** Marks it as a purchase's debit. False when it was used before, unless as the debit of the same purchase. Inside a transaction, as all below. */
  useAsDebit(debit: DebitUsed, now: EpochMs): boolean;
  /** Marks it as money that came back, booked by the service at `bookedAt`. False when it was used before, whatever for. */
  useAsRefund(refund: RefundUsed, now: EpochMs): boolean;
  /** Marks it as nobody's evidence, unless it is somebody's. */
  useAsBaseline(transactionId: string, now: EpochMs): void;
}

export interface DebitUsed {
  readonly transactionId: string;
  readonly as: 'bought' | 'paid';
  readonly purchaseId: number;
  readonly bookedAt: EpochMs | undefined;
}

export interface RefundUsed {
  readonly transactionId: string;
  readonly amount: Micros;
  readonly purchaseId: number;
  readonly bookedAt: EpochMs | undefined;
}

export function createTransactionsUsed(store: Store, meta: Meta): TransactionsUsed {
  const used = store.reading<[string, string], { purchase_id: number | null; used_as: string }>(
    'SELECT purchase_id, used_as FROM transactions_used WHERE account = ? AND transaction_id = ?',
  );
  const among = store.reading<[string, string], { transaction_id: string }>(
    'SELECT transaction_id FROM transactions_used WHERE account = ? AND transaction_id IN (SELECT value FROM json_each(?))',
  );
  const booked = store.reading<[string], { purchase_id: number; booked_at: EpochMs | null }>(
    "SELECT purchase_id, booked_at FROM transactions_used WHERE used_as IN ('bought', 'paid') AND purchase_id IN (SELECT value FROM json_each(?))",
  );
  const refunds = store.reading<[string], { purchase_id: number; amount: Micros; booked_at: EpochMs | null }>(
    `SELECT purchase_id, amount, booked_at FROM transactions_used
     WHERE used_as = 'refund' AND purchase_id IN (SELECT value FROM json_each(?)) ORDER BY after_seq, at`,
  );
  const insert = store.writing<[string, string, number | null, string, Micros | null, EpochMs | null, EpochMs]>(
    `INSERT INTO transactions_used (account, transaction_id, purchase_id, used_as, amount, booked_at, after_seq, at)
     VALUES (?, ?, ?, ?, ?, ?, (SELECT coalesce(max(seq), 0) FROM evidence), ?)`,
  );
  const account = (): string => meta.text('account') ?? '';
  const mayBeDebit = (transactionId: string, purchaseId: number): boolean => {
    const before = used.get(account(), transactionId);
    return before === undefined || (before.purchase_id === purchaseId && before.used_as !== 'refund');
  };
  return {
    among: (ids) => new Set(among.all(account(), JSON.stringify(ids)).map((row) => row.transaction_id)),
    bookedOf: (ids) => new Map(booked.all(JSON.stringify(ids)).map((row) => [row.purchase_id, row.booked_at ?? undefined])),
    refundsOf(ids) {
      const of = new Map<number, RefundKnown[]>();
      for (const { purchase_id: id, amount, booked_at: bookedAt } of refunds.all(JSON.stringify(ids)))
        of.set(id, [...(of.get(id) ?? []), { amount, bookedAt: bookedAt ?? undefined }]);
      return of;
    },
    mayBeDebit,
    useAsDebit({ transactionId, as, purchaseId, bookedAt }, now) {
      if (used.get(account(), transactionId)) return mayBeDebit(transactionId, purchaseId);
      insert(account(), transactionId, purchaseId, as, null, bookedAt ?? null, now);
      return true;
    },
    useAsRefund({ transactionId, amount, purchaseId, bookedAt }, now) {
      if (used.get(account(), transactionId)) return false;
      insert(account(), transactionId, purchaseId, 'refund', amount, bookedAt ?? null, now);
      return true;
    },
    useAsBaseline(transactionId, now) {
      if (!used.get(account(), transactionId)) insert(account(), transactionId, null, 'baseline', null, null, now);
    },
  };
}
