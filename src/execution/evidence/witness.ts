import type { Purchase } from '../../domain/purchase.ts';
import type { OrderSeen, TransactionSeen } from '../../engine/evidence.ts';
import { fitOf, floatAgrees, itemAgrees, mayBeDebit } from './agree.ts';
import { FLOAT_DOUBT_MS } from './policy.ts';
import { type Claim, type Scene, predates, sinceOutcome } from './scene.ts';

/** What the floats of transactions say about the orders that a claim could have made. */
export interface Witness {
  /** There are transactions of its item at its price, and each shows another wear. Alone, that disproves nothing. */
  readonly differs: boolean;
  /**
   * There are as many of them as orders like it, and the service's floats have proved true of our own items: every such order is
   * somebody else's.
   */
  readonly accounts: boolean;
  /** No transaction says anything. */
  readonly silent: boolean;
}

/** Transactions and orders that belong to other purchases of ours are left out of the count. */
export function witnessOf(scene: Scene, claim: Claim): Witness {
  const { purchase } = claim;
  const { numbersAreListings, floatsAgree, datesAgree } = scene.learnt;
  const others = [...scene.purchases.values()].filter((other) => other !== purchase);
  const debits = scene.bookings.filter(
    (row) =>
      mayBeDebit(purchase, row, numbersAreListings) &&
      // Without dates that hold, one that was put aside may be from long ago.
      (datesAgree === true || !scene.known.usedTransactions.has(row.transactionId)) &&
      !predates(scene, purchase, row) &&
      !others.some((other) => isItsOwn(other, row, numbersAreListings)),
  );
  const alike = scene.rows.filter(
    (row) => !isSomebodys(scene, row) && fitOf(purchase, row, numbersAreListings) === 'item' && !predates(scene, purchase, row),
  );
  const spokenFor = scene.claims.filter(
    (other) =>
      other.purchase !== purchase &&
      scene.bookings.some((row) => isItsOwn(other.purchase, row, numbersAreListings)) &&
      alike.some((row) => fitOf(other.purchase, row, numbersAreListings) === 'item'),
  );
  const differs = debits.length > 0 && debits.every((row) => floatAgrees(purchase, row) === 'differs');
  const enough = debits.length >= Math.max(1, alike.length - spokenFor.length);
  return { differs, accounts: differs && floatsAgree && enough, silent: debits.length === 0 };
}

function isSomebodys({ own, known }: Scene, row: OrderSeen): boolean {
  return own.has(row) || known.orders.get(row.orderId)?.as === 'baseline';
}

/** A transaction of the item that shows this purchase's wear. */
function isItsOwn(purchase: Purchase, row: TransactionSeen, numbersAreListings: boolean): boolean {
  return (
    row.type === 'purchase' && floatAgrees(purchase, row) === 'same' && itemAgrees(purchase, row, numbersAreListings) !== 'other'
  );
}

/**
 * Whether a transaction that would tell whose order a row is may still come: the transactions could be read before and were not this
 * time, or they have told items apart and the order is fresh. `isAlone`: no other purchase of ours may have made the order; on a dedicated
 * account nobody else has then.
 */
export function mayYetSpeak(
  scene: Scene,
  claim: Claim,
  row: { readonly timestampMs: number | undefined },
  isAlone: boolean,
): boolean {
  if (
    (scene.policy.dedicated && isAlone) ||
    claim.purchase.wear === undefined ||
    scene.known.transactionsBaselineAt === undefined
  )
    return false;
  if (scene.look.transactions === undefined) return true;
  if (!scene.learnt.floatsAgree) return false;
  if (sinceOutcome(scene, claim) < FLOAT_DOUBT_MS) return true;
  return scene.learnt.datesAgree === true && scene.look.beganAt - (row.timestampMs ?? 0) < FLOAT_DOUBT_MS;
}
