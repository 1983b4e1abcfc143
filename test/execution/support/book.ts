import type { Listing } from '../../../src/domain/listing.ts';
import { type Micros, add, micros, subtract, sum } from '../../../src/domain/money.ts';
import { type Purchase, committedAmount, isReserved, mayMove } from '../../../src/domain/purchase.ts';
import type { BalanceReading } from '../../../src/domain/readings.ts';
import type { Finding, Known, KnownOrder, Look, OrderSeen, Proof, RefundKnown } from '../../../src/engine/evidence.ts';
import { dollars, purchase } from '../../support/values.ts';

/**
 * The ledger's part in evidence, in memory, for laws that need thousands of looks. It throws where one piece of evidence is used
 * twice, or a purchase makes a move that is not legal.
 */
export class Book {
  readonly purchases = new Map<number, Purchase>();
  readonly orders = new Map<string, KnownOrder>();
  /** When each order was first heard of. */
  readonly seenAt = new Map<string, number>();
  /** When each purchase was known to be bought. */
  readonly acceptedAt = new Map<number, number>();
  readonly #proofs = new Map<number, Proof>();
  readonly #listed = new Map<number, string>();
  readonly #booked = new Map<number, number | undefined>();
  readonly #refundsOf = new Map<number, RefundKnown[]>();
  readonly #used = new Set<string>();
  readonly #alerted = new Set<string>();
  #refunds: { at: number; amount: Micros }[] = [];
  #baselineAt: number | undefined;
  #transactionsBaselineAt: number | undefined;
  #baseTotal: number | undefined;
  #balance: BalanceReading | undefined;
  readonly #balanceLagMs: number;
  halted = 0;

  /** A balance that was asked for so long after a purchase was known to be bought shows its debit. */
  constructor(balanceLagMs = 0) {
    this.#balanceLagMs = balanceLagMs;
  }

  intend(listing: Listing, at: number): Purchase {
    const made = purchase({
      id: this.purchases.size + 1,
      state: 'intended',
      market: listing.market,
      listingId: listing.id,
      itemId: listing.itemId,
      marketHashName: listing.name,
      wear: listing.wear,
      price: listing.price,
      priceMicros: listing.priceMicros,
      priceWithFee: listing.priceWithFee,
      cost: listing.cost,
      baseSeq: this.orders.size,
      baseTotal: this.#baseTotal,
      baseBalance: this.#expectedNow(),
      createdAt: at,
      updatedAt: at,
      answeredAt: undefined,
    });
    this.purchases.set(made.id, made);
    return made;
  }

  answer(id: number, at: number, outcome: 'bought' | 'refused' | 'unknown', serviceOrderId?: string): void {
    if (outcome === 'bought' && serviceOrderId !== undefined) {
      this.acceptedAt.set(id, at);
      this.#change(id, { state: 'bought', serviceOrderId, orderStatus: 'SUCCESS', answeredAt: at });
      this.#know({ orderId: serviceOrderId, amount: this.#get(id).cost, statusCode: 'SUCCESS' }, 'ours', id, at);
    }
    if (outcome === 'refused') this.#change(id, { state: 'rejected', held: true, refusalCause: 'gone', answeredAt: at });
    if (outcome === 'unknown') this.#change(id, { state: 'unknown', wasUnknown: true, answeredAt: at });
  }

  known(look: Look): Known {
    const purchases = [...this.purchases.values()];
    const among = (look.orders?.rows ?? []).flatMap((row) => {
      const order = this.orders.get(row.orderId);
      return order === undefined ? [] : [[row.orderId, order] as const];
    });
    const each = (orders: readonly KnownOrder[]): number =>
      new Set(orders.map((order) => order.purchaseId ?? order.orderId)).size;
    const orders = [...this.orders.values()];
    return {
      purchases,
      proofs: this.#proofs,
      orders: new Map(among),
      orderCount: each(orders),
      orderSeq: this.orders.size,
      ownCount: each(orders.filter(({ as }) => as === 'ours')),
      baselineAt: this.#baselineAt,
      transactionsBaselineAt: this.#transactionsBaselineAt,
      listed: this.#listed,
      booked: this.#booked,
      refunds: this.#refundsOf,
      usedTransactions: this.#used,
      previousBalance: this.#balance,
      expectedBalances: new Map(purchases.filter(isReserved).flatMap((one) => this.#expected(one))),
      alerted: this.#alerted,
    };
  }

  apply(findings: readonly Finding[], look: Look): void {
    for (const finding of findings) this.#applyOne(finding, look.endedAt);
    if (look.balance !== undefined) {
      this.#balance = look.balance;
      const shown = look.balance.beganAt - this.#balanceLagMs;
      for (const [id, acceptedAt] of this.acceptedAt) if (acceptedAt < shown) this.#change(id, { debitSeen: true });
    }
  }

  #applyOne(finding: Finding, at: number): void {
    switch (finding.kind) {
      case 'look':
        this.#baselineAt ??= finding.beganAt;
        this.#baseTotal = finding.baseTotal ?? this.#baseTotal;
        return;
      case 'transactions-look':
        this.#transactionsBaselineAt ??= finding.beganAt;
        return;
      case 'order':
        this.#know(finding.order, finding.as, finding.purchaseId, at);
        if (finding.purchaseId === undefined) return;
        if (this.#listed.has(finding.purchaseId)) throw new Error(`purchase ${finding.purchaseId} got a second row`);
        this.#listed.set(finding.purchaseId, finding.order.orderId);
        return;
      case 'bought':
        this.#use(finding.transactionId, finding.purchaseId, finding.bookedAt);
        this.acceptedAt.set(finding.purchaseId, at);
        this.#change(finding.purchaseId, {
          state: 'bought',
          held: false,
          paid: finding.paid,
          serviceOrderId: finding.order?.orderId,
        });
        return;
      case 'paid':
        this.#use(finding.transactionId, finding.purchaseId, finding.bookedAt);
        this.#change(finding.purchaseId, { paid: finding.paid });
        return;
      case 'status':
        this.#change(finding.purchaseId, { orderStatus: finding.order.statusCode });
        return;
      case 'completed':
        this.#change(finding.purchaseId, { state: 'completed', orderStatus: finding.order.statusCode });
        return;
      case 'refund': {
        if (this.#used.has(finding.transactionId)) throw new Error(`${finding.transactionId} was used twice`);
        this.#used.add(finding.transactionId);
        this.#refunds.push({ at, amount: finding.amount });
        this.#refundsOf.set(finding.purchaseId, [...(this.#refundsOf.get(finding.purchaseId) ?? []), finding]);
        const before = this.#get(finding.purchaseId);
        const refunded = micros(Math.min(committedAmount(before), add(before.refunded, finding.amount)));
        this.#change(finding.purchaseId, { state: 'refunded', refunded });
        return;
      }
      case 'exchanged':
        this.#exchange(this.#get(finding.purchaseId), this.#get(finding.withId));
        return;
      case 'refusal-confirmed':
        this.#change(finding.purchaseId, { held: false });
        return;
      case 'not-bought':
        this.#change(finding.purchaseId, { state: 'rejected', held: false });
        return;
      case 'proof':
        this.#proofs.set(finding.purchaseId, finding.proof);
        return;
      case 'baseline-transaction':
        if (this.#used.has(finding.transactionId)) throw new Error(`${finding.transactionId} was used twice`);
        this.#used.add(finding.transactionId);
        return;
      case 'alert':
        this.#alerted.add(`${finding.alert.kind}:${finding.alert.purchaseId}`);
        return;
      case 'halt':
        this.halted += 1;
    }
  }

  #exchange(one: Purchase, other: Purchase): void {
    const [ofOne, ofOther] = [this.#rowOf(one), this.#rowOf(other)];
    for (const [to, row] of [
      [one, ofOther],
      [other, ofOne],
    ] as const) {
      this.orders.set(row.orderId, { ...row, purchaseId: to.id });
      this.#listed.set(to.id, row.orderId);
      this.#change(to.id, { serviceOrderId: row.orderId, orderStatus: row.statusCode });
    }
  }

  #rowOf({ id }: Purchase): KnownOrder {
    const row = this.orders.get(this.#listed.get(id) ?? '');
    if (row?.purchaseId !== id) throw new Error(`purchase ${id} has no order to give`);
    return row;
  }

  #know(
    order: Pick<OrderSeen, 'orderId' | 'amount' | 'statusCode'>,
    as: KnownOrder['as'],
    purchaseId: number | undefined,
    at: number,
  ): void {
    const before = this.orders.get(order.orderId);
    const explained = before?.as === 'adopted' && as === 'ours';
    if (before !== undefined && !explained && (before.as !== as || before.purchaseId !== purchaseId))
      throw new Error(`${order.orderId} was given twice`);
    const seq = before?.seq ?? this.orders.size + 1;
    this.orders.set(order.orderId, {
      seq,
      orderId: order.orderId,
      as,
      purchaseId,
      amount: order.amount,
      statusCode: order.statusCode,
    });
    if (before === undefined) this.seenAt.set(order.orderId, at);
  }

  #use(transactionId: string | undefined, purchaseId: number, bookedAt: number | undefined): void {
    if (transactionId === undefined) return;
    if (this.#used.has(transactionId)) throw new Error(`${transactionId} was used twice`);
    if (this.#booked.has(purchaseId)) throw new Error(`purchase ${purchaseId} was booked twice`);
    this.#used.add(transactionId);
    this.#booked.set(purchaseId, bookedAt);
  }

  #change(id: number, change: Partial<Purchase>): void {
    const before = this.#get(id);
    if (change.state !== undefined && change.state !== before.state && !mayMove(before.state, change.state)) {
      throw new Error(`purchase ${id} cannot go from ${before.state} to ${change.state}`);
    }
    this.purchases.set(id, { ...before, ...change });
  }

  #get(id: number): Purchase {
    const found = this.purchases.get(id);
    if (found === undefined) throw new Error(`there is no purchase ${id}`);
    return found;
  }

  #expectedNow(): Micros | undefined {
    if (this.#balance === undefined) return undefined;
    const undebited = [...this.purchases.values()].filter((one) => this.acceptedAt.has(one.id) && !one.debitSeen);
    return subtract(this.#balance.amount, sum(undebited.map(committedAmount)));
  }

  #expected(one: Purchase): [number, Micros][] {
    if (one.baseBalance === undefined) return [];
    const others = [...this.purchases.values()].filter(
      ({ id }) => id !== one.id && (this.acceptedAt.get(id) ?? 0) > one.createdAt,
    );
    const adopted = [...this.orders.values()].filter(
      ({ orderId, as }) => as === 'adopted' && (this.seenAt.get(orderId) ?? 0) > one.createdAt,
    );
    const back = this.#refunds.filter(({ at }) => at > one.createdAt);
    const gone = add(sum(others.map(committedAmount)), sum(adopted.map(({ amount }) => amount)));
    return [[one.id, micros(one.baseBalance - gone + sum(back.map(({ amount }) => amount)))]];
  }
}

export const startBalance = dollars(1_000);
