import type { EpochMs } from '../domain/clock.ts';
import { type Micros, add, micros } from '../domain/money.ts';
import { type Purchase, committedAmount, mayMove } from '../domain/purchase.ts';
import type { Finding, OrderSeen } from '../engine/evidence.ts';
import type { Journal } from '../engine/journal.ts';
import type { AlertWriter } from './alerts.ts';
import type { HaltWriter } from './halts.ts';
import type { Meta } from './meta.ts';
import type { Change, Evidence, Moves } from './moves.ts';
import type { OrderBook } from './order-book.ts';
import type { Proofs } from './proofs.ts';
import type { Store } from './store.ts';
import type { TransactionsUsed } from './transactions-used.ts';

interface Parts {
  readonly moves: Moves;
  readonly orders: OrderBook;
  readonly transactions: TransactionsUsed;
  readonly proofs: Proofs;
  readonly meta: Meta;
  readonly halts: HaltWriter;
  readonly alerts: AlertWriter;
}

/** Who halts when evidence does. */
const BY_EVIDENCE = 'evidence';

type Of<K extends Finding['kind']> = Extract<Finding, { kind: K }>;

/** What one finding made of its purchase, or of two; undefined when it changed none. */
type Effect = Purchase | readonly Purchase[] | undefined;

/**
 * Everything one look has shown, in one transaction. A finding that no longer fits (an answer or a person was faster, or its
 * evidence has served another purchase) is kept as a contradiction and changes nothing; the others still count.
 */
export function createFindings(store: Store, parts: Parts): Pick<Journal, 'apply'> {
  return {
    apply: (findings, now) =>
      store.transaction('apply', () => {
        const changed = new Map<number, Purchase>();
        for (const finding of findings) {
          for (const purchase of [applyOne(parts, finding, now) ?? []].flat()) changed.set(purchase.id, purchase);
        }
        return [...changed.values()];
      }),
  };
}

function applyOne(parts: Parts, finding: Finding, now: EpochMs): Effect {
  switch (finding.kind) {
    case 'look':
      return looked(parts, finding);
    case 'transactions-look':
      return setOnce(parts.meta, 'transactionsBaselineAt', finding.beganAt);
    case 'order':
      return order(parts, finding, now);
    case 'bought':
      return bought(parts, finding, now);
    case 'status':
      return status(parts, finding, now);
    case 'paid':
      return paid(parts, finding, now);
    case 'completed':
      return completed(parts, finding, now);
    case 'refund':
      return refund(parts, finding, now);
    case 'exchanged':
      return exchanged(parts, finding, now);
    case 'refusal-confirmed':
      return confirmed(parts, finding, now);
    case 'not-bought':
      return notBought(parts, finding, now);
    case 'proof':
      parts.proofs.keep(finding.purchaseId, finding.proof);
      return undefined;
    case 'baseline-transaction':
      parts.transactions.useAsBaseline(finding.transactionId, now);
      return undefined;
    case 'alert':
      parts.alerts.write(finding.alert);
      return undefined;
    case 'halt':
      parts.halts.write(finding.reason, BY_EVIDENCE, now);
      return undefined;
  }
}

/** What the total counts besides ours is kept for later intents, unless this look could not say it. */
function looked({ meta }: Parts, { beganAt, baseTotal }: Of<'look'>): undefined {
  setOnce(meta, 'baselineAt', beganAt);
  if (baseTotal !== undefined && Number.isSafeInteger(baseTotal)) meta.set('baseTotal', baseTotal);
}

function setOnce(meta: Meta, key: 'baselineAt' | 'transactionsBaselineAt', at: EpochMs): undefined {
  if (meta.number(key) === undefined) meta.set(key, at);
}

function contradiction(parts: Parts, purchase: Purchase, finding: Finding, note: string, now: EpochMs): undefined {
  parts.moves.note(purchase, { kind: 'contradiction', note, json: finding }, now);
}

function evidenceOf(finding: Finding, note?: string): Evidence {
  return { kind: finding.kind, note, json: finding };
}

/** What an order row says of the purchase that owns it. A refund or completion that was seen is not undone by an older row. */
function orderChange(purchase: Purchase, row: OrderSeen): Change {
  return {
    serviceOrderId: purchase.serviceOrderId ?? row.orderId,
    orderStatus: row.statusCode,
    settlementAt: row.settlementAt ?? purchase.settlementAt,
  };
}

function order(parts: Parts, finding: Of<'order'>, now: EpochMs): Effect {
  const { orders, moves } = parts;
  if (finding.as === 'ours' && finding.purchaseId !== undefined) {
    const purchase = moves.mustFind(finding.purchaseId);
    // What makes it bought claims the order by itself. Before, one that counted as somebody else's would count in nothing any more.
    if (!isSettled(purchase)) return undefined;
    if (!orders.claim(finding.order, purchase.id, 'list', now))
      return contradiction(parts, purchase, finding, 'the order belongs elsewhere', now);
    orders.refresh(finding.order, now);
    return undefined;
  }
  if (orders.find(finding.order.orderId)) orders.refresh(finding.order, now);
  else orders.add(finding.order, finding.as === 'baseline' ? 'baseline' : 'adopted', now);
  return undefined;
}

function bought(parts: Parts, finding: Of<'bought'>, now: EpochMs): Effect {
  const { moves, orders, transactions } = parts;
  const before = moves.mustFind(finding.purchaseId);
  const settled = isSettled(before);
  if (!settled && !mayMove(before.state, 'bought')) return contradiction(parts, before, finding, `it is ${before.state}`, now);
  // First, since an order that is claimed counts no more as somebody else's: where the purchase stays as it is, nothing would count it.
  if (finding.transactionId !== undefined && !transactions.mayBeDebit(finding.transactionId, before.id)) {
    return contradiction(parts, before, finding, 'the transaction was used before', now);
  }
  if (finding.order && !orders.claim(finding.order, before.id, 'list', now)) {
    return contradiction(parts, before, finding, 'the order belongs elsewhere', now);
  }
  useAsDebit('bought', parts, finding, now);
  if (finding.order) orders.refresh(finding.order, now);
  const change: Change = {
    ...(finding.order && orderChange(before, finding.order)),
    ...(finding.paid !== undefined && paidChange(before, finding.paid)),
    ...(!settled && { state: 'bought', held: false, reason: finding.note }),
  };
  return moves.change(before, change, evidenceOf(finding, finding.note), now);
}

function isSettled({ state }: Purchase): boolean {
  return state === 'bought' || state === 'completed' || state === 'refunded';
}

/** The transaction of a finding serves as the debit of its purchase, once; one without is no matter. */
function useAsDebit(as: 'bought' | 'paid', { transactions }: Parts, finding: Of<'bought' | 'paid'>, now: EpochMs): boolean {
  const { transactionId, purchaseId, bookedAt } = finding;
  return transactionId === undefined || transactions.useAsDebit({ transactionId, as, purchaseId, bookedAt }, now);
}

function status(parts: Parts, finding: Of<'status'>, now: EpochMs): Effect {
  const before = parts.moves.mustFind(finding.purchaseId);
  if (!ownsOrder(parts, before, finding.order, now))
    return contradiction(parts, before, finding, 'the order belongs elsewhere', now);
  const change = orderChange(before, finding.order);
  if (change.orderStatus === before.orderStatus && change.settlementAt === before.settlementAt) return undefined;
  return parts.moves.change(before, change, evidenceOf(finding), now);
}

function completed(parts: Parts, finding: Of<'completed'>, now: EpochMs): Effect {
  const before = parts.moves.mustFind(finding.purchaseId);
  if (!ownsOrder(parts, before, finding.order, now))
    return contradiction(parts, before, finding, 'the order belongs elsewhere', now);
  const change = orderChange(before, finding.order);
  if (mayMove(before.state, 'completed')) {
    return parts.moves.change(before, { ...change, state: 'completed', completedAt: now }, evidenceOf(finding), now);
  }
  return parts.moves.change(before, change, evidenceOf(finding, `it was ${before.state} already`), now);
}

/** Only a purchase that is known to be bought can own an order; one that has none yet (by a person's word) gets this one. */
function ownsOrder({ orders }: Parts, purchase: Purchase, row: OrderSeen, now: EpochMs): boolean {
  if (!isSettled(purchase)) return false;
  if (!orders.claim(row, purchase.id, 'list', now)) return false;
  orders.refresh(row, now);
  return true;
}

function paidChange(purchase: Purchase, amount: Micros): Change {
  return { paid: amount, refunded: micros(Math.min(purchase.refunded, amount)) };
}

function paid(parts: Parts, finding: Of<'paid'>, now: EpochMs): Effect {
  const before = parts.moves.mustFind(finding.purchaseId);
  if (!isSettled(before)) {
    return contradiction(parts, before, finding, `it is ${before.state}`, now);
  }
  if (!useAsDebit('paid', parts, finding, now)) {
    return contradiction(parts, before, finding, 'the transaction was used before', now);
  }
  return parts.moves.change(before, paidChange(before, finding.paid), evidenceOf(finding, finding.note), now);
}

/** Money that came back counts once, by its transaction, and never as more than was paid. */
function refund(parts: Parts, finding: Of<'refund'>, now: EpochMs): Effect {
  const before = parts.moves.mustFind(finding.purchaseId);
  if (before.state !== 'refunded' && !mayMove(before.state, 'refunded')) {
    return contradiction(parts, before, finding, `it is ${before.state}`, now);
  }
  const { transactionId, amount, bookedAt } = finding;
  if (!parts.transactions.useAsRefund({ transactionId, amount, purchaseId: before.id, bookedAt }, now)) {
    return contradiction(parts, before, finding, 'the transaction was used before', now);
  }
  const refunded = micros(Math.min(committedAmount(before), add(before.refunded, amount)));
  return parts.moves.change(
    before,
    { state: 'refunded', refunded, reason: finding.note },
    evidenceOf(finding, finding.note),
    now,
  );
}

/** Each gets the other's order; what a purchase is, and its money, stays. */
function exchanged(parts: Parts, finding: Of<'exchanged'>, now: EpochMs): Effect {
  const { moves, orders } = parts;
  const [one, other] = [moves.mustFind(finding.purchaseId), moves.mustFind(finding.withId)];
  if (!isSettled(one) || !isSettled(other)) return contradiction(parts, one, finding, 'one of them is not bought', now);
  if (!orders.exchange(one.id, other.id)) return contradiction(parts, one, finding, 'they do not have an order each', now);
  const evidence = evidenceOf(finding, finding.note);
  // An order is one purchase's at any time.
  const freed = moves.change(one, { serviceOrderId: undefined }, evidence, now);
  return [moves.change(other, orderOf(one), evidence, now), moves.change(freed, orderOf(other), evidence, now)];
}

function orderOf({ serviceOrderId, orderStatus, settlementAt }: Purchase): Change {
  return { serviceOrderId, orderStatus, settlementAt };
}

function confirmed(parts: Parts, finding: Of<'refusal-confirmed'>, now: EpochMs): Effect {
  const before = parts.moves.mustFind(finding.purchaseId);
  if (before.state !== 'rejected' || !before.held) return contradiction(parts, before, finding, `it is ${before.state}`, now);
  return parts.moves.change(before, { held: false }, evidenceOf(finding, finding.note), now);
}

function notBought(parts: Parts, finding: Of<'not-bought'>, now: EpochMs): Effect {
  const before = parts.moves.mustFind(finding.purchaseId);
  if (before.state !== 'unknown' && !(before.state === 'rejected' && before.held)) {
    return contradiction(parts, before, finding, `it is ${before.state}`, now);
  }
  const change: Change = { state: 'rejected', held: false, reason: before.state === 'unknown' ? finding.note : before.reason };
  return parts.moves.change(before, change, evidenceOf(finding, finding.note), now);
}
