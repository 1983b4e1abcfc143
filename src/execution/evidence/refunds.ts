import { type Micros, add, formatDollars, micros, subtract, sum } from '../../domain/money.ts';
import { type Purchase, committedAmount, isReserved, wasBought } from '../../domain/purchase.ts';
import type { Finding, OrderSeen, RefundKnown, TransactionSeen } from '../../engine/evidence.ts';
import { isNamedBy, itemAgrees } from './agree.ts';
import type { Matching } from './match.ts';
import { isBroken } from './order-status.ts';
import { DATE_CUT_MS, LIST_LAG_MS, PAID_AGAIN_MS, TOLERANCE } from './policy.ts';
import { type Scene, isAnothers, predates } from './scene.ts';
import { rowsOfPurchases } from './tracking.ts';

/** A purchase to which money may come back. */
interface Due {
  readonly purchase: Purchase;
  /** What was paid and has not been seen coming back, with what this look has shown so far. */
  readonly remaining: Micros;
  /** The transaction names its listing, or shows its wear. */
  readonly named: boolean;
  /** Its order failed or was reverted. */
  readonly broken: boolean;
  /** Its order was made after that money had come back, by the service's own dates. */
  readonly madeLater: boolean;
  /** That much came back for it before: a moment before by the service's own dates, so that it is the same money again, or who knows when. */
  readonly repeated: 'surely' | 'perhaps' | 'no';
}

/** Money seen coming back. A failed order alone is no money: only a refund transaction is, each once. */
export function refundFindings(scene: Scene, matching: Matching): Finding[] {
  const rows = rowsOfPurchases(scene, matching);
  const returned = new Map<number, RefundKnown[]>();
  return namedFirst(scene).flatMap((row) => {
    const bought = [...scene.purchases.values()].filter(wasBought).map((purchase): Due => {
      const now = returned.get(purchase.id) ?? [];
      const back = add(purchase.refunded, sum(now.map(({ amount }) => amount)));
      return {
        purchase,
        remaining: subtract(committedAmount(purchase), back),
        named: isNamed(scene, purchase, row),
        broken: isBroken(rows.get(purchase.id)?.statusCode ?? purchase.orderStatus),
        madeLater: isLater(scene, rows.get(purchase.id), row),
        repeated: isRepeated(scene, row, [...(scene.known.refunds.get(purchase.id) ?? []), ...now]),
      };
    });
    const findings = cameBack(scene, row, bought);
    for (const finding of findings) {
      if (finding.kind !== 'refund') continue;
      returned.set(finding.purchaseId, [...(returned.get(finding.purchaseId) ?? []), finding]);
    }
    return findings;
  });
}

function isRepeated(
  { learnt }: Scene,
  { amount, timestampMs }: TransactionSeen,
  before: readonly RefundKnown[],
): Due['repeated'] {
  const same = before.filter((one) => one.amount === amount);
  const dates = same.map(({ bookedAt }) => (learnt.datesAgree === true ? bookedAt : undefined));
  if (dates.some((date) => date !== undefined && timestampMs !== undefined && Math.abs(date - timestampMs) <= PAID_AGAIN_MS))
    return 'surely';
  return dates.some((date) => date === undefined || timestampMs === undefined) ? 'perhaps' : 'no';
}

function isLater({ learnt }: Scene, order: OrderSeen | undefined, { timestampMs }: TransactionSeen): boolean {
  if (learnt.datesAgree !== true || order?.timestampMs === undefined || timestampMs === undefined) return false;
  return order.timestampMs > timestampMs + DATE_CUT_MS;
}

/** Refunds that name their purchase choose before those that could be for any of several. */
function namedFirst(scene: Scene): TransactionSeen[] {
  const refunds = scene.transactions.filter((row) => row.type === 'refund');
  const isSaid = (row: TransactionSeen): boolean =>
    [...scene.purchases.values()].some((purchase) => isNamed(scene, purchase, row));
  return [...refunds.filter(isSaid), ...refunds.filter((row) => !isSaid(row))];
}

function isNamed({ learnt }: Scene, purchase: Purchase, row: TransactionSeen): boolean {
  return isNamedBy(purchase, row, learnt.numbersAreListings);
}

/** An order can fail and its money come back before anybody knows that it was made. */
function mayTurnOut(scene: Scene, row: TransactionSeen): boolean {
  return [...scene.purchases.values()].some(
    (purchase) => !wasBought(purchase) && isSame(scene, purchase, row, isNamed(scene, purchase, row)),
  );
}

function isSame(scene: Scene, purchase: Purchase, row: TransactionSeen, named: boolean): boolean {
  // With a margin: the machine's clock may go fast by minutes.
  if (predates(scene, purchase, row)) return false;
  const item = itemAgrees(purchase, row, scene.learnt.numbersAreListings);
  if (item === 'unheard') return named || row.amount === committedAmount(purchase);
  return item !== 'other' && !isAnothers(scene, purchase, row);
}

function cameBack(scene: Scene, row: TransactionSeen, bought: readonly Due[]): Finding[] {
  const due = bought.filter(({ purchase, named }) => isSame(scene, purchase, row, named));
  if (due.length === 0) return mayTurnOut(scene, row) ? [] : [{ kind: 'baseline-transaction', transactionId: row.transactionId }];
  const waiting = due.filter(({ remaining, named, madeLater }) => remaining > 0 && (named || !madeLater));
  const named = waiting.filter((one) => one.named);
  if (named.length === 0 && namesOneInDoubt(scene, row)) return [];
  const paidBack = named.length === 0 ? due.find((one) => one.named) : undefined;
  if (paidBack !== undefined) return namedAgain(scene, row, paidBack.purchase, bought);
  const certain = wholeFirst(named.length > 0 ? named : waiting.filter(({ broken }) => broken));
  const exact = certain.find(({ remaining }) => remaining === row.amount);
  if (exact === undefined && isOwedToAnother(scene, row)) return [];
  if (exact === undefined && named.length === 0) {
    if (waiting.some((one) => mayFail(scene, row, one))) return [];
    const repaid = due.find(({ repeated, broken }) => repeated === 'surely' && broken) ?? repaidTwice(row.amount, certain, due);
    if (repaid !== undefined)
      return repaid.remaining > 0 ? refunded(scene, row, repaid) : again(scene, row, repaid.purchase, row.amount);
    if (certain.every((one) => exceeds(row, one)) && waiting.some((one) => mayFailInPart(scene, row, one))) return [];
  }
  const chosen = exact ?? choose(row.amount, certain, isOld(scene, row));
  if (chosen !== undefined) return refunded(scene, row, chosen);
  if (mayBeOwedInPart(scene, row) || mayTurnOutOwed(scene, row)) return [];
  const twice = due.find(
    ({ purchase, remaining, broken }) => remaining <= 0 && broken && (waiting.length === 0 || isLongKnown(scene, row, purchase)),
  );
  return twice === undefined ? [] : again(scene, row, twice.purchase, row.amount);
}

/** It names one that has all of its money back: once more, unless what came back before may have been for an equal that nothing named. */
function namedAgain(scene: Scene, row: TransactionSeen, purchase: Purchase, bought: readonly Due[]): Finding[] {
  const before = scene.bookings.some((other) => other !== row && other.type === 'refund' && isNamed(scene, purchase, other));
  const twin = before ? undefined : twinOf(purchase, row, bought);
  return twin === undefined ? again(scene, row, purchase, row.amount) : refunded(scene, row, twin);
}

/** What all is due to before what is the rest of something: money mostly comes back in one piece. */
function wholeFirst(due: readonly Due[]): Due[] {
  return [...due.filter(isWhole), ...due.filter((one) => !isWhole(one))];
}

function isWhole({ purchase, remaining }: Due): boolean {
  return remaining === committedAmount(purchase);
}

/**
 * Whose money an earlier refund was that named nobody and went to the oldest of equals: now that the one it went to is named, the
 * other one's has come as well.
 */
function twinOf(named: Purchase, row: TransactionSeen, bought: readonly Due[]): Due | undefined {
  return bought.find(
    ({ purchase, remaining, broken }) =>
      purchase.id !== named.id &&
      broken &&
      purchase.itemId === named.itemId &&
      purchase.market === named.market &&
      committedAmount(purchase) === committedAmount(named) &&
      Math.abs(remaining - row.amount) <= TOLERANCE,
  );
}

/** A purchase of which nobody knows yet that it was bought costs exactly this: what is only near another's money waits for it. */
function isOwedToAnother(scene: Scene, row: TransactionSeen): boolean {
  return [...scene.purchases.values()].some(
    (purchase) =>
      (isReserved(purchase) || purchase.held) &&
      committedAmount(purchase) === row.amount &&
      isSame(scene, purchase, row, isNamed(scene, purchase, row)),
  );
}

/** Nor is what may be a part of its money somebody's once more, before it is known whether that one was bought. */
function mayBeOwedInPart(scene: Scene, row: TransactionSeen): boolean {
  return [...scene.purchases.values()].some(
    (purchase) =>
      (isReserved(purchase) || purchase.held) &&
      row.amount <= committedAmount(purchase) + TOLERANCE &&
      isSame(scene, purchase, row, isNamed(scene, purchase, row)),
  );
}

/** It names a purchase that is in doubt, or a refusal that may still turn out bought: nobody else's, before that is known. */
function namesOneInDoubt(scene: Scene, row: TransactionSeen): boolean {
  return [...scene.purchases.values()].some(
    (purchase) => isNamed(scene, purchase, row) && isInDoubt(scene, purchase, row) && !predates(scene, purchase, row),
  );
}

/** Just what a refusal would have cost that may still turn out bought: more likely its than somebody's once more. */
function mayTurnOutOwed(scene: Scene, row: TransactionSeen): boolean {
  return [...scene.purchases.values()].some(
    (purchase) =>
      purchase.cost === row.amount &&
      isInDoubt(scene, purchase, row) &&
      isSame(scene, purchase, row, isNamed(scene, purchase, row)),
  );
}

function isInDoubt(scene: Scene, purchase: Purchase, row: TransactionSeen): boolean {
  if (isReserved(purchase)) return true;
  if (purchase.state !== 'rejected' || scene.learnt.datesAgree !== true) return false;
  // Without a date it would be new for ever.
  return row.timestampMs === undefined ? scene.now - (purchase.answeredAt ?? 0) < LIST_LAG_MS : !isOld(scene, row);
}

/**
 * Exactly what one cost whose money has come back already, and to the others more than is due, or a cent beside it: more likely its, once
 * more. Money comes back as it was taken, to the cent, unless in parts.
 */
function repaidTwice(amount: Micros, certain: readonly Due[], due: readonly Due[]): Due | undefined {
  if (certain.length === 0 || certain.some(({ remaining }) => amount < remaining - TOLERANCE)) return undefined;
  return due.find(({ purchase, remaining, broken }) => broken && remaining <= 0 && committedAmount(purchase) === amount);
}

/** Exactly what this one cost, and its order may have failed without any look having shown it yet. */
function mayFail(scene: Scene, row: TransactionSeen, { purchase, remaining, broken }: Due): boolean {
  return !broken && remaining === row.amount && (purchase.state === 'bought' || !isOld(scene, row));
}

function exceeds({ amount }: TransactionSeen, { remaining }: Due): boolean {
  return amount > remaining + TOLERANCE;
}

/** More than is due to any whose order has failed is a part of another's, whose order may have failed unseen. */
function mayFailInPart(scene: Scene, row: TransactionSeen, one: Due): boolean {
  return !one.broken && !exceeds(row, one) && !isOld(scene, row);
}

/**
 * A refund of exactly this purchase's amount that is older than any list is late: were it another's, that one's order would be seen
 * broken by now.
 */
function isLongKnown(scene: Scene, row: TransactionSeen, purchase: Purchase): boolean {
  return isOld(scene, row) && Math.abs(row.amount - committedAmount(purchase)) <= TOLERANCE;
}

/** What is as old as this, every list shows by now. */
function isOld({ learnt, now }: Scene, { timestampMs }: TransactionSeen): boolean {
  return learnt.datesAgree === true && timestampMs !== undefined && now - timestampMs >= LIST_LAG_MS;
}

/**
 * What is due but for a cent, else less than is due where only one purchase is waiting, or only one for as much. Once nothing more of
 * the others has come for long, the oldest that has had nothing back has it: of what had a part, the rest mostly comes in one piece, and
 * money that has come back must not stay nobody's. Equal claims go to the oldest. The same amount again may be the same money twice.
 */
function choose(amount: Micros, due: readonly Due[], isLate: boolean): Due | undefined {
  const close = due.find(({ remaining }) => Math.abs(remaining - amount) <= TOLERANCE);
  if (close !== undefined || due.length === 1) return close ?? due[0];
  const enough = due.filter(({ remaining }) => remaining > amount);
  const chosen = enough.length > 1 && isLate ? enough.filter(isWhole) : enough;
  const isAgain = due.some(({ repeated, remaining }) => repeated !== 'no' && (enough.length > 1 || remaining <= amount));
  return (chosen.length === 1 || isLate) && !isAgain ? chosen[0] : undefined;
}

function refunded(scene: Scene, row: TransactionSeen, { purchase, remaining }: Due): Finding[] {
  const due = micros(Math.min(row.amount, remaining));
  const whole = remaining - due <= TOLERANCE;
  const note = `${formatDollars(due)} came back${whole ? '' : `, ${formatDollars(subtract(remaining, due))} is still due`}`;
  const finding = refundOf(scene, purchase, row, note);
  if (row.amount > remaining + TOLERANCE) return [finding, tooMuch(scene, purchase, subtract(row.amount, remaining))];
  const message = `Purchase ${purchase.id} (${purchase.marketHashName}): ${note}`;
  return [
    finding,
    { kind: 'alert', alert: { kind: 'refund', at: scene.now, message, next: undefined, purchaseId: purchase.id } },
  ];
}

/** All of it is kept, since it is in the balance; of a purchase the ledger counts no more than was paid for it. */
function refundOf({ learnt }: Scene, purchase: Purchase, row: TransactionSeen, note: string): Finding {
  const { transactionId, amount } = row;
  const bookedAt = learnt.datesAgree === false ? undefined : row.timestampMs;
  return { kind: 'refund', purchaseId: purchase.id, amount, transactionId, bookedAt, note };
}

function again(scene: Scene, row: TransactionSeen, purchase: Purchase, amount: Micros): Finding[] {
  return [refundOf(scene, purchase, row, 'all of it had come back before'), tooMuch(scene, purchase, amount)];
}

function tooMuch(scene: Scene, purchase: Purchase, amount: Micros): Finding {
  return {
    kind: 'alert',
    alert: {
      kind: 'refund',
      at: scene.now,
      message: `${formatDollars(amount)} more came back for purchase ${purchase.id} (${purchase.marketHashName}) than was paid: it is not counted`,
      next: 'Compare it with the service.',
      purchaseId: purchase.id,
    },
  };
}
