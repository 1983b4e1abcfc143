import type { EpochMs } from '../../domain/clock.ts';
import { type Micros, ZERO, formatDollars, micros, subtract, sum } from '../../domain/money.ts';
import { type Purchase, committedAmount, isReserved } from '../../domain/purchase.ts';
import { counted, printable } from '../../domain/text.ts';
import { type Attribution, isBrokenStatus } from './attribution.ts';
import type { OrderRow, Shown, TheirBooks } from './books.ts';
import type { AuditKind, Difference, Unread } from './report.ts';
import { sameToTheCent, wasBought } from './same.ts';
import { EDGE_MS } from './strangers.ts';

/** What the comparison of single purchases came to. */
export interface PurchaseFindings {
  readonly differences: readonly Difference[];
  /** What those differences make of the balance. */
  readonly listed: Micros;
  /** Fractions of a cent by which the service rounds, together. */
  readonly rounding: Micros;
  /** What the balance may or may not show yet, each as what it adds. */
  readonly uncertain: readonly Micros[];
  readonly awaited: readonly string[];
  /** Lists that were cut by the service, and lack what they should show all the same. */
  readonly unread: readonly Unread[];
  /** Purchases that nothing shown could be held against, and rightly so. */
  readonly uncompared: number;
  readonly notes: readonly string[];
}

/** A service may show an order, a debit or a refund this late; what is younger is awaited, not missed. */
const LATE_MS = 600_000;

/** A reading of the balance that began this long after the answer shows the debit. */
const BALANCE_LAG_MS = 60_000;

/** Holds every live purchase against what the service shows of it. */
export function comparePurchases(purchases: readonly Purchase[], theirs: TheirBooks, attributed: Attribution): PurchaseFindings {
  const comparison = new Comparison(theirs, attributed);
  for (const purchase of purchases) comparison.add(purchase);
  return comparison.findings();
}

class Comparison {
  readonly #theirs: TheirBooks;
  readonly #attributed: Attribution;
  readonly #cut: readonly CutList[];
  readonly #differences: Difference[] = [];
  readonly #effects: Micros[] = [];
  readonly #rounding: Micros[] = [];
  readonly #uncertain: Micros[] = [];
  readonly #awaited: string[] = [];
  #behind = 0;
  readonly #moved = new Set<number>();
  #unlisted = 0;
  #withoutDebit = 0;
  #older = 0;
  #lacking = 0;

  constructor(theirs: TheirBooks, attributed: Attribution) {
    this.#theirs = theirs;
    this.#attributed = attributed;
    this.#cut = [cutList('orders', theirs.orders), cutList('transactions', theirs.transactions)].flat();
  }

  add(purchase: Purchase): void {
    if (wasBought(purchase)) this.#bought(purchase);
    else if (isReserved(purchase)) this.#reserved(purchase);
    else if (purchase.state === 'rejected') this.#disproved(purchase);
  }

  findings(): PurchaseFindings {
    return {
      differences: this.#differences,
      listed: sum(this.#effects),
      rounding: sum(this.#rounding),
      uncertain: this.#uncertain,
      awaited: this.#awaited,
      unread: this.#unread(),
      uncompared: this.#older + this.#moved.size,
      notes: this.#notes(),
    };
  }

  /** Nobody can say yet whether it was bought, so there is nothing to differ in. */
  #reserved(purchase: Purchase): void {
    this.#uncertain.push(subtract(ZERO, purchase.cost));
    const { id, state, cost } = purchase;
    const shown = this.#attributed.debits.has(id) ? 'a transaction' : this.#attributed.orders.has(id) ? 'an order' : undefined;
    const seen = shown === undefined ? '' : `; the service shows ${shown} that fits`;
    const what = state === 'rejected' ? 'was refused, which is not confirmed yet' : `is ${state}`;
    this.#awaited.push(`${goods(purchase)} ${what}: its ${formatDollars(cost)} are held${seen}.`);
  }

  #disproved(purchase: Purchase): void {
    const debit = this.#attributed.debits.get(purchase.id);
    const order = this.#attributed.orders.get(purchase.id);
    const amount = debit?.amount ?? order?.amount;
    if (amount === undefined || this.#isMoving(purchase)) return;
    this.#differ('bought-after-all', purchase, { ours: ZERO, theirs: amount }, 'debit');
  }

  #bought(purchase: Purchase): void {
    this.#debit(purchase);
    this.#refund(purchase);
    const order = this.#attributed.orders.get(purchase.id);
    if (order !== undefined && order.statusCode !== purchase.orderStatus && !this.#isMoving(purchase)) this.#behind += 1;
    const { balance } = this.#theirs;
    if (balance.ok && balance.reading.beganAt - answeredAt(purchase) < BALANCE_LAG_MS)
      this.#uncertain.push(subtract(committedAmount(purchase), purchase.refunded));
  }

  #debit(purchase: Purchase): void {
    const ours = committedAmount(purchase);
    const debit = this.#attributed.debits.get(purchase.id);
    const order = this.#attributed.orders.get(purchase.id);
    const { transactions, orders } = this.#theirs;
    if (order === undefined && debit !== undefined && orders.ok && orders.whole) this.#unlisted += 1;
    if (debit !== undefined) return this.#same('debit', purchase, { ours, theirs: debit.amount }, 'debit');
    if (this.#isFresh(purchase)) {
      if (order === undefined) this.#awaited.push(`${goods(purchase)} was bought lately and is not shown by the service yet.`);
      return;
    }
    if (order !== undefined) {
      this.#orderAmount(purchase, order, ours);
      return;
    }
    if (orders.ok && orders.whole && (!transactions.ok || transactions.whole))
      return this.#differ('order-missing', purchase, { ours, theirs: ZERO }, 'debit');
    if (this.#cut.length === 0) return;
    const isInNone = (orders.ok && orders.whole) || (transactions.ok && transactions.whole);
    if (!isInNone && this.#cut.every(({ oldest }) => purchase.createdAt < oldest + EDGE_MS)) this.#older += 1;
    else this.#lacking += 1;
  }

  /** What lies within the time that a list covers, and is not in it, was not compared, whoever cut the list. */
  #unread(): Unread[] {
    if (this.#lacking === 0) return [];
    const lacking = `no list has ${counted(this.#lacking, 'purchase')} of ours`;
    return this.#cut.map(({ part, rows }) => ({
      ...{ part, partly: rows > 0 },
      why: `the service did not show the whole of it, ${counted(rows, 'row')} came, and ${lacking}`,
    }));
  }

  /** Without a transaction the order tells the debit, unless it shows the price without the fee. */
  #orderAmount(purchase: Purchase, order: OrderRow, ours: Micros): void {
    const { transactions } = this.#theirs;
    const showsDebits = transactions.ok && transactions.whole;
    if (showsDebits && this.#attributed.debits.size > 0)
      return this.#differ('debit-missing', purchase, { ours, theirs: ZERO }, 'debit');
    this.#withoutDebit += 1;
    if (!isDollars(order.currency) || sameToTheCent(order.amount, purchase.priceMicros)) return;
    this.#same('debit', purchase, { ours, theirs: order.amount }, 'debit');
  }

  #refund(purchase: Purchase): void {
    const { transactions } = this.#theirs;
    if (!transactions.ok) return;
    const back = sum((this.#attributed.refunds.get(purchase.id) ?? []).map(({ amount }) => amount));
    if (back >= purchase.refunded || transactions.whole)
      this.#same('refund', purchase, { ours: purchase.refunded, theirs: back }, 'refund');
    const order = this.#attributed.orders.get(purchase.id);
    if (!isBrokenStatus(order?.statusCode ?? purchase.orderStatus ?? '')) return;
    const due = subtract(committedAmount(purchase), micros(Math.max(purchase.refunded, back)));
    if (due <= ZERO || sameToTheCent(due, ZERO)) return;
    this.#due(purchase, due, order);
  }

  #due(purchase: Purchase, due: Micros, order: OrderRow | undefined): void {
    const { transactions } = this.#theirs;
    const justFailed = order !== undefined && order.statusCode !== purchase.orderStatus;
    const since = transactions.ok ? transactions.beganAt - purchase.updatedAt : 0;
    if (justFailed || since < LATE_MS || (transactions.ok && !transactions.whole)) {
      this.#awaited.push(`${goods(purchase)}: ${formatDollars(due)} are due back, since its order failed or was reverted.`);
    } else {
      this.#differences.push(difference('refund-due', purchase, { ours: due, theirs: ZERO }, subtract(ZERO, due)));
    }
  }

  #same(kind: AuditKind, purchase: Purchase, figures: Figures, way: Way): void {
    if (!sameToTheCent(figures.ours, figures.theirs)) return this.#differ(kind, purchase, figures, way);
    this.#rounding.push(effectOf(figures, way));
  }

  #differ(kind: AuditKind, purchase: Purchase, figures: Figures, way: Way): void {
    if (this.#isMoving(purchase)) {
      this.#moved.add(purchase.id);
      this.#uncertain.push(effectOf(figures, way));
      return;
    }
    const effect = effectOf(figures, way);
    this.#differences.push(difference(kind, purchase, figures, effect));
    this.#effects.push(effect);
  }

  /** Our row has changed since the service was asked: it may know more than the lists show. */
  #isMoving({ updatedAt }: Purchase): boolean {
    return updatedAt > this.#askedAt;
  }

  #isFresh(purchase: Purchase): boolean {
    return this.#askedAt - answeredAt(purchase) < LATE_MS;
  }

  get #askedAt(): EpochMs {
    const { orders, transactions } = this.#theirs;
    return Math.min(...[orders, transactions].map((list) => (list.ok ? list.beganAt : Number.POSITIVE_INFINITY)));
  }

  #notes(): string[] {
    const notes: [number, string][] = [
      [this.#behind, 'moved on at the service since we looked (the status of the order is another one): `magpie reconcile`.'],
      [this.#moved.size, 'moved while the service was asked, and could not be compared.'],
      [this.#unlisted, 'in no list of orders, though transactions show the debit.'],
      [this.#older, 'older than what the service still shows: not compared.'],
      [this.#withoutDebit, 'known by the order alone: no transaction shows any debit of ours.'],
    ];
    return notes.flatMap(([count, words]) =>
      count === 0 ? [] : [`${count} ${count === 1 ? 'purchase' : 'purchases'} ${words}`],
    );
  }
}

/** A list that the service by itself did not show whole. */
interface CutList {
  readonly part: Unread['part'];
  readonly rows: number;
  /** How far back it goes. One without any date may go back for ever. */
  readonly oldest: EpochMs;
}

function cutList(part: Unread['part'], list: Shown<{ readonly timestampMs: EpochMs | undefined }>): CutList[] {
  if (!list.ok || list.whole || list.unread !== undefined) return [];
  const dates = list.rows.flatMap(({ timestampMs }) => timestampMs ?? []);
  const oldest = dates.reduce((least, date) => Math.min(least, date), dates[0] ?? Number.NEGATIVE_INFINITY);
  return [{ part, rows: list.rows.length, oldest }];
}

interface Figures {
  readonly ours: Micros;
  readonly theirs: Micros;
}

/** Whether the figures left our money or came back to it. */
type Way = 'debit' | 'refund';

function effectOf({ ours, theirs }: Figures, way: Way): Micros {
  return way === 'debit' ? subtract(ours, theirs) : subtract(theirs, ours);
}

function difference(kind: AuditKind, purchase: Purchase, { ours, theirs }: Figures, effect: Micros): Difference {
  const { id: purchaseId, serviceOrderId, marketHashName: name } = purchase;
  return { kind, purchaseId, orderId: serviceOrderId ?? null, transactionId: null, name, ours, theirs, difference: effect };
}

function answeredAt({ answeredAt, createdAt }: Purchase): EpochMs {
  return answeredAt ?? createdAt;
}

function goods({ id, marketHashName }: Purchase): string {
  return `Purchase ${id} (${printable(marketHashName, 100)})`;
}

function isDollars(currency: string | undefined): boolean {
  return currency === undefined || currency.trim().toUpperCase() === 'USD';
}
