import { formatDollars } from '../../../src/domain/money.ts';
import type { Purchase } from '../../../src/domain/purchase.ts';
import type { Finding, Known, KnownOrder, Look, OrderSeen, TransactionSeen } from '../../../src/engine/evidence.ts';
import { judge } from '../../../src/execution/evidence/judge.ts';
import type { EvidencePolicy } from '../../../src/execution/evidence/policy.ts';
import { NOON, dollars, purchase } from '../../support/values.ts';

export const policy: EvidencePolicy = { dedicated: false, stuckAfterMs: 3_600_000 };
export const dedicated: EvidencePolicy = { ...policy, dedicated: true };

export const second = 1_000;
export const minute = 60_000;

/** A purchase whose request was sent at noon and whose outcome was recorded a second later. */
export function sent(given: Partial<Purchase> = {}): Purchase {
  return purchase({
    state: 'unknown',
    wasUnknown: true,
    baseSeq: 5,
    baseTotal: 3,
    baseBalance: dollars(100),
    answeredAt: NOON + second,
    ...given,
  });
}

export function refused(given: Partial<Purchase> = {}): Purchase {
  return sent({ state: 'rejected', wasUnknown: false, held: true, refusalCause: 'gone', reason: 'SOLD: gone', ...given });
}

export function accepted(given: Partial<Purchase> = {}): Purchase {
  return sent({ state: 'bought', wasUnknown: false, serviceOrderId: 'S-1', orderStatus: 'SUCCESS', ...given });
}

/** A row of the service's orders that fits `sent()` by its item and price. */
export function order(given: Partial<OrderSeen> = {}): OrderSeen {
  return {
    orderId: 'O-1',
    itemId: '10807006fab895f4',
    itemName: 'AK-47 | Redline (Field-Tested)',
    amount: dollars(10.5),
    currency: 'USD',
    statusCode: 'PENDING',
    statusLabel: undefined,
    timestampMs: NOON + second,
    settlementAt: undefined,
    cancelReason: undefined,
    ...given,
  };
}

export function transaction(given: Partial<TransactionSeen> = {}): TransactionSeen {
  return {
    transactionId: 'T-1',
    itemId: '10807006fab895f4',
    itemName: 'AK-47 | Redline (Field-Tested)',
    float: 0.2,
    price: dollars(10),
    amount: dollars(10.5),
    type: 'purchase',
    status: 'completed',
    timestampMs: NOON + second,
    ...given,
  };
}

/** An own order, booked with its wear: where it is seen with its debit, it has taught that dates and floats are true. */
export const own = accepted({ id: 9, listingId: '800000009', itemId: '00000000000000aa', marketHashName: 'P90 | Sand Spray' });
export const ownOrder = order({ orderId: 'S-1', itemId: '00000000000000aa', itemName: 'P90 | Sand Spray' });
export const ownDebit = transaction({ transactionId: 'T-9', itemId: '00000000000000aa', itemName: 'P90 | Sand Spray' });

/** Three orders from before the first start. */
export const oldOrders: readonly OrderSeen[] = ['B-1', 'B-2', 'B-3'].map((orderId, index) =>
  order({
    orderId,
    itemId: `00000000000000b${index}`,
    itemName: 'P250 | Sand Dune',
    statusCode: 'COMPLETED',
    timestampMs: NOON - 9e8 + index,
  }),
);

interface LookGiven {
  readonly at?: number;
  readonly rows?: readonly OrderSeen[];
  /** All rows are returned unless this says otherwise. */
  readonly total?: number | undefined;
  readonly returned?: number | undefined;
  readonly unreadable?: number;
  /** 'down': the list could not be had. */
  readonly orders?: 'down';
  readonly transactions?: readonly TransactionSeen[] | 'down';
  readonly balance?: number;
  readonly listings?: Look['listings'];
  readonly healthy?: boolean;
  readonly healthUnreadable?: boolean;
}

/** A look a minute and two seconds after the request unless told otherwise; lists are whole, the old orders come first. */
export function look(given: LookGiven = {}): Look {
  const beganAt = given.at ?? NOON + minute + 2 * second;
  const rows = given.rows ?? oldOrders;
  const booked = given.transactions ?? [];
  return {
    beganAt,
    endedAt: beganAt + 100,
    orders:
      given.orders === 'down'
        ? undefined
        : {
            beganAt,
            total: 'total' in given ? given.total : rows.length,
            returned: 'returned' in given ? given.returned : rows.length,
            rows,
            unreadable: given.unreadable ?? 0,
          },
    transactions: booked === 'down' ? undefined : { beganAt, total: booked.length, rows: booked, unreadable: 0 },
    balance: given.balance === undefined ? undefined : { amount: dollars(given.balance), beganAt, endedAt: beganAt + 50 },
    listings: given.listings ?? new Map(),
    healthyMarkets: given.healthy === false ? new Set() : new Set(['c5game']),
    healthUnreadable: given.healthUnreadable ?? false,
  };
}

/** What the ledger knows besides the three old orders. */
export function known(given: Partial<Known> & { readonly purchases?: readonly Purchase[] } = {}): Known {
  const orders = new Map<string, KnownOrder>(
    oldOrders.map((row, index) => [row.orderId, knownOrder(row, index + 1, 'baseline')]),
  );
  return {
    purchases: [],
    proofs: new Map(),
    orderCount: 3,
    orderSeq: 5,
    ownCount: 0,
    baselineAt: NOON - 3_600_000,
    transactionsBaselineAt: NOON - 3_600_000,
    listed: new Map(),
    booked: new Map(),
    refunds: new Map(),
    usedTransactions: new Set(),
    previousBalance: { amount: dollars(100), beganAt: NOON - minute, endedAt: NOON - minute + 50 },
    expectedBalances: new Map(),
    alerted: new Set(),
    ...given,
    orders: new Map([...orders, ...(given.orders ?? [])]),
  };
}

export function knownOrder(row: OrderSeen, seq: number, as: KnownOrder['as'], purchaseId?: number): KnownOrder {
  return { seq, orderId: row.orderId, as, purchaseId, amount: row.amount, statusCode: row.statusCode };
}

/** What a look comes to, each finding in a line; looks, proofs and what is still unknown left out. */
export function verdicts(at: Look, what: Known, by: EvidencePolicy = policy): string[] {
  return judge(at, what, at.endedAt, by).flatMap(inWords);
}

/** A finding in a line; none for looks, proofs and what is still unknown. */
export function inWords(finding: Finding): string[] {
  switch (finding.kind) {
    case 'look':
    case 'transactions-look':
    case 'proof':
      return [];
    case 'order':
      return [`${finding.order.orderId} is ${finding.as}${finding.purchaseId === undefined ? '' : ` (${finding.purchaseId})`}`];
    case 'bought': {
      const by = [finding.order?.orderId, finding.transactionId].filter((id) => id !== undefined).join(' and ');
      return [
        `${finding.purchaseId} was bought by ${by}${finding.paid === undefined ? '' : ` for ${formatDollars(finding.paid)}`}`,
      ];
    }
    case 'status':
      return [`${finding.purchaseId} has status ${finding.order.statusCode}`];
    case 'completed':
      return [`${finding.purchaseId} is completed`];
    case 'paid':
      return [
        `${finding.purchaseId} cost ${formatDollars(finding.paid)}${finding.transactionId === undefined ? '' : ` by ${finding.transactionId}`}`,
      ];
    case 'refund':
      return [`${finding.purchaseId} gets ${formatDollars(finding.amount)} back by ${finding.transactionId}`];
    case 'exchanged':
      return [`${finding.purchaseId} and ${finding.withId} exchange orders`];
    case 'refusal-confirmed':
      return [`${finding.purchaseId} is confirmed refused`];
    case 'not-bought':
      return [`${finding.purchaseId} was not bought`];
    case 'baseline-transaction':
      return [`${finding.transactionId} is nobody's`];
    case 'alert':
      if (finding.alert.kind === 'unknown') return [];
      return [`alert ${finding.alert.kind}${finding.alert.purchaseId === undefined ? '' : ` (${finding.alert.purchaseId})`}`];
    case 'halt':
      return ['halt'];
  }
}
