import { formatDollars } from '../../domain/money.ts';
import { type Purchase, wasBought } from '../../domain/purchase.ts';
import { type Finding, type Proof, type TransactionSeen, noProof } from '../../engine/evidence.ts';
import { mayBeDebit, provesDebit } from './agree.ts';
import { Assignment } from './assignment.ts';
import { isComplete } from './complete.ts';
import { postdates, stillStands } from './edges.ts';
import type { Matching } from './match.ts';
import {
  CONFIRM_GAP_MS,
  DISTRUST_MS,
  LIST_LAG_MS,
  LOOKS_FEW,
  LOOKS_MANY,
  QUIET_GAP_MS_MAX,
  QUIET_MS,
  QUIET_UNREADABLE_SHARE,
  STANDING_MS,
} from './policy.ts';
import { type Claim, type Scene, isAnothers, predates, sinceOutcome } from './scene.ts';
import { balanceUnchanged } from './unchanged.ts';

/** What this one look says about one purchase. */
interface Absence {
  /** It began after the outcome, shows every order there could be, and none of them is this purchase's. */
  readonly complete: boolean;
  /** Orders that could be its own and that nobody else has explained: those of this look, and of earlier ones. */
  readonly mayBeIts: readonly string[];
  /** The balance, read after the outcome, is what it should be if this purchase was not debited. */
  readonly unchanged: boolean;
  readonly standing: boolean;
  /** A purchase transaction that was never evidence may be its debit; undefined when the transactions could not be read whole. */
  readonly debitPossible: boolean | undefined;
}

/** How far each purchase without a trace is proved not bought, and those for which the proof is done. */
export function absenceFindings(scene: Scene, matching: Matching): Finding[] {
  const matched = new Set(matching.matches.map(({ claim }) => claim));
  return scene.claims.flatMap((claim) => {
    if (matched.has(claim) || !needsProof(claim)) return [];
    const before = scene.known.proofs.get(claim.purchase.id) ?? noProof;
    const absence = absenceOf(scene, matching, claim, before);
    const proof = advanced(scene, claim, before, absence);
    const concluded = conclusion(scene, claim, proof, absence);
    return concluded === undefined
      ? [{ kind: 'proof' as const, purchaseId: claim.purchase.id, proof }, ...stillUnknown(scene, claim)]
      : [concluded];
  });
}

/** Told once, when the looks of the first minute have not settled it, or no list that is merely late explains a refusal any more. */
function stillUnknown(scene: Scene, claim: Claim): Finding[] {
  const { id, marketHashName, cost } = claim.purchase;
  const patienceMs = claim.kind === 'unknown' ? STANDING_MS : LIST_LAG_MS;
  if (sinceOutcome(scene, claim) < patienceMs || scene.known.alerted.has(`unknown:${id}`)) return [];
  const doubt = claim.kind === 'unknown' ? '' : ', though it was refused';
  const message = `Nobody can say yet whether purchase ${id} (${marketHashName}, ${formatDollars(cost)}) was bought${doubt}: its money stays reserved`;
  const next = `Wait for evidence, or look it up at the service and run \`magpie resolve ${id} --as bought|not-bought --reason TEXT\`.`;
  return [{ kind: 'alert', alert: { kind: 'unknown', at: scene.now, message, next, purchaseId: id } }];
}

function needsProof({ kind, purchase }: Claim): boolean {
  return kind === 'unknown' || (kind === 'refused' && purchase.held);
}

function absenceOf(scene: Scene, matching: Matching, claim: Claim, before: Proof): Absence {
  const { purchase } = claim;
  const { orders } = scene.look;
  const begunAfter = orders !== undefined && orders.beganAt > (purchase.answeredAt ?? scene.now);
  const mayBeIts = unexplained(scene, matching, claim, before);
  return {
    complete: begunAfter && mayBeIts.length === 0 && isComplete(scene, matching, purchase),
    mayBeIts,
    unchanged: balanceUnchanged(scene, matching, purchase),
    standing: stillStands(scene, claim),
    debitPossible: debitPossible(scene, matching, purchase),
  };
}

/** What could be its own now, and what could before and has vanished since without having become anybody's. */
function unexplained({ known, rows }: Scene, matching: Matching, claim: Claim, { mayBeIts }: Proof): string[] {
  const shown = [...matching.open].filter(([, claims]) => claims.includes(claim)).map(([row]) => row.orderId);
  const joined = new Set(matching.matches.map(({ order }) => order?.orderId));
  const present = new Set(rows.map((row) => row.orderId));
  const vanished = mayBeIts.filter((id) => !present.has(id) && !known.orders.has(id) && !joined.has(id));
  return [...shown, ...vanished];
}

function debitPossible(scene: Scene, matching: Matching, purchase: Purchase): boolean | undefined {
  const { transactions } = scene.look;
  const open = openTransactions(scene, matching);
  const fitting = open.filter(
    (row) => !predates(scene, purchase, row) && !isAnothers(scene, purchase, row) && mayBe(scene, purchase, row),
  );
  if (mayHaveOne(scene, open, fitting)) return true;
  return transactions !== undefined && transactions.unreadable === 0 ? false : undefined;
}

function openTransactions(scene: Scene, matching: Matching): TransactionSeen[] {
  const used = new Set(matching.matches.map(({ transaction }) => transaction));
  return scene.transactions.filter((row) => !used.has(row));
}

function mayBe(scene: Scene, purchase: Purchase, row: TransactionSeen): boolean {
  const { numbersAreListings } = scene.learnt;
  return mayBeDebit(purchase, row, numbersAreListings) || provesDebit(purchase, row, numbersAreListings) !== undefined;
}

/**
 * Whether one of these transactions may be its own, though it is one of others as well: what was certainly bought must have a debit, and
 * where that is not merely late, each of them has one. None is left where each is somebody's, whichever is whose.
 */
function mayHaveOne(scene: Scene, open: readonly TransactionSeen[], fitting: readonly TransactionSeen[]): boolean {
  const mayBeOf = (other: Purchase, row: TransactionSeen): boolean =>
    !predates(scene, other, row) && !postdates(scene, other, row) && mayBe(scene, other, row);
  const assignment = new Assignment<Purchase | undefined, TransactionSeen>((taker) => [
    taker === undefined ? fitting : open.filter((row) => mayBeOf(taker, row)),
  ]);
  for (const other of scene.purchases.values()) if (mustHaveOne(scene, other)) assignment.give(other);
  return assignment.give(undefined);
}

function mustHaveOne({ known, look, now }: Scene, purchase: Purchase): boolean {
  if (!wasBought(purchase) || known.booked.has(purchase.id)) return false;
  return look.beganAt - (purchase.answeredAt ?? now) >= LIST_LAG_MS;
}

function advanced(scene: Scene, { purchase }: Claim, before: Proof, absence: Absence): Proof {
  const { look } = scene;
  const gap = Math.min(Math.max(look.beganAt - (before.lastLookAt ?? look.beganAt), 0), QUIET_GAP_MS_MAX);
  return {
    ...looksSoFar(look, before, absence),
    // Also when it seems earlier: the clock was set back, and quiet time must go on counting.
    lastLookAt: look.beganAt,
    healthyMs: before.healthyMs + gap * healthyShare(look.healthyMarkets.has(purchase.market), look.healthUnreadable),
    standingAt: standingAt(scene, purchase, before, absence),
    balanceUnchangedAt: absence.unchanged ? look.balance?.beganAt : before.balanceUnchangedAt,
    mayBeIts: absence.mayBeIts,
  };
}

/** An order that could be its own takes back what complete looks before it seemed to show. */
function looksSoFar(
  look: Scene['look'],
  before: Proof,
  { complete, mayBeIts }: Absence,
): Pick<Proof, 'completeLooks' | 'firstLookAt'> {
  if (mayBeIts.length > 0) return { completeLooks: 0, firstLookAt: undefined };
  const thisAt = complete ? look.orders?.beganAt : undefined;
  const { firstLookAt = thisAt } = before;
  return {
    completeLooks: before.completeLooks + (complete ? 1 : 0),
    // One that a clock far ahead has dated was before this one, and nobody can say how long.
    firstLookAt: firstLookAt !== undefined && thisAt !== undefined && firstLookAt > thisAt ? thisAt : firstLookAt,
  };
}

function healthyShare(healthy: boolean, unreadable: boolean): number {
  if (healthy) return 1;
  return unreadable ? QUIET_UNREADABLE_SHARE : 0;
}

function standingAt({ look }: Scene, purchase: Purchase, before: Proof, absence: Absence): number | undefined {
  if (absence.standing) return look.beganAt;
  const said = look.listings.get(`${purchase.market}:${purchase.listingId}`);
  return said === undefined ? before.standingAt : undefined;
}

function conclusion(scene: Scene, claim: Claim, proof: Proof, absence: Absence): Finding | undefined {
  const { purchase, kind } = claim;
  if (!absence.complete) return undefined;
  const beganAt = scene.look.orders?.beganAt ?? scene.look.beganAt;
  if (kind === 'refused') {
    const apart = beganAt - (proof.firstLookAt ?? beganAt) >= (refusalsLie(scene) ? LIST_LAG_MS : CONFIRM_GAP_MS);
    if (proof.completeLooks < LOOKS_FEW || !apart) return undefined;
    return {
      kind: 'refusal-confirmed',
      purchaseId: purchase.id,
      note: `${proof.completeLooks} complete looks at the orders show none of it`,
    };
  }
  if (!absence.unchanged || absence.debitPossible === true) return undefined;
  // Where transactions have never been readable, the early proof does without them.
  const silent = absence.debitPossible === false || scene.known.transactionsBaselineAt === undefined;
  const early = silent && absence.standing && sinceOutcome(scene, claim) >= STANDING_MS && proof.completeLooks >= LOOKS_FEW;
  const long = absence.debitPossible === false && proof.completeLooks >= LOOKS_MANY && proof.healthyMs >= QUIET_MS;
  if (!early && !long) return undefined;
  return {
    kind: 'not-bought',
    purchaseId: purchase.id,
    note: `not bought: ${early ? earlyNote(proof) : longNote(proof)}${hint(scene, purchase)}`,
  };
}

/** One that was refused lately has been bought all the same: what lists lack may only be late. */
function refusalsLie({ purchases, look }: Scene): boolean {
  return [...purchases.values()].some(
    (purchase) => purchase.refusalCause !== undefined && wasBought(purchase) && look.beganAt - purchase.createdAt < DISTRUST_MS,
  );
}

function earlyNote(proof: Proof): string {
  return `${proof.completeLooks} complete looks show no order, the balance is unchanged, and the listing still stands at its price`;
}

function longNote(proof: Proof): string {
  const minutes = Math.floor(proof.healthyMs / 60_000);
  return `${proof.completeLooks} complete looks over ${minutes} quiet minutes show no order and no debit, and the balance is explained`;
}

/** A refusal right after a lost answer hints that the lost one was accepted. It decides nothing, but a reader should know. */
export function hint({ known }: Scene, purchase: Purchase): string {
  const since = purchase.answeredAt ?? purchase.createdAt;
  const later = known.purchases.find(
    (other) =>
      other.id !== purchase.id &&
      other.state === 'rejected' &&
      !other.wasUnknown &&
      other.createdAt >= purchase.createdAt &&
      other.createdAt <= since + STANDING_MS,
  );
  return later === undefined
    ? ''
    : ` (purchase ${later.id} was refused soon after: ${later.reason ?? later.refusalCause ?? 'no reason given'})`;
}
