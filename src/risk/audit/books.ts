import type { EpochMs } from '../../domain/clock.ts';
import type { Micros } from '../../domain/money.ts';
import type { Purchase } from '../../domain/purchase.ts';
import type { BalanceReading } from '../../domain/readings.ts';

/** A row of the service's orders, read. */
export interface OrderRow {
  readonly orderId: string;
  /** 16-hex item id, numeric listing id, or whatever the service shows. */
  readonly itemId: string | undefined;
  readonly itemName: string | undefined;
  readonly amount: Micros;
  readonly currency: string | undefined;
  readonly statusCode: string;
  readonly timestampMs: EpochMs | undefined;
}

/** A row of the service's transactions, read. The amount is positive, whatever its sign on the wire. */
export interface TransactionRow {
  readonly transactionId: string;
  readonly itemId: string | undefined;
  readonly itemName: string | undefined;
  /** Wear of the item; compares as a 32-bit float. */
  readonly float: number | undefined;
  /** Without the fee. */
  readonly price: Micros | undefined;
  readonly amount: Micros;
  readonly type: string;
  readonly timestampMs: EpochMs | undefined;
}

/** A movement of the balance, as far as an entry of the service's ledger lets itself be read. */
export interface Movement {
  /** Added to the balance: negative for a debit. */
  readonly change: Micros;
  readonly at: EpochMs;
}

/** What a list of the service came to. */
export type Shown<T> =
  | {
      readonly ok: true;
      /** When the first question left. */
      readonly beganAt: EpochMs;
      /** Each row once. */
      readonly rows: readonly T[];
      /** Every row that the service says there is was read. */
      readonly whole: boolean;
      /** Why rows that the service shows were not read; undefined where all were, and then it is the service that shows no more. */
      readonly unread?: string | undefined;
    }
  | {
      readonly ok: false;
      readonly why: string;
      /** It was read, and has a form that nobody has documented: asking again changes nothing. */
      readonly odd?: true;
    };

/** Everything that the service still shows of the account. */
export interface TheirBooks {
  readonly orders: Shown<OrderRow>;
  readonly transactions: Shown<TransactionRow>;
  /** Entries that cannot be read make it fail: a sum with holes explains nothing. */
  readonly movements: Shown<Movement>;
  readonly balance: BalanceShown;
}

/** The balance; no reading where it could not be read, or where our rows moved all the time. */
export type BalanceShown = { readonly ok: true; readonly reading: BalanceReading } | { readonly ok: false; readonly why: string };

/** An order of the account that the ledger knows. */
export interface OurOrder {
  readonly orderId: string;
  readonly as: 'ours' | 'baseline' | 'adopted';
  readonly purchaseId: number | undefined;
  /** What an adopted one counts in the caps. */
  readonly amount: Micros;
  readonly firstSeen: EpochMs;
}

/** What a transaction has served as. */
export interface OurTransaction {
  readonly transactionId: string;
  readonly as: 'bought' | 'paid' | 'refund' | 'baseline';
  readonly purchaseId: number | undefined;
}

/** What our own rows say, of one moment that is not before any list of the service. */
export interface OurBooks {
  readonly readAt: EpochMs;
  /** Of the live lane. */
  readonly purchases: readonly Purchase[];
  readonly orders: readonly OurOrder[];
  readonly transactions: readonly OurTransaction[];
  /** When the first look at the orders was: what the account had ordered before is no business of ours. */
  readonly baselineAt: EpochMs | undefined;
  /** The first reading of the balance there ever was. */
  readonly firstBalance: BalanceReading | undefined;
}
