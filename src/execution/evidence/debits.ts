import { type Purchase, wasBought } from '../../domain/purchase.ts';
import type { Finding, TransactionSeen } from '../../engine/evidence.ts';
import { agreesInBoth, floatAgrees, itemAgrees, mayBeDebit } from './agree.ts';
import { type Matching, finalTries, onlyProved } from './match.ts';
import { FLOAT_DOUBT_MS } from './policy.ts';
import { type Scene, isAnothers, predates } from './scene.ts';
import { overcharge, paidByAmount } from './settle.ts';

/**
 * Purchase transactions of what is known to be bought: each books one purchase. One that can be nobody's is put aside, so that it
 * never serves as evidence later.
 */
export function debitFindings(scene: Scene, matching: Matching): Finding[] {
  const spent = new Set(matching.matches.map(({ transaction }) => transaction));
  const justBooked = new Set(
    matching.matches.filter(({ transaction }) => transaction !== undefined).map(({ claim }) => claim.purchase.id),
  );
  const findings: Finding[] = [];
  for (const row of scene.transactions) {
    if (row.type === 'refund' || spent.has(row)) continue;
    const open = [...scene.purchases.values()].filter(
      (purchase) => !scene.known.booked.has(purchase.id) && !justBooked.has(purchase.id) && !predates(scene, purchase, row),
    );
    const purchase = bookedBy(scene, row, open);
    if (purchase !== undefined) {
      justBooked.add(purchase.id);
      findings.push(...booked(scene, purchase, row));
    } else if (isNobodys(scene, row, open)) {
      findings.push({ kind: 'baseline-transaction', transactionId: row.transactionId });
    }
  }
  return findings;
}

/** The bought purchase that a transaction books; undefined when it may just as well be the debit of one that is not settled. */
function bookedBy(scene: Scene, row: TransactionSeen, open: readonly Purchase[]): Purchase | undefined {
  const proved = onlyProved(scene, row);
  if (proved !== undefined) return open.includes(proved) && wasBought(proved) ? proved : undefined;
  const all = finalTries(open.filter((purchase) => mayBe(scene, purchase, row)));
  const contenders = all.filter(wasBought);
  if (!all.every((purchase) => wasBought(purchase) || givesWay(purchase, contenders, row))) return undefined;
  return bestFirst(contenders, row).find((purchase) => {
    if (floatAgrees(purchase, row) !== 'differs') return true;
    // A float that differs is waited out: the transaction with the right one may only be late.
    return contenders.length === 1 && scene.now - (purchase.answeredAt ?? scene.now) >= FLOAT_DOUBT_MS;
  });
}

/** What a transaction shows in full comes before what it shows in part; of equals the oldest comes first. */
function bestFirst(purchases: readonly Purchase[], row: TransactionSeen): Purchase[] {
  const inFull = purchases.filter((purchase) => agreesInBoth(purchase, row));
  return [...inFull, ...purchases.filter((purchase) => !inFull.includes(purchase))];
}

function mayBe(scene: Scene, purchase: Purchase, row: TransactionSeen): boolean {
  return mayBeDebit(purchase, row, scene.learnt.numbersAreListings) && !isAnothers(scene, purchase, row);
}

/**
 * Refused, and confirmed so: had it been bought after all, it would have a debit of its own. Which of two alike is whose makes no
 * difference, and of two that are not, one is what the transaction shows in full.
 */
function givesWay(purchase: Purchase, bought: readonly Purchase[], row: TransactionSeen): boolean {
  const { state, held, cost, priceMicros } = purchase;
  if (state !== 'rejected' || held) return false;
  if (bought.every((one) => one.cost === cost && one.priceMicros === priceMicros)) return true;
  return !agreesInBoth(purchase, row) && bought.some((one) => agreesInBoth(one, row));
}

function booked(scene: Scene, purchase: Purchase, row: TransactionSeen): Finding[] {
  const paid = paidByAmount(purchase, row.amount) ?? purchase.cost;
  const known = purchase.paid === paid ? [] : overcharge(scene, purchase, paid);
  const { transactionId, timestampMs: bookedAt } = row;
  return [{ kind: 'paid', purchaseId: purchase.id, paid, transactionId, bookedAt, note: 'its transaction' }, ...known];
}

/**
 * No purchase whose debit is still to be seen is of this item. While one that is not settled is, the transaction stays: its float
 * tells that an order like it is somebody else's.
 */
function isNobodys(scene: Scene, row: TransactionSeen, open: readonly Purchase[]): boolean {
  if (row.type !== 'purchase') return true;
  return !open.some((purchase) => {
    if (wasBought(purchase) && isAnothers(scene, purchase, row)) return false;
    const item = itemAgrees(purchase, row, scene.learnt.numbersAreListings);
    if (item === 'unheard')
      return mayBeDebit(purchase, row, scene.learnt.numbersAreListings) || floatAgrees(purchase, row) === 'same';
    return item !== 'other';
  });
}
