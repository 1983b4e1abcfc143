import type { EpochMs } from '../../domain/clock.ts';
import { type Purchase, wasAccepted, wasBought } from '../../domain/purchase.ts';
import type { Known, KnownOrder, Look, OrderSeen, TransactionSeen } from '../../engine/evidence.ts';
import { floatAgrees } from './agree.ts';
import { type Learnt, learn } from './learnt.ts';
import { DATE_MARGIN_MS, type EvidencePolicy } from './policy.ts';
import { hasMoved } from './transaction-status.ts';

/**
 * A purchase that a row which nobody owns yet may belong to.
 * in-flight: its request has no outcome, so nothing is settled about it, but a row that fits is kept for it. unlisted: bought, and no
 * list has shown its order under an id we know.
 */
export interface Claim {
  readonly kind: 'in-flight' | 'unknown' | 'refused' | 'unlisted';
  readonly purchase: Purchase;
}

/** A look and what is known, put in order: nothing here depends on the order of rows. */
export interface Scene {
  readonly look: Look;
  readonly known: Known;
  readonly now: EpochMs;
  readonly policy: EvidencePolicy;
  readonly purchases: ReadonlyMap<number, Purchase>;
  /** Each order once, oldest first. */
  readonly rows: readonly OrderSeen[];
  /** Rows of our own orders, each with its purchase's id. */
  readonly own: ReadonlyMap<OrderSeen, number>;
  /**
   * Rows that nobody owns and no baseline holds; with those that were taken for a stranger's while a refusal which may have made them
   * was held for certain.
   */
  readonly novel: readonly OrderSeen[];
  /** Each transaction once, oldest first. */
  readonly bookings: readonly TransactionSeen[];
  /** Those of them that were never evidence, and that are some: of a refund, that the money has moved; of any, that there is some. */
  readonly transactions: readonly TransactionSeen[];
  /** Oldest first. */
  readonly claims: readonly Claim[];
  readonly learnt: Learnt;
}

/** Sorts out what each row and purchase is before anything is judged. */
export function sceneOf(look: Look, known: Known, now: EpochMs, policy: EvidencePolicy, before: Learnt): Scene {
  const ordered = known.purchases.toSorted((a, b) => a.createdAt - b.createdAt || a.id - b.id);
  const purchases = new Map(ordered.map((purchase) => [purchase.id, purchase]));
  const rows = once(look.orders?.rows ?? [], (row) => row.orderId);
  const byOrderId = new Map<string, Purchase>();
  for (const purchase of ordered) {
    const id = purchase.serviceOrderId;
    if (id !== undefined && !byOrderId.has(id)) byOrderId.set(id, purchase);
  }
  const own = new Map<OrderSeen, number>();
  const novel: OrderSeen[] = [];
  const strangersCount = ordered.some(mayTurnOut);
  for (const row of rows) {
    const owner = ownerOf(row, known.orders.get(row.orderId), byOrderId);
    if (owner !== undefined) own.set(row, owner);
    else if (!known.orders.has(row.orderId) || (strangersCount && known.orders.get(row.orderId)?.as === 'adopted'))
      novel.push(row);
  }
  const bookings = once(look.transactions?.rows ?? [], (row) => row.transactionId);
  const learnt = learn(before, known, own, bookings);
  return {
    look,
    known,
    now,
    policy,
    purchases,
    rows,
    own,
    novel,
    bookings,
    transactions: bookings.filter((row) => !known.usedTransactions.has(row.transactionId) && isEvidence(row)),
    claims: ordered.flatMap((purchase) => claimOf(purchase, known, own, learnt)),
    learnt,
  };
}

function isEvidence({ type, status, amount }: TransactionSeen): boolean {
  return amount > 0 && (type !== 'refund' || hasMoved(status));
}

/** Held for never bought, by looks or by a person; or found bought after that. */
export function mayTurnOut(purchase: Purchase): boolean {
  return purchase.state === 'rejected' ? !purchase.held : wasBought(purchase) && !wasAccepted(purchase);
}

function ownerOf(row: OrderSeen, known: KnownOrder | undefined, byOrderId: ReadonlyMap<string, Purchase>): number | undefined {
  const answered = byOrderId.get(row.orderId);
  if (answered !== undefined) return answered.id;
  return known?.as === 'ours' ? known.purchaseId : undefined;
}

/** Each row once, by its id, oldest first. Of copies that differ, always the same one is kept, whatever their order. */
function once<T extends { readonly timestampMs: EpochMs | undefined }>(rows: readonly T[], idOf: (row: T) => string): T[] {
  const byId = new Map<string, T>();
  for (const row of rows) {
    const before = byId.get(idOf(row));
    if (before === undefined || JSON.stringify(row) > JSON.stringify(before)) byId.set(idOf(row), row);
  }
  const age = (row: T): number => row.timestampMs ?? Number.POSITIVE_INFINITY;
  return [...byId.values()].sort((a, b) => compare(age(a), age(b)) || compare(idOf(a), idOf(b)));
}

function compare<T extends number | string>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * The service's dates have proved true of our own rows, and this row is from clearly before the purchase. What a clock far ahead has dated
 * later than now came after nothing for certain.
 */
export function predates(
  { learnt, now }: Scene,
  { createdAt }: Purchase,
  row: { readonly timestampMs: EpochMs | undefined },
): boolean {
  if (createdAt > now) return false;
  return learnt.datesAgree === true && row.timestampMs !== undefined && row.timestampMs < createdAt - DATE_MARGIN_MS;
}

/** The service's floats have proved true of our own items, and this transaction shows another one. */
export function isAnothers({ learnt }: Scene, purchase: Purchase, row: TransactionSeen): boolean {
  return learnt.floatsAgree && floatAgrees(purchase, row) === 'differs';
}

function claimOf(purchase: Purchase, known: Known, own: ReadonlyMap<OrderSeen, number>, learnt: Learnt): Claim[] {
  switch (purchase.state) {
    case 'intended':
      return [{ kind: 'in-flight', purchase }];
    case 'unknown':
      return [{ kind: 'unknown', purchase }];
    case 'rejected':
      return [{ kind: 'refused', purchase }];
    case 'bought':
    case 'completed':
    case 'refunded':
      return isUnlisted(purchase, known, own, learnt) ? [{ kind: 'unlisted', purchase }] : [];
    case 'expired':
    case 'simulated':
      return [];
  }
}

/** Where lists bear the ids of answers, a purchase that has such an id waits for that row and claims no other. */
function isUnlisted(purchase: Purchase, known: Known, own: ReadonlyMap<OrderSeen, number>, learnt: Learnt): boolean {
  if (known.listed.has(purchase.id)) return false;
  for (const owner of own.values()) if (owner === purchase.id) return false;
  return purchase.serviceOrderId === undefined || learnt.ownIds !== true;
}

/** Milliseconds from when the outcome was recorded to when this look began; below zero when it began before. */
export function sinceOutcome(scene: Scene, { purchase }: Claim): number {
  return scene.look.beganAt - (purchase.answeredAt ?? scene.now);
}
