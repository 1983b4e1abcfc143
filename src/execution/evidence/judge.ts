import type { EpochMs } from '../../domain/clock.ts';
import type { Finding, Known, Look } from '../../engine/evidence.ts';
import { absenceFindings } from './absence.ts';
import { certainBaseTotal } from './complete.ts';
import { debitFindings } from './debits.ts';
import { exchangeFindings } from './exchange.ts';
import { type Learnt, nothingLearnt } from './learnt.ts';
import { type Matching, match } from './match.ts';
import type { EvidencePolicy } from './policy.ts';
import { refundFindings } from './refunds.ts';
import { type Scene, sceneOf } from './scene.ts';
import { settlementFindings } from './settle.ts';
import { strangerFindings } from './strangers.ts';
import { trackingFindings } from './tracking.ts';

/**
 * The rules of evidence: what one look at the service shows, held against what is known. Pure, and the same whatever the order of
 * the rows. Nothing here ages: without evidence nothing is found. `docs/evidence.md` lists the rules. `learnt` is what earlier looks
 * have taught about the service.
 */
export function judge(
  look: Look,
  known: Known,
  now: EpochMs,
  policy: EvidencePolicy,
  learnt: Learnt = nothingLearnt,
): readonly Finding[] {
  const scene = sceneOf(look, known, now, policy, learnt);
  const matching = match(scene);
  const debits = debitFindings(scene, matching);
  return [
    ...looked(scene, matching),
    ...settlementFindings(scene, matching),
    ...trackingFindings(scene, matching),
    ...debits,
    ...refundFindings(scene, matching),
    ...exchangeFindings(scene, matching),
    ...absenceFindings(scene, matching),
    ...strangerFindings(scene, matching, debits),
  ];
}

/** What a look teaches about the service's habits, to be handed to `judge` with the looks that follow. */
export function learntFrom(look: Look, known: Known, policy: EvidencePolicy, before: Learnt): Learnt {
  return sceneOf(look, known, look.endedAt, policy, before).learnt;
}

function looked(scene: Scene, matching: Matching): Finding[] {
  const { orders, transactions } = scene.look;
  const findings: Finding[] = [];
  if (orders !== undefined)
    findings.push({ kind: 'look', beganAt: orders.beganAt, baseTotal: certainBaseTotal(scene, matching) });
  if (transactions !== undefined) findings.push({ kind: 'transactions-look', beganAt: transactions.beganAt });
  return findings;
}
