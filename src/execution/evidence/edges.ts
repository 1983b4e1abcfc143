import { listingKey } from '../../domain/listing.ts';
import { type Purchase, wasAccepted } from '../../domain/purchase.ts';
import type { OrderSeen, TransactionSeen } from '../../engine/evidence.ts';
import { type Fit, agreesInBoth, amountAgrees, fitOf, mayBeDebit, provesDebit } from './agree.ts';
import { isBlurred } from './blur.ts';
import { apart } from './dates.ts';
import { wasFeeSteady } from './fee.ts';
import { DATE_MARGIN_MS, FLOAT_DOUBT_MS, SAME_MOMENT_MS, STANDING_MS, WATCH_MS } from './policy.ts';
import { type Claim, type Scene, mayTurnOut, predates, sinceOutcome } from './scene.ts';
import { type Witness, mayYetSpeak, witnessOf } from './witness.ts';

/** A claim and a row that may be its order. */
export interface Edge {
  readonly claim: Claim;
  readonly row: OrderSeen;
  readonly fit: Fit;
}

/** Debits of a claim that were booked with its row. */
type DebitsOf = (edge: Edge) => readonly TransactionSeen[];

/** Whether what was booked with the row of an edge is its claim's debit, and not another one's as well. */
type IsItsDebit = (edge: Edge, other: Edge) => boolean;

/** The row names this very purchase: nothing else is needed. */
export function isStrong(fit: Fit): boolean {
  return fit === 'reference' || fit === 'listing';
}

/** Every claim with every row that may be its order, after all that rules a row out. */
export function edgesOf(scene: Scene, claims: readonly Claim[], rows: readonly OrderSeen[]): Edge[] {
  const edges = claims.flatMap((claim) => {
    const fitting = rows.flatMap((row) => {
      if (!mayTake(scene, claim, row)) return [];
      const fit = fitOf(claim.purchase, row, scene.learnt.numbersAreListings);
      return fit === undefined ? [] : [{ claim, row, fit }];
    });
    const witness = witnessOf(scene, claim);
    return fitting.filter((edge) => isStrong(edge.fit) || isPossible(scene, edge, witness));
  });
  const ofRow = grouped(edges, ({ row }) => row);
  const ofClaim = grouped(edges, ({ claim }) => claim);
  const debitsOf = onceEach((edge) => debitsWith(scene, edge, ofClaim.get(edge.claim) ?? []));
  const pricedOf = onceEach((edge) => pricedWith(scene, edge, ofClaim.get(edge.claim) ?? []));
  const isItsDebit: IsItsDebit = (edge, other) =>
    debitsOf(edge).some((row) => edge.claim === other.claim || !isDebitOf(scene, other, row));
  const isToldDebit: IsItsDebit = (edge, other) =>
    debitsOf(edge).some((row) => !isDebitOf(scene, other, row) && isTold(scene, edge, other, row));
  // One that was booked with its row itself gives way to nothing but a better try: what all give way for would be a stranger's.
  const givesWay = (edge: Edge, other: Edge): boolean =>
    outranks(other, edge) ||
    ((wasSold(scene, other, edge) ||
      isExact(scene, other, edge) ||
      isBookedWith(other, edge, isToldDebit) ||
      isBookedApart(other, edge, debitsOf) ||
      isPricedAs(scene, other, edge, pricedOf)) &&
      !isItsDebit(edge, other));
  return edges.filter((edge) => {
    const besides = [...(ofRow.get(edge.row) ?? []), ...(ofClaim.get(edge.claim) ?? [])];
    return !besides.some((other) => givesWay(edge, other));
  });
}

function grouped<K>(edges: readonly Edge[], keyOf: (edge: Edge) => K): ReadonlyMap<K, readonly Edge[]> {
  const groups = new Map<K, Edge[]>();
  for (const edge of edges) {
    const group = groups.get(keyOf(edge));
    if (group === undefined) groups.set(keyOf(edge), [edge]);
    else group.push(edge);
  }
  return groups;
}

function onceEach(find: DebitsOf): DebitsOf {
  const found = new Map<Edge, readonly TransactionSeen[]>();
  return (edge) => {
    const debits = found.get(edge) ?? find(edge);
    found.set(edge, debits);
    return debits;
  };
}

/** What was taken for a stranger's is given to nobody but a purchase that had been written before, and been held for never bought by then. */
function mayTake({ known }: Scene, { purchase }: Claim, row: OrderSeen): boolean {
  const before = known.orders.get(row.orderId);
  return before === undefined || (before.seq > purchase.baseSeq && mayTurnOut(purchase));
}

/** Of two claims to one row, a listing that still stands a minute later gives way to one that is gone: that one was bought. */
function wasSold(scene: Scene, other: Edge, edge: Edge): boolean {
  if (other === edge || other.row !== edge.row || isStrong(edge.fit) || edge.claim.kind === 'unlisted') return false;
  return standsAfterAll(scene, edge.claim) && saidOf(scene, other.claim) === 'gone';
}

/** Of two claims to one row, one that only a changed fee could explain gives way to an exact one while the fee was what it should be. */
function isExact(scene: Scene, other: Edge, edge: Edge): boolean {
  return other.row === edge.row && edge.fit === 'near' && other.fit === 'item' && wasFeeSteady(scene, edge.row);
}

/** Of two claims to one row, one that is in doubt gives way to the other whose debit was booked with the row. */
function isBookedWith(other: Edge, edge: Edge, isItsDebit: IsItsDebit): boolean {
  if (other.claim === edge.claim || other.row !== edge.row || isStrong(edge.fit)) return false;
  if (edge.claim.kind === 'in-flight' || edge.claim.kind === 'unlisted') return false;
  return isItsDebit(other, edge);
}

/** Of two claims to one row, one that is in doubt gives way to the other where what was booked with the row shows both of the other's amounts. */
function isPricedAs(scene: Scene, other: Edge, edge: Edge, pricedOf: DebitsOf): boolean {
  if (other.claim === edge.claim || other.row !== edge.row || isStrong(edge.fit)) return false;
  if (edge.claim.kind === 'in-flight' || edge.claim.kind === 'unlisted') return false;
  const debits = pricedOf(other);
  return debits.length > 0 && debits.every((row) => !agreesInBoth(edge.claim.purchase, row) && isTold(scene, other, edge, row));
}

/** Which of two claims made a row is told by one's debit that was booked with it. */
function isTold(scene: Scene, { row, claim }: Edge, other: Edge, { timestampMs }: TransactionSeen): boolean {
  return !isBlurred(scene, row, timestampMs, [claim.purchase, other.claim.purchase]);
}

/** All that may be the debit of a claim and was booked with this row; none where one of them has other amounts, or another row as well. */
function pricedWith(scene: Scene, edge: Edge, ofClaim: readonly Edge[]): TransactionSeen[] {
  if (scene.learnt.datesAgree !== true) return [];
  const { purchase } = edge.claim;
  const { numbersAreListings } = scene.learnt;
  const debits = scene.bookings.filter((row) => isWith(row, edge.row) && mayBeDebit(purchase, row, numbersAreListings));
  return debits.every((row) => agreesInBoth(purchase, row) && isWithOne(row, edge, ofClaim)) ? debits : [];
}

/** Of two rows that one purchase may have made, the one that was not booked with its debit gives way to the one that was. */
function isBookedApart(other: Edge, edge: Edge, debitsOf: DebitsOf): boolean {
  if (other.claim !== edge.claim || other.row === edge.row || isStrong(edge.fit)) return false;
  return debitsOf(other).length > 0;
}

/**
 * The transactions that show the debit of a claim and were booked with this row, at its amount, and with no other that may be its: an
 * order and its debit are booked together, also where both came to nothing since.
 */
function debitsWith(scene: Scene, edge: Edge, ofClaim: readonly Edge[]): TransactionSeen[] {
  if (scene.learnt.datesAgree !== true) return [];
  return scene.bookings.filter((row) => isWith(row, edge.row) && isDebitOf(scene, edge, row) && isWithOne(row, edge, ofClaim));
}

/** A transaction was booked with no other row that the claim may have made. */
function isWithOne(row: TransactionSeen, edge: Edge, ofClaim: readonly Edge[]): boolean {
  return ofClaim.every((one) => one === edge || !isWith(row, one.row));
}

/** A transaction of an order's amount that was booked when the order was made. */
function isWith({ amount, price, timestampMs }: TransactionSeen, order: OrderSeen): boolean {
  return (order.amount === amount || order.amount === price) && apart(timestampMs, order.timestampMs) <= SAME_MOMENT_MS;
}

function isDebitOf({ learnt }: Scene, { claim }: Edge, row: TransactionSeen): boolean {
  const proof = provesDebit(claim.purchase, row, learnt.numbersAreListings);
  return proof === 'listing' || (proof === 'float' && learnt.floatsAgree);
}

/**
 * A listing that was refused and tried again is one listing, which can be bought once: the later try has the better claim to a
 * row that fits both; of two refusals the one that looks have not confirmed, else the earlier (the other was refused because it was
 * gone).
 */
function outranks(other: Edge, edge: Edge): boolean {
  if (other === edge || other.row !== edge.row || edge.claim.kind !== 'refused') return false;
  const [a, b] = [other.claim.purchase, edge.claim.purchase];
  if (a.listingId !== b.listingId || a.market !== b.market || isBetter(edge.row, b, a)) return false;
  if (other.claim.kind !== 'refused' || isBetter(edge.row, a, b)) return true;
  return a.held === b.held ? a.id < b.id : a.held;
}

function isBetter(row: OrderSeen, one: Purchase, than: Purchase): boolean {
  return amountAgrees(one, row.amount) === 'exact' && amountAgrees(than, row.amount) !== 'exact';
}

function isPossible(scene: Scene, { claim, row, fit }: Edge, witness: Witness): boolean {
  const { purchase, kind } = claim;
  if (predates(scene, purchase, row)) return false;
  if (kind === 'unlisted') return !(wasAccepted(purchase) && postdates(scene, purchase, row));
  if (witness.accounts || (witness.differs && standsAfterAll(scene, claim))) return false;
  // A refusal is itself evidence: a float that differs is the second thing against it, and what is not exact speaks only for a while.
  return kind !== 'refused' || (!witness.differs && (fit === 'item' || sinceOutcome(scene, claim) < WATCH_MS));
}

/** An accepted order was made, and debited, by the time of its answer, which a clock set back may have dated before the request. */
export function postdates(scene: Scene, purchase: Purchase, row: OrderSeen | TransactionSeen): boolean {
  if (scene.learnt.datesAgree !== true || row.timestampMs === undefined) return false;
  return row.timestampMs > Math.max(purchase.createdAt, purchase.answeredAt ?? scene.now) + DATE_MARGIN_MS;
}

/** Whether something speaks against settling a claim by its row alone, for now. `isAlone`: no other claim is told from it. */
export function isDoubtful(scene: Scene, { claim, row, fit }: Edge, isAlone: boolean): boolean {
  if (isStrong(fit) || claim.kind === 'unlisted') return false;
  if (stillStands(scene, claim)) return true;
  const witness = witnessOf(scene, claim);
  if (witness.differs && sinceOutcome(scene, claim) < FLOAT_DOUBT_MS) return true;
  if (witness.silent && mayYetSpeak(scene, claim, row, isAlone)) return true;
  if (scene.learnt.datesAgree !== undefined || row.timestampMs === undefined) return false;
  const oldest = Math.min(claim.purchase.createdAt, scene.known.baselineAt ?? claim.purchase.createdAt);
  return row.timestampMs < oldest - DATE_MARGIN_MS;
}

/** listing-detail shows the listing at its old price. */
export function stillStands(scene: Scene, claim: Claim): boolean {
  return saidOf(scene, claim) === 'standing';
}

/** It does so long enough after the request. */
function standsAfterAll(scene: Scene, claim: Claim): boolean {
  return stillStands(scene, claim) && sinceOutcome(scene, claim) >= STANDING_MS;
}

function saidOf(scene: Scene, { purchase }: Claim): 'standing' | 'repriced' | 'gone' | undefined {
  return scene.look.listings.get(listingKey(purchase.market, purchase.listingId));
}
