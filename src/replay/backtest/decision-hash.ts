import { createHash } from 'node:crypto';
import type { Decision } from '../../domain/decision.ts';

/** What was decided of what, without when: two runs that decide alike give the same lines. */
export function decisionLine({ lane, market, listingId, strategy, strategyHash, cost, verdict, reason }: Decision): string {
  return [lane, market, listingId, cost, strategy, strategyHash.slice(0, 16), verdict, reason ?? ''].join(' ');
}

/** One hash for all decisions of a run, in their order. */
export function decisionHash(decisions: readonly Decision[]): string {
  const hash = createHash('sha256');
  for (const decision of decisions) hash.update(`${decisionLine(decision)}\n`);
  return hash.digest('hex');
}
