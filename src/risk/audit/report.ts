import type { EpochMs } from '../../domain/clock.ts';
import type { Micros } from '../../domain/money.ts';

interface Kind {
  /** What the two figures are, after the name of the thing. */
  readonly text: string;
  /** What to do about it. */
  readonly next: string;
}

const takeOver = '`magpie reconcile` takes over what the service shows (a daemon does so by itself); then audit again.';

/** What our rows and the service can differ in. */
export const auditKinds = {
  debit: { text: 'debited', next: `${takeOver} A debit above the price with fee halts buying: ask the service for the reason.` },
  'debit-missing': {
    text: 'debited: no transaction shows it',
    next: 'Look the order up at the service: it may not have been charged.',
  },
  'order-missing': { text: 'bought: no list of the service shows it', next: 'Ask the service what became of the order.' },
  'bought-after-all': { text: 'held for never bought, and the service shows it', next: takeOver },
  'order-unexplained': {
    text: 'an order that no purchase of ours explains',
    next: `${takeOver} It is then adopted and counts in the caps; if it is not yours, change the key.`,
  },
  'debit-unexplained': {
    text: 'a debit that no purchase or order explains',
    next: 'Look it up at the service; if it is not yours, change the key.',
  },
  refund: { text: 'came back', next: takeOver },
  'refund-due': {
    text: 'due back, since its order failed or was reverted',
    next: 'Nothing, if the refund shows up soon; else ask the service for it.',
  },
  balance: {
    text: 'balance',
    next: 'Look at deposits, withdrawals and fees of the account; if somebody else took money, change the key.',
  },
} as const satisfies Record<string, Kind>;

export type AuditKind = keyof typeof auditKinds;

/** One thing on which our rows and the service disagree. Plain values: a report travels as JSON. */
export interface Difference {
  readonly kind: AuditKind;
  readonly purchaseId: number | null;
  readonly orderId: string | null;
  readonly transactionId: string | null;
  /** The item; hostile text. */
  readonly name: string;
  readonly ours: Micros;
  readonly theirs: Micros;
  /** What it does to our money: below zero we have less than our rows say. */
  readonly difference: Micros;
}

/** How the balance follows from the first reading, by our rows and by what others moved. */
export interface BalanceStatement {
  readonly firstAt: EpochMs;
  readonly first: Micros;
  /** Our purchases, by our rows. */
  readonly spent: Micros;
  readonly cameBack: Micros;
  /** What others bought with the account since, less what came back to them, by the service's transactions. */
  readonly othersSpent: Micros;
  /** Deposits, withdrawals, fees: what the service's ledger shows beside purchases and refunds. Null: it cannot be read. */
  readonly otherMoves: Micros | null;
  readonly expected: Micros;
  readonly at: EpochMs;
  readonly now: Micros;
  /** What the differences of single purchases make of it. */
  readonly listed: Micros;
  /** What is left then. */
  readonly unexplained: Micros;
  /** The rest is what is not certain yet may come to: held money, debits and entries that may or may not be in the reading. */
  readonly mayBeUncertain: boolean;
}

/** Orders of others, apart from ours: nothing to compare, but good to know. */
export interface Others {
  readonly baseline: number;
  readonly adopted: readonly {
    readonly orderId: string;
    readonly name: string;
    readonly amount: Micros;
    readonly status: string;
  }[];
}

/** A part of what the service shows that could not be read: nothing was held against it, or not against all of it. */
export interface Unread {
  readonly part: 'orders' | 'transactions' | 'ledger' | 'balance';
  /** Some of it was read, and compared. */
  readonly partly: boolean;
  readonly why: string;
}

/** What to do about it. */
export const unreadNext =
  'Run `magpie audit` again; where it stays so, `magpie doctor` looks at the way to the service. Until then nobody knows whether it agrees.';

const partNames: Readonly<Record<Unread['part'], string>> = {
  orders: 'list of orders',
  transactions: 'list of transactions',
  ledger: 'ledger of the service',
  balance: 'balance',
};

export function unreadText({ part, partly, why }: Unread): string {
  return partly
    ? `The ${partNames[part]} could be read only in part (${why}): nothing is known about the rest of it.`
    : `The ${partNames[part]} could not be read (${why}): nothing is known about it, and nothing was held against it.`;
}

/** What was not compared is no agreement: nothing differs, and all could be read. */
export function agrees({ differences, unread }: Pick<AuditReport, 'differences' | 'unread'>): boolean {
  return differences.length === 0 && unread.length === 0;
}

/** The whole outcome of an audit. Amounts in micro-dollars; plain values, so that it travels as JSON. */
export interface AuditReport {
  readonly at: EpochMs;
  readonly compared: {
    readonly purchases: number;
    readonly orders: number;
    readonly transactions: number;
    readonly movements: number;
  };
  /** Largest first. */
  readonly differences: readonly Difference[];
  /** Differences beyond those listed. */
  readonly more: number;
  /** Of all of them together. */
  readonly total: Micros;
  readonly others: Others;
  readonly balance: BalanceStatement | null;
  /** What nobody can say yet: no difference, but not settled either. One sentence each. */
  readonly awaited: readonly string[];
  /** What could not be read though it may be: as long as there is any, the books were not compared. */
  readonly unread: readonly Unread[];
  /** Purchases that nothing shown could be held against: older than what the service still shows, or moving meanwhile. */
  readonly uncompared: number;
  /** What the service by its nature does not tell, and what is beside the figures. One sentence each. */
  readonly notes: readonly string[];
}
