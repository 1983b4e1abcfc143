import { awaitedOf, mayDo } from '../app/awaited.ts';
import type { Alert } from '../domain/alert.ts';
import type { EpochMs } from '../domain/clock.ts';
import { dollarsFromMicros } from '../domain/money.ts';
import type { Timings } from '../domain/outcome.ts';
import { type Purchase, purchaseJson } from '../domain/purchase.ts';
import type { Proof } from '../engine/evidence.ts';
import type { Reader } from '../ledger/ledger.ts';
import type { EvidenceRow } from '../ledger/queries.ts';
import type { Shadow } from '../domain/shadow.ts';
import { shadowJson } from './shadow-text.ts';
import { stepsJson } from './speed.ts';

/** Everything that is known of one purchase. */
export interface PurchaseFacts {
  readonly purchase: Purchase;
  readonly timings: Timings | undefined;
  /** What happened to it, oldest first. */
  readonly evidence: readonly EvidenceRow[];
  /** How far the proof has come that it was never bought; undefined where none was begun. */
  readonly proof: Proof | undefined;
  /** What live would have come to, of a purchase on paper that was checked. */
  readonly shadow: Shadow | undefined;
  readonly alerts: readonly Alert[];
  readonly awaited: readonly string[];
  readonly mayDo: readonly string[];
}

/** Undefined where the ledger knows no such purchase. */
export function purchaseFacts(reader: Reader, id: number, now: EpochMs): PurchaseFacts | undefined {
  const purchase = reader.purchase(id);
  if (purchase === undefined) return undefined;
  const proof = reader.proofs([id]).get(id);
  return {
    purchase,
    timings: reader.timingsOf(id),
    evidence: reader.evidenceOf(id),
    proof,
    shadow: reader.shadowsOf([id]).get(id),
    alerts: reader.alertsOf(id),
    awaited: awaitedOf(purchase, proof, now),
    mayDo: mayDo(purchase),
  };
}

/** `purchases ID --json`: the fields of the list, and what is known beyond. */
export function purchaseFactsJson({
  purchase,
  timings,
  evidence,
  proof,
  shadow,
  alerts,
  awaited,
  mayDo,
}: PurchaseFacts): unknown {
  return {
    ...purchaseJson(purchase),
    held: purchase.held,
    expectedCost: dollarsFromMicros(purchase.cost),
    paintSeed: purchase.paintSeed ?? null,
    times: {
      seen: iso(timings?.seenAt),
      decided: iso(timings?.decidedAt),
      committed: iso(timings?.committedAt ?? purchase.createdAt),
      sent: iso(timings?.sentAt),
      answered: iso(timings?.answeredAt),
      completed: iso(purchase.completedAt),
      settles: iso(purchase.settlementAt),
    },
    steps: stepsJson(timings),
    timeline: evidence.map(({ at, from, to, kind, note, json }) => ({
      ...{ at: iso(at), from: from ?? null, to, kind, note: note ?? null },
      evidence: json === undefined ? null : (JSON.parse(json) as unknown),
    })),
    shadow: shadowJson(shadow),
    proof: proof === undefined ? null : proofJson(proof),
    alerts: alerts.map(({ kind, at, message, next }) => ({ kind, at: iso(at), message, next: next ?? null })),
    awaited,
    mayDo,
  };
}

function proofJson({ completeLooks, firstLookAt, lastLookAt, healthyMs, standingAt, balanceUnchangedAt }: Proof): unknown {
  return {
    completeLooks,
    firstLookAt: iso(firstLookAt),
    lastLookAt: iso(lastLookAt),
    healthyMinutes: Math.floor(healthyMs / 60_000),
    listingStoodAt: iso(standingAt),
    balanceUnchangedAt: iso(balanceUnchangedAt),
  };
}

function iso(at: EpochMs | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}
