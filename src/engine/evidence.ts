import type { Alert } from '../domain/alert.ts';
import type { EpochMs } from '../domain/clock.ts';
import type { ListingKey } from '../domain/listing.ts';
import type { Micros } from '../domain/money.ts';
import type { Purchase } from '../domain/purchase.ts';
import type { BalanceReading } from '../domain/readings.ts';

/** One row of the service's orders, read. Amounts in micro-dollars (rounded up), times in epoch milliseconds. */
export interface OrderSeen {
  readonly orderId: string;
  /** 16-hex item id, numeric listing id, or whatever the service shows. */
  readonly itemId: string | undefined;
  readonly itemName: string | undefined;
  readonly amount: Micros;
  readonly currency: string | undefined;
  readonly statusCode: string;
  readonly statusLabel: string | undefined;
  /** Seconds or milliseconds on the wire; never used to match. */
  readonly timestampMs: EpochMs | undefined;
  readonly settlementAt: EpochMs | undefined;
  readonly cancelReason: string | undefined;
}

/** One row of the service's transactions, read. */
export interface TransactionSeen {
  readonly transactionId: string;
  readonly itemId: string | undefined;
  readonly itemName: string | undefined;
  /** Wear of the item, a strong fingerprint; compares as a 32-bit float. */
  readonly float: number | undefined;
  readonly price: Micros | undefined;
  /** As a positive amount, whatever its sign on the wire. */
  readonly amount: Micros;
  readonly type: string;
  readonly status: string | undefined;
  readonly timestampMs: EpochMs | undefined;
}

/** An order that the ledger knows: ours, from before the first start, or made by somebody else. */
export interface KnownOrder {
  readonly seq: number;
  readonly orderId: string;
  readonly as: 'ours' | 'baseline' | 'adopted';
  readonly purchaseId: number | undefined;
  readonly amount: Micros;
  readonly statusCode: string;
}

/** How far the proof that an unknown or refused purchase was never bought has come. Kept with the purchase. */
export interface Proof {
  /** Complete looks that began after the outcome and showed no such order. */
  readonly completeLooks: number;
  /** When the first of those began. */
  readonly firstLookAt: EpochMs | undefined;
  /** When the last look of any kind began: quiet time is counted from it. */
  readonly lastLookAt: EpochMs | undefined;
  /** Milliseconds of healthy market counted so far. */
  readonly healthyMs: number;
  /** When the listing was last seen still standing at the same price; undefined when never, or gone since. */
  readonly standingAt: EpochMs | undefined;
  /** When the balance last proved unchanged by it; undefined when it has not. */
  readonly balanceUnchangedAt: EpochMs | undefined;
  /** Orders that a look has shown and that could be its own, by id: one that nobody else has explained must not merely vanish. */
  readonly mayBeIts: readonly string[];
}

export const noProof: Proof = {
  completeLooks: 0,
  firstLookAt: undefined,
  lastLookAt: undefined,
  healthyMs: 0,
  standingAt: undefined,
  balanceUnchangedAt: undefined,
  mayBeIts: [],
};

/** One round of questions to the service. What could not be asked or read is undefined. */
export interface Look {
  /** When the first question left. */
  readonly beganAt: EpochMs;
  readonly endedAt: EpochMs;
  readonly orders:
    | {
        readonly beganAt: EpochMs;
        readonly total: number | undefined;
        readonly returned: number | undefined;
        readonly rows: readonly OrderSeen[];
        /** Rows that could not be read: with any, the look is not complete. */
        readonly unreadable: number;
      }
    | undefined;
  readonly transactions:
    | {
        readonly beganAt: EpochMs;
        readonly total: number | undefined;
        readonly rows: readonly TransactionSeen[];
        readonly unreadable: number;
      }
    | undefined;
  readonly balance: BalanceReading | undefined;
  /** What listing-detail said of the listings that were asked about. */
  readonly listings: ReadonlyMap<ListingKey, 'standing' | 'repriced' | 'gone'>;
  /** Markets that were healthy from the last look to this one: only then may quiet time count. */
  readonly healthyMarkets: ReadonlySet<string>;
  /** No key may read health: the quiet time counts at a quarter. */
  readonly healthUnreadable: boolean;
}

/** What the ledger knows that a look must be held against. */
export interface Known {
  /**
   * Every live purchase that evidence may still change: intended, unknown, bought, completed and refunded (ten days), rejected
   * (held; for ten minutes after a refusal; for ten days when it was unknown once).
   */
  readonly purchases: readonly Purchase[];
  readonly proofs: ReadonlyMap<number, Proof>;
  /** Known orders among the rows of this look, by order id. */
  readonly orders: ReadonlyMap<string, KnownOrder>;
  /** How many orders are known in all (ours, baseline and adopted). */
  readonly orderCount: number;
  /** Sequence of the newest known order. */
  readonly orderSeq: number;
  /** How many of them are ours, each once (an order may be known by two ids). */
  readonly ownCount: number;
  /** When the first look at this account's orders was; undefined before it. */
  readonly baselineAt: EpochMs | undefined;
  /** When the first look at its transactions was; undefined before it. */
  readonly transactionsBaselineAt: EpochMs | undefined;
  /** By purchase: the id of the row in which the service's list has shown its order. An order known from an answer alone is not listed. */
  readonly listed: ReadonlyMap<number, string>;
  /** Purchases whose debit a transaction has shown (a `bought` or `paid` finding named it), each with the service's own date of it. */
  readonly booked: ReadonlyMap<number, EpochMs | undefined>;
  /** By purchase: what came back for it, one by one. */
  readonly refunds: ReadonlyMap<number, readonly RefundKnown[]>;
  /** Transactions among the rows of this look that were used as evidence (or are baseline) already, by id. */
  readonly usedTransactions: ReadonlySet<string>;
  /** The newest reading before this look's. */
  readonly previousBalance: BalanceReading | undefined;
  /**
   * By purchase of unknown outcome: what the balance should be now if that purchase was not debited. A reading from before it was
   * written, minus what other purchases were found bought and orders adopted since, plus what came back since. Missing when every
   * reading before it overlaps with something of which nobody can say on which side it lies.
   */
  readonly expectedBalances: ReadonlyMap<number, Micros>;
  /** Alerts that were given already, each as `kind:purchaseId`. */
  readonly alerted: ReadonlySet<string>;
}

/** Money that a transaction has shown coming back. */
export interface RefundKnown {
  readonly amount: Micros;
  /** The service's own date of it; undefined where it gave none that can be believed. */
  readonly bookedAt?: EpochMs | undefined;
}

/** One thing that a look has shown. The ledger applies all findings of a look in one transaction. */
export type Finding =
  | {
      /**
       * A list of orders could be read. The first one sets `baselineAt`, also for an account without any order. `baseTotal` is
       * how many orders the service's total counts besides ours: kept as the `baseTotal` of later intents.
       * Undefined when this look cannot say: the last one stays.
       */
      readonly kind: 'look';
      readonly beganAt: EpochMs;
      readonly baseTotal: number | undefined;
    }
  | {
      /** The transactions could be read. The first one sets `transactionsBaselineAt`. */ readonly kind: 'transactions-look';
      readonly beganAt: EpochMs;
    }
  | {
      /**
       * A row of the list, shown for the first time. `ours`: the list shows that purchase's order under this id, which may be another
       * than the answer to the buy named (then the purchase owns both).
       */
      readonly kind: 'order';
      readonly order: OrderSeen;
      readonly as: 'ours' | 'baseline' | 'adopted';
      readonly purchaseId: number | undefined;
    }
  | {
      /** An unknown, intended or refused purchase was bought. */
      readonly kind: 'bought';
      readonly purchaseId: number;
      readonly order: OrderSeen | undefined;
      readonly transactionId: string | undefined;
      /** The service's own date of that. */
      readonly bookedAt?: EpochMs | undefined;
      /** What was really debited, when the evidence says it. */
      readonly paid: Micros | undefined;
      readonly note: string;
    }
  | {
      /** Newest status of the order of a bought purchase. */ readonly kind: 'status';
      readonly purchaseId: number;
      readonly order: OrderSeen;
    }
  | {
      readonly kind: 'paid';
      readonly purchaseId: number;
      readonly paid: Micros;
      readonly transactionId: string | undefined;
      /** The service's own date of that. */
      readonly bookedAt?: EpochMs | undefined;
      readonly note: string;
    }
  | { readonly kind: 'completed'; readonly purchaseId: number; readonly order: OrderSeen }
  | {
      /** This much more came back. */ readonly kind: 'refund';
      readonly purchaseId: number;
      readonly amount: Micros;
      readonly transactionId: string;
      /** The service's own date of it; undefined where its dates have proved untrue. */
      readonly bookedAt?: EpochMs | undefined;
      readonly note: string;
    }
  | {
      /** Two orders belong the other way round: each of the two purchases has what was taken for the other's. */
      readonly kind: 'exchanged';
      readonly purchaseId: number;
      readonly withId: number;
      readonly note: string;
    }
  | {
      /** The looks that free the money of a refusal are done. */ readonly kind: 'refusal-confirmed';
      readonly purchaseId: number;
      readonly note: string;
    }
  | { /** Proved never bought. */ readonly kind: 'not-bought'; readonly purchaseId: number; readonly note: string }
  | { readonly kind: 'proof'; readonly purchaseId: number; readonly proof: Proof }
  | { /** It is nobody's evidence, now or later. */ readonly kind: 'baseline-transaction'; readonly transactionId: string }
  | { readonly kind: 'alert'; readonly alert: Alert }
  | { /** Buying must stop until a person resumes. */ readonly kind: 'halt'; readonly reason: string };
