import type { EpochMs } from '../../domain/clock.ts';
import type { OrderSeen } from '../../engine/evidence.ts';
import { provesDebit } from './agree.ts';
import { Assignment } from './assignment.ts';
import { isBlurred } from './blur.ts';
import { apart } from './dates.ts';
import { type Edge, isDoubtful } from './edges.ts';
import { BLURRED_MS, LIST_LAG_MS, OWN_ID_WAIT_MS, SAME_MOMENT_MS, UNLISTED_FRESH_MS, WATCH_MS } from './policy.ts';
import { type Nearness, compare, nearestFirst, nearnessOf, together } from './nearest.ts';
import { type Claim, type Scene, sinceOutcome } from './scene.ts';

interface Pair {
  readonly claim: Claim;
  readonly row: OrderSeen;
}

/** Claims and rows that hang together: whatever is decided about one touches the others. */
interface Group {
  readonly claims: readonly Claim[];
  readonly rows: readonly OrderSeen[];
  readonly edges: readonly Edge[];
  /** When the service booked the debit of a claim, where a transaction shows it. */
  readonly debitedAt: ReadonlyMap<Claim, EpochMs>;
}

/**
 * Pairs that counting leaves no choice about. A claim whose debit is seen gets the row nearest to it in time; of the others the oldest
 * get the oldest rows: in one group they cost the same.
 */
export function settleByCount(scene: Scene, edges: readonly Edge[]): Pair[] {
  return groupsOf(scene, edges).flatMap((group) => settleGroup(scene, group));
}

function settleGroup(scene: Scene, group: Group): Pair[] {
  if (group.claims.some(({ kind }) => kind === 'in-flight')) return [];
  const unsettled = group.claims.filter(({ kind }) => kind !== 'unlisted');
  const sure = group.claims.filter(
    (claim) => claim.kind === 'unlisted' && (unsettled.length === 0 || isFresh(scene, claim) || isDebitedWith(group, claim)),
  );
  if (!sure.every((claim) => mayTakeOtherId(scene, claim))) return [];
  // One that was certainly bought long ago and has neither a row nor a debit that shows may have made any of these.
  if (unsettled.length > 0 && group.claims.some((claim) => isUnaccounted(group, claim, sure))) return [];
  if (unsettled.length === 0) return settleSure(scene, group, sure);
  // The order of a purchase that was certainly bought must be somewhere, so it comes first.
  if (group.rows.length === sure.length) return unlessLate(scene, group, pair(group, sure));
  if (group.edges.some((edge) => isDoubtful(scene, edge, group.claims.length === 1))) return [];
  if (group.rows.length === sure.length + unsettled.length) return pair(group, inOrder(group, [...sure, ...unsettled]));
  // What was settled as not bought gives way to what is in doubt, and a refusal that stood its watch to what is unknown.
  const doubtful = unsettled.filter(({ kind, purchase }) => kind === 'unknown' || purchase.held);
  const unknown = unsettled.filter(({ kind }) => kind === 'unknown');
  for (const favoured of [doubtful, unknown]) {
    const others = unsettled.filter((claim) => !favoured.includes(claim));
    const watched = others.every((claim) => sinceOutcome(scene, claim) >= WATCH_MS);
    if (watched && group.rows.length === sure.length + favoured.length)
      return pair(group, inOrder(group, [...sure, ...favoured]));
  }
  return [];
}

function isFresh(scene: Scene, claim: Claim): boolean {
  return sinceOutcome(scene, claim) < UNLISTED_FRESH_MS;
}

/** One of the rows was made when it was debited: however old, it has a row among these. */
function isDebitedWith({ edges, debitedAt }: Group, claim: Claim): boolean {
  const at = debitedAt.get(claim);
  return edges.some((edge) => edge.claim === claim && apart(edge.row.timestampMs, at) <= SAME_MOMENT_MS);
}

function isUnaccounted({ debitedAt }: Group, claim: Claim, sure: readonly Claim[]): boolean {
  return claim.kind === 'unlisted' && !sure.includes(claim) && !debitedAt.has(claim);
}

/** Pairs of which none has a row that may be another's: its own may merely be late. */
function unlessLate(scene: Scene, group: Group, pairs: Pair[]): Pair[] {
  const waits = (one: Pair): boolean =>
    isContended(scene, group, one) || (sinceOutcome(scene, one.claim) < LIST_LAG_MS && mayBeAnothers(group, one));
  return pairs.some(waits) ? [] : pairs;
}

/** Another purchase that is in doubt may have made the row within the second of the debit, for all that dates tell. */
function isContended(scene: Scene, { edges, debitedAt }: Group, { claim, row }: Pair): boolean {
  if (scene.learnt.datesAgree !== true && sinceOutcome(scene, claim) >= BLURRED_MS) return false;
  return contendersOf(edges, claim, row).some((other) =>
    isBlurred(scene, row, debitedAt.get(claim), [claim.purchase, other.claim.purchase]),
  );
}

function contendersOf(edges: readonly Edge[], claim: Claim, row: OrderSeen): Edge[] {
  return edges.filter((edge) => edge.row === row && edge.claim !== claim && edge.claim.kind !== 'unlisted');
}

/**
 * The row was made at another moment than the purchase was debited, or is of an amount that only a changed fee could explain, and
 * another purchase may have made it, or just that amount belongs to one.
 */
function mayBeAnothers({ edges, debitedAt }: Group, { claim, row }: Pair): boolean {
  const contenders = contendersOf(edges, claim, row);
  const isNear = edges.some((edge) => edge.row === row && edge.claim === claim && edge.fit === 'near');
  if (isNear && contenders.some(({ fit }) => fit === 'item')) return true;
  const elsewhen = debitedAt.has(claim) && apart(row.timestampMs, debitedAt.get(claim)) > SAME_MOMENT_MS;
  return elsewhen && (isNear || contenders.length > 0);
}

/** Nothing but purchases that were bought: they get the rows there are, once the rest had time to show. */
function settleSure(scene: Scene, group: Group, sure: readonly Claim[]): Pair[] {
  const late = sure.every((claim) => sinceOutcome(scene, claim) >= LIST_LAG_MS);
  return group.rows.length >= sure.length || late ? unlessLate(scene, group, pair(group, sure)) : [];
}

/** Whether lists are known to bear other ids than answers do, or the answer's own id has been waited for long enough. */
function mayTakeOtherId(scene: Scene, claim: Claim): boolean {
  if (claim.purchase.serviceOrderId === undefined || scene.learnt.ownIds === false) return true;
  return sinceOutcome(scene, claim) >= OWN_ID_WAIT_MS;
}

function inOrder(group: Group, claims: readonly Claim[]): Claim[] {
  return group.claims.filter((claim) => claims.includes(claim));
}

/**
 * All pairs or none: one that does not fit means that the order of things is not what it seems. The rows of purchases at slightly
 * different prices hang together, and each has its own: one of exactly the amount comes before one near it.
 */
function pair(group: Group, claims: readonly Claim[]): Pair[] {
  const assignment = new Assignment<Claim, OrderSeen>((claim) => {
    const edges = group.edges.filter((edge) => edge.claim === claim);
    const exact = edges.filter(({ fit }) => fit === 'item');
    const rows = rowsFor(group, claim);
    return (claim.kind === 'unlisted' ? [exact, edges] : [exact]).map((fitting) =>
      rows.filter((row) => fitting.some((edge) => edge.row === row)),
    );
  });
  const [seen, unseen] = [
    claims.filter((claim) => group.debitedAt.has(claim)),
    claims.filter((claim) => !group.debitedAt.has(claim)),
  ];
  for (const claim of [...seen, ...unseen]) assignment.give(claim);
  const pairs = assignment.pairs.map(([row, claim]) => ({ claim, row }));
  return pairs.length === Math.min(claims.length, group.rows.length) ? exchanged(group, pairs) : [];
}

/** Two of the pairs exchange their rows as long as these then go better with the debits of both. */
function exchanged(group: Group, pairs: readonly Pair[]): Pair[] {
  const after = [...pairs];
  // Each pass makes all of it better; bounded, so that no rounding can make it go on for ever.
  for (const _ of pairs) if (!exchangeOnce(group, after)) break;
  return after;
}

function exchangeOnce(group: Group, pairs: Pair[]): boolean {
  let hasChanged = false;
  for (let first = 0; first < pairs.length; first++) {
    for (let second = first + 1; second < pairs.length; second++) {
      const [one, other] = [pairs[first], pairs[second]];
      if (one === undefined || other === undefined) continue;
      if (!group.debitedAt.has(one.claim) || !group.debitedAt.has(other.claim)) continue;
      const crossed = [
        { ...one, row: other.row },
        { ...other, row: one.row },
      ] as const;
      if (!isBetter(group, crossed, [one, other])) continue;
      [pairs[first], pairs[second]] = crossed;
      hasChanged = true;
    }
  }
  return hasChanged;
}

function isBetter(group: Group, these: readonly Pair[], those: readonly Pair[]): boolean {
  const edges = these.map((pair) => group.edges.find(({ claim, row }) => claim === pair.claim && row === pair.row));
  if (edges.includes(undefined)) return false;
  const nearness = (pairs: readonly Pair[]): Nearness =>
    together(pairs.map(({ claim, row }) => nearnessOf(row, claim.purchase, group.debitedAt.get(claim))));
  const isExact = (edge: Edge | undefined): boolean => edge?.fit === 'item';
  return edges.every(isExact) && compare(nearness(these), nearness(those)) < 0;
}

/** Oldest first; nearest to its debit first where that is seen. */
function rowsFor({ rows, debitedAt }: Group, claim: Claim): readonly OrderSeen[] {
  return debitedAt.has(claim) ? nearestFirst(rows, claim.purchase, debitedAt.get(claim)) : rows;
}

/** The one transaction that shows a claim's debit, whether it has served as evidence or not. */
function debitOf({ bookings, known, learnt }: Scene, { purchase }: Claim): EpochMs | undefined {
  if (known.booked.has(purchase.id)) return known.booked.get(purchase.id);
  const debits = bookings.filter((row) => provesDebit(purchase, row, learnt.numbersAreListings) !== undefined);
  return debits.length === 1 ? debits[0]?.timestampMs : undefined;
}

function groupsOf(scene: Scene, edges: readonly Edge[]): Group[] {
  const groups: { claims: Set<Claim>; rows: Set<OrderSeen>; edges: Edge[] }[] = [];
  for (const edge of edges) {
    const touched = groups.filter(({ claims, rows }) => claims.has(edge.claim) || rows.has(edge.row));
    const merged = { claims: new Set([edge.claim]), rows: new Set([edge.row]), edges: [edge] };
    for (const group of touched) {
      for (const claim of group.claims) merged.claims.add(claim);
      for (const row of group.rows) merged.rows.add(row);
      merged.edges.push(...group.edges);
      groups.splice(groups.indexOf(group), 1);
    }
    groups.push(merged);
  }
  return groups.map((group) => ({
    claims: [...group.claims].sort((a, b) => a.purchase.createdAt - b.purchase.createdAt || a.purchase.id - b.purchase.id),
    rows: [...group.rows].sort((a, b) => age(a) - age(b) || (a.orderId < b.orderId ? -1 : 1)),
    edges: group.edges,
    debitedAt: new Map(
      [...group.claims].flatMap((claim) => {
        const at = debitOf(scene, claim);
        return at === undefined ? [] : [[claim, at] as const];
      }),
    ),
  }));
}

function age(row: OrderSeen): number {
  return row.timestampMs ?? Number.MAX_VALUE;
}
