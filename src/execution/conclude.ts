import type { EpochMs } from '../domain/clock.ts';
import type { Finding, Known, Look } from '../engine/evidence.ts';
import { type BalanceWatch, watchBalance } from './evidence/balance-watch.ts';
import { judge, learntFrom } from './evidence/judge.ts';
import { type Learnt, nothingLearnt } from './evidence/learnt.ts';
import type { EvidencePolicy } from './evidence/policy.ts';

/** What is kept from look to look in memory. After a restart it is soon learnt again: nothing that settles a purchase rests on it alone. */
export interface Wits {
  readonly learnt: Learnt;
  readonly balance: BalanceWatch | undefined;
}

export const freshWits: Wits = { learnt: nothingLearnt, balance: undefined };

export interface Conclusion {
  readonly findings: readonly Finding[];
  /** To be kept once the findings are written. */
  readonly wits: Wits;
}

/**
 * Newest states of orders of others: they count as open until they are delivered or have failed. What this very look has found to be a
 * purchase's own is nobody else's any more.
 */
function movedStrangers({ orders }: Look, known: Known, findings: readonly Finding[]): Finding[] {
  const ours = new Set(findings.flatMap((one) => (one.kind === 'order' && one.as === 'ours' ? [one.order.orderId] : [])));
  const moved = (orders?.rows ?? []).filter((row) => {
    const before = known.orders.get(row.orderId);
    return before?.as === 'adopted' && before.statusCode !== row.statusCode && !ours.has(row.orderId);
  });
  return moved.map((order) => ({ kind: 'order', order, as: 'adopted', purchaseId: undefined }));
}

/** Everything that one look comes to: the rules of evidence, the balance, and what the service's rows have taught. */
export function conclude(look: Look, known: Known, now: EpochMs, policy: EvidencePolicy, before: Wits): Conclusion {
  const learnt = learntFrom(look, known, policy, before.learnt);
  const findings = judge(look, known, now, policy, before.learnt);
  const moved = movedStrangers(look, known, findings);
  if (look.balance === undefined) return { findings: [...findings, ...moved], wits: { ...before, learnt } };
  const { watch, findings: odd } = watchBalance(before.balance, look.balance, known, findings, now, policy);
  return { findings: [...findings, ...odd, ...moved], wits: { learnt, balance: watch } };
}
