import { listingKey } from '../../domain/listing.ts';
import type { Purchase } from '../../domain/purchase.ts';
import type { OrderSeen, TransactionSeen } from '../../engine/evidence.ts';
import { type Fit, amountAgrees, fitOf, floatAgrees, mayBeDebit } from './agree.ts';
import { DATE_MARGIN_MS, FLOAT_DOUBT_MS, STANDING_MS } from './policy.ts';
import { type Claim, type Scene, predates } from './scene.ts';

/** A claim and a row that may be its order. */
export interface Edge {
  readonly claim: Claim;
  readonly row: OrderSeen;
  readonly fit: Fit;
}

/** The row names this very purchase: nothing else is needed. */
export function isStrong(fit: Fit): boolean {
  return fit === 'reference' || fit === 'listing';
}

/** Every claim with every row that may be its order, after all that rules a row out. */
export function edgesOf(scene: Scene, claims: readonly Claim[], rows: readonly OrderSeen[]): Edge[] {
  const edges = claims.flatMap((claim) => {
    const fitting = rows.flatMap((row) => {
      const fit = fitOf(claim.purchase, row, scene.learnt.numbersAreListings);
      return fit === undefined ? [] : [{ claim, row, fit }];
    });
    const debits = debitsOf(scene, claim);
    const alike = fitting.filter(({ fit }) => fit === 'item').length;
    return fitting.filter((edge) => isStrong(edge.fit) || isPossible(scene, edge, debits, alike));
  });
  return edges.filter((edge) => !edges.some((other) => outranks(other, edge) || wasSold(scene, other, edge)));
}

/** Of two claims to one row, a listing that still stands a minute later gives way to one that is gone: that one was bought. */
function wasSold(scene: Scene, other: Edge, edge: Edge): boolean {
  if (other === edge || other.row !== edge.row || isStrong(edge.fit) || edge.claim.kind === 'unlisted') return false;
  return standsAfterAll(scene, edge.claim) && saidOf(scene, other.claim) === 'gone';
}

/**
 * A listing that was refused and tried again is one listing, which can be bought once: the later try has the better claim to a
 * row that fits both, and of two refusals the earlier (the other was refused because it was gone).
 */
function outranks(other: Edge, edge: Edge): boolean {
  if (other === edge || other.row !== edge.row || edge.claim.kind !== 'refused') return false;
  const [a, b] = [other.claim.purchase, edge.claim.purchase];
  if (a.listingId !== b.listingId || a.market !== b.market || isBetter(edge.row, b, a)) return false;
  return other.claim.kind !== 'refused' || isBetter(edge.row, a, b) || a.id < b.id;
}

function isBetter(row: OrderSeen, one: Purchase, than: Purchase): boolean {
  return amountAgrees(one, row.amount) === 'exact' && amountAgrees(than, row.amount) !== 'exact';
}

/** Transactions that were never evidence and may be this claim's debit. */
function debitsOf(scene: Scene, claim: Claim): TransactionSeen[] {
  const { purchase } = claim;
  return scene.transactions.filter(
    (row) => mayBeDebit(purchase, row, scene.learnt.numbersAreListings) && !predates(scene, purchase, row),
  );
}

/** `alike`: how many rows show the claim's item at exactly its amount. */
function isPossible(scene: Scene, { claim, row, fit }: Edge, debits: readonly TransactionSeen[], alike: number): boolean {
  const { purchase, kind } = claim;
  // A refusal is itself evidence: only an exact row without a contradicting float speaks against it.
  if (kind === 'refused' && (fit !== 'item' || allDiffer(claim, debits))) return false;
  if (kind !== 'unlisted' && standsAfterAll(scene, claim) && allDiffer(claim, debits)) return false;
  // One float that differs disproves nothing. As many transactions as rows, none of them ours, from a service whose floats
  // have proved true, show that all those rows are somebody else's.
  if (kind !== 'unlisted' && scene.learnt.floatsAgree && debits.length >= Math.max(1, alike) && allDiffer(claim, debits))
    return false;
  if (predates(scene, purchase, row)) return false;
  if (scene.learnt.datesAgree !== true || row.timestampMs === undefined) return true;
  return kind !== 'unlisted' || row.timestampMs <= (purchase.answeredAt ?? scene.now) + DATE_MARGIN_MS;
}

/** Whether something speaks against settling a claim by its row alone, for now. */
export function isDoubtful(scene: Scene, { claim, row, fit }: Edge): boolean {
  if (isStrong(fit) || claim.kind === 'unlisted') return false;
  if (stillStands(scene, claim)) return true;
  if (allDiffer(claim, debitsOf(scene, claim)) && sinceOutcome(scene, claim) < FLOAT_DOUBT_MS) return true;
  if (scene.learnt.datesAgree !== undefined || row.timestampMs === undefined) return false;
  const oldest = Math.min(claim.purchase.createdAt, scene.known.baselineAt ?? claim.purchase.createdAt);
  return row.timestampMs < oldest - DATE_MARGIN_MS;
}

function allDiffer(claim: Claim, debits: readonly TransactionSeen[]): boolean {
  return debits.length > 0 && debits.every((row) => floatAgrees(claim.purchase, row) === 'differs');
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

/** Milliseconds from when the outcome was recorded to when this look began; below zero when it began before. */
export function sinceOutcome(scene: Scene, { purchase }: Claim): number {
  return scene.look.beganAt - (purchase.answeredAt ?? scene.now);
}
