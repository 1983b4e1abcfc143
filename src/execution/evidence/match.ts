import { type Purchase, wasBought } from '../../domain/purchase.ts';
import type { OrderSeen, TransactionSeen } from '../../engine/evidence.ts';
import { amountAgrees, isNamedBy, provesDebit } from './agree.ts';
import { isBlurred } from './blur.ts';
import { settleByCount } from './count.ts';
import { apart } from './dates.ts';
import { type Edge, edgesOf, isStrong } from './edges.ts';
import { nearestFirst } from './nearest.ts';
import { isBroken } from './order-status.ts';
import { SAME_MOMENT_MS, TOLERANCE } from './policy.ts';
import { type Claim, type Scene, predates } from './scene.ts';
import { isDead } from './transaction-status.ts';

/** A claim with the evidence that belongs to it. */
export interface Match {
  readonly claim: Claim;
  readonly order: OrderSeen | undefined;
  readonly transaction: TransactionSeen | undefined;
  /** How it was recognised, in words. */
  readonly by: string;
}

export interface Matching {
  readonly matches: readonly Match[];
  /** Rows that stay nobody's for now, each with the claims that it may belong to. */
  readonly open: ReadonlyMap<OrderSeen, readonly Claim[]>;
}

/** What is still to be given away: each row, transaction and claim is given once. */
class Board {
  readonly scene: Scene;
  readonly matches: Match[] = [];
  rows: OrderSeen[];
  claims: Claim[];
  transactions: TransactionSeen[];

  constructor(scene: Scene) {
    this.scene = scene;
    this.rows = [...scene.novel];
    this.claims = [...scene.claims];
    this.transactions = [...scene.transactions];
  }

  give(match: Match): void {
    this.matches.push(match);
    this.claims = this.claims.filter((claim) => claim !== match.claim);
    this.rows = this.rows.filter((row) => row !== match.order);
    this.transactions = this.transactions.filter((row) => row !== match.transaction);
    // Its order is still to be told from others': counting sees to that.
    if (match.order === undefined) this.claims = [...this.claims, { kind: 'unlisted', purchase: match.claim.purchase }];
  }

  /** The row of a claim, which a transaction may have proved before. */
  giveRow(claim: Claim, order: OrderSeen, by: string): void {
    const proved = this.matches.findIndex((match) => match.claim.purchase === claim.purchase);
    const [match] = proved < 0 ? [] : this.matches.splice(proved, 1);
    this.claims = this.claims.filter((one) => one !== claim);
    this.give(match === undefined ? { claim, order, transaction: undefined, by } : { ...match, order });
  }

  edges(): Edge[] {
    return edgesOf(this.scene, this.claims, this.rows);
  }
}

/**
 * Which rows belong to which claims, strongest evidence first: a row that names the purchase, a transaction with its float, then
 * what counting leaves no choice about. What could be several things is left open: nothing is settled by a guess.
 */
export function match(scene: Scene): Matching {
  const board = new Board(scene);
  matchByName(board);
  matchByTransaction(board);
  matchByRefund(board);
  for (const { claim, row } of settleByCount(scene, board.edges())) {
    board.giveRow(claim, row, 'its order shows the item at its price, and no other purchase could have made it');
  }
  const open = new Map<OrderSeen, Claim[]>();
  for (const { claim, row } of board.edges()) open.set(row, [...(open.get(row) ?? []), claim]);
  return { matches: board.matches, open };
}

function matchByName(board: Board): void {
  const strong = board.edges().filter(({ fit }) => isStrong(fit));
  for (const row of board.scene.novel) {
    const named = strong.filter((edge) => edge.row === row && board.claims.includes(edge.claim));
    const edge =
      named.length > 1 ? onlyOne(named.filter(({ claim }) => amountAgrees(claim.purchase, row.amount) === 'exact')) : named[0];
    if (edge === undefined || edge.claim.kind === 'in-flight') continue;
    board.give({ claim: edge.claim, order: row, transaction: undefined, by: nameOf(edge) });
  }
}

function nameOf({ fit }: Edge): string {
  return fit === 'reference' ? "its order bears the reference of the service's answer" : 'its order names the listing';
}

function matchByTransaction(board: Board): void {
  for (const row of board.transactions.filter(({ status }) => !isDead(status))) {
    const proved = onlyProved(board.scene, row);
    const claim = board.claims.find(({ purchase }) => purchase === proved);
    if (claim === undefined || claim.kind === 'in-flight' || claim.kind === 'unlisted') continue;
    board.give({
      claim,
      order: orderOf(board, claim, row),
      transaction: row,
      by: "a transaction shows this item's wear and was never seen before",
    });
  }
}

/**
 * An order that failed, where one purchase alone that may have made it is named by money that came back: by its listing or its wear, which
 * no purchase that was bought shares. What came back had been debited.
 */
function matchByRefund(board: Board): void {
  const { scene } = board;
  const isNamed = (purchase: Purchase, row: TransactionSeen): boolean =>
    isNamedBy(purchase, row, scene.learnt.numbersAreListings);
  for (const refund of scene.transactions.filter(({ type }) => type === 'refund')) {
    const named = board.edges().filter(({ claim, row }) => isBroken(row.statusCode) && isNamed(claim.purchase, refund));
    const [edge] = named;
    if (
      edge === undefined ||
      !named.every((one) => isOfOneMoment(one, edge)) ||
      edge.claim.kind === 'in-flight' ||
      edge.claim.kind === 'unlisted'
    )
      continue;
    const { claim, row } = edge;
    if (predates(scene, claim.purchase, refund) || refund.amount > claim.purchase.cost + TOLERANCE) continue;
    if ([...scene.purchases.values()].some((other) => wasBought(other) && isNamed(other, refund))) continue;
    board.give({ claim, order: row, transaction: undefined, by: 'its order failed, and money that came back names it' });
  }
}

/** One claim's rows of one date and amount: none is more its own than another. */
function isOfOneMoment(one: Edge, other: Edge): boolean {
  if (one === other) return true;
  const isSame = one.claim === other.claim && one.row.amount === other.row.amount;
  return isSame && apart(one.row.timestampMs, other.row.timestampMs) === 0;
}

/** The one purchase whose debit a transaction proves; undefined when it proves none, or could be of several. */
export function onlyProved(scene: Scene, row: TransactionSeen): Purchase | undefined {
  const proofs = [...scene.purchases.values()].flatMap((purchase) => {
    if (scene.known.booked.has(purchase.id) || predates(scene, purchase, row)) return [];
    const proof = provesDebit(purchase, row, scene.learnt.numbersAreListings);
    return proof === undefined ? [] : [{ purchase, proof }];
  });
  const tries = finalTries(proofs.map(({ purchase }) => purchase));
  const standing = proofs.filter(({ purchase }) => tries.includes(purchase));
  if (standing.length === 1) return standing[0]?.purchase;
  const named = standing.filter(({ proof }) => proof === 'listing');
  const among = named.length > 0 ? named : standing;
  return onlyOne(among.filter(({ purchase }) => amountAgrees(purchase, row.amount) === 'exact'))?.purchase;
}

/** A listing that was refused, tried again and bought is sold once: what shows its sale is of the try that was bought. */
export function finalTries(purchases: readonly Purchase[]): Purchase[] {
  const sold = purchases.filter(wasBought);
  return purchases.filter(
    ({ state, market, listingId }) =>
      state !== 'rejected' || !sold.some((other) => other.market === market && other.listingId === listingId),
  );
}

/** A transaction that proves another purchase of just this amount was booked nearer to this row. */
function isNearerToAnother({ scene, transactions }: Board, claim: Claim, row: OrderSeen, distance: number): boolean {
  return transactions.some((other) => {
    if (isDead(other.status) || other.amount !== row.amount || apart(row.timestampMs, other.timestampMs) >= distance)
      return false;
    const proved = onlyProved(scene, other);
    return proved !== undefined && proved !== claim.purchase && proved.itemId === claim.purchase.itemId;
  });
}

/**
 * The row that goes with a proved transaction: the same amount, nearest in time. A row that a request in flight may have made is left,
 * and to counting one that another purchase may have made, unless it was made with the debit and the other is not bought for sure: a
 * transaction may show before its order does.
 */
function orderOf(board: Board, claim: Claim, transaction: TransactionSeen): OrderSeen | undefined {
  const others = board.edges().filter((edge) => edge.claim !== claim);
  const isLeft = (row: OrderSeen): boolean =>
    others.some(({ claim: { kind }, row: other }) => other === row && (kind === 'in-flight' || kind === 'unlisted'));
  const contenders = (row: OrderSeen): Purchase[] =>
    others.flatMap(({ claim: { kind, purchase }, row: other }) => (other === row && kind === 'unknown' ? [purchase] : []));
  const isTold = (row: OrderSeen, distance: number): boolean =>
    contenders(row).every(
      (other) => distance <= SAME_MOMENT_MS && !isBlurred(board.scene, row, transaction.timestampMs, [claim.purchase, other]),
    );
  // Its transaction has proved it bought, so whatever spoke against its row before does so no more.
  const edges = edgesOf(board.scene, [{ kind: 'unlisted', purchase: claim.purchase }], board.rows);
  const rows = edges
    .filter(({ row }) => !isLeft(row))
    .filter(({ fit, row }) => fit === 'item' || row.amount === transaction.amount || row.amount === transaction.price)
    .map(({ row }) => ({ row, distance: apart(row.timestampMs, transaction.timestampMs) }))
    .filter(({ row, distance }) => !isNearerToAnother(board, claim, row, distance))
    .filter(({ row, distance }) => isTold(row, distance))
    .map(({ row }) => row);
  return nearestFirst(rows, claim.purchase, transaction.timestampMs)[0];
}

function onlyOne<T>(values: readonly T[]): T | undefined {
  return values.length === 1 ? values[0] : undefined;
}
