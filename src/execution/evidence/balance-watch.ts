import type { EpochMs } from '../../domain/clock.ts';
import { type Micros, ZERO, add, formatDollars, micros, subtract, sum } from '../../domain/money.ts';
import { type Purchase, committedAmount, isReserved, wasBought } from '../../domain/purchase.ts';
import type { BalanceReading } from '../../domain/readings.ts';
import type { Finding, Known } from '../../engine/evidence.ts';
import { BALANCE_LAG_MS, type Rise, isBelieved, riseAfter } from '../../risk/balance.ts';
import { type EvidencePolicy, TOLERANCE } from './policy.ts';

/** The last reading that was understood, and what may have been debited since without anybody else's doing. */
export interface BalanceWatch {
  readonly agreed: BalanceReading;
  /** Purchases whose debit it may not have shown: those that were bought by then, and those that may turn out to have been. */
  readonly undebited: ReadonlySet<number>;
  /** The newest purchase that was known by then: later ones came after it, whatever a clock that was set back says. */
  readonly newest: number;
  /** Orders adopted since. */
  readonly adopted: Micros;
  /** A reading below what is explained; it takes a second one that agrees. */
  readonly suspect: BalanceReading | undefined;
  /** Readings that lay too far above the agreed one to be believed at once. */
  readonly rise: Rise | undefined;
  /** As it was before the agreed reading rose, as long as no other has shown that: it may have been misread. */
  readonly lower: BalanceWatch | undefined;
}

/**
 * Holds a balance reading against the last one that was understood. A fall that neither our purchases nor adopted orders explain,
 * seen twice with nothing in flight, halts a dedicated account's buying and alerts on any other. A rise (deposit, refund) is nobody's trouble.
 * `findings` are those of the same look: orders that it adopts explain a fall.
 */
export function watchBalance(
  before: BalanceWatch | undefined,
  reading: BalanceReading,
  known: Known,
  findings: readonly Finding[],
  now: EpochMs,
  policy: EvidencePolicy,
): { readonly watch: BalanceWatch; readonly findings: readonly Finding[] } {
  const start = before ?? startFrom(known);
  if (start === undefined) return { watch: agreedOn(reading, known), findings: [] };
  const rise = riseAfter(start.rise, start.agreed, reading);
  const watch = { ...withAdopted(start, adoptedBy(findings)), rise };
  // Taken for real, the end of a wrong reading would look like a fall.
  if (rise !== undefined && !isBelieved(rise)) return { watch, findings: [] };
  if (known.purchases.some(isReserved)) return { watch, findings: [] };
  const explained = leastExplained(watch, known);
  if (reading.amount >= explained - TOLERANCE) {
    const isFirst = rise === undefined && reading.amount > watch.agreed.amount + TOLERANCE;
    return { watch: { ...agreedOn(reading, known), lower: isFirst ? { ...watch, lower: undefined } : undefined }, findings: [] };
  }
  if (watch.lower !== undefined && isBackFromRise(watch.lower, reading, known)) {
    return { watch: agreedOn(reading, known), findings: [] };
  }
  if (watch.suspect === undefined || Math.abs(watch.suspect.amount - reading.amount) > TOLERANCE) {
    return { watch: { ...watch, suspect: reading }, findings: [] };
  }
  return { watch: agreedOn(reading, known), findings: unexplained(subtract(explained, reading.amount), now, policy) };
}

function startFrom(known: Known): BalanceWatch | undefined {
  return known.previousBalance === undefined ? undefined : agreedOn(known.previousBalance, known);
}

function agreedOn(reading: BalanceReading, known: Known): BalanceWatch {
  // A service that answers from books of different age may have shown a debit before and not in this reading.
  const mayLack = ({ debitSeen, answeredAt, createdAt }: Purchase): boolean =>
    !debitSeen || (answeredAt ?? createdAt) >= reading.beganAt - BALANCE_LAG_MS;
  // Of one in doubt as well, which may turn out bought: what counts is asked when it has.
  const undebited = known.purchases.filter(mayLack).map(({ id }) => id);
  const newest = Math.max(0, ...known.purchases.map(({ id }) => id));
  const nothing = { adopted: ZERO, suspect: undefined, rise: undefined, lower: undefined };
  return { agreed: reading, undebited: new Set(undebited), newest, ...nothing };
}

function withAdopted(watch: BalanceWatch, amount: Micros): BalanceWatch {
  const lower = watch.lower && withAdopted(watch.lower, amount);
  return { ...watch, adopted: add(watch.adopted, amount), lower };
}

/** Whether a reading is what the one before the rise leads to, without any rise. */
function isBackFromRise(lower: BalanceWatch, { amount }: BalanceReading, known: Known): boolean {
  return amount <= lower.agreed.amount + TOLERANCE && amount >= leastExplained(lower, known) - TOLERANCE;
}

function leastExplained(watch: BalanceWatch, known: Known): Micros {
  return subtract(watch.agreed.amount, explainedFall(watch, known));
}

/** The most that our own purchases and adopted orders can have taken since the agreed reading. */
function explainedFall(watch: BalanceWatch, known: Known): Micros {
  const since = watch.agreed.beganAt;
  const ours = known.purchases.filter((purchase) => {
    if (!wasBought(purchase)) return false;
    if (watch.undebited.has(purchase.id) || !purchase.debitSeen || purchase.id > watch.newest) return true;
    return purchase.createdAt >= since || (purchase.answeredAt ?? 0) >= since;
  });
  return add(watch.adopted, sum(ours.map(committedAmount)));
}

function adoptedBy(findings: readonly Finding[]): Micros {
  return sum(
    findings.flatMap((finding) => (finding.kind === 'order' && finding.as !== 'ours' ? [micros(finding.order.amount)] : [])),
  );
}

function unexplained(missing: Micros, now: EpochMs, policy: EvidencePolicy): Finding[] {
  const message = `The balance is ${formatDollars(missing)} lower than purchases and orders explain`;
  const next = policy.dedicated
    ? 'Look at the account (withdrawals, fees, other buyers), then `magpie resume`.'
    : 'Nothing, if you spent or withdrew it yourself.';
  const alert: Finding = { kind: 'alert', alert: { kind: 'balance-odd', at: now, message, next, purchaseId: undefined } };
  return policy.dedicated ? [alert, { kind: 'halt', reason: `${message} (account.dedicated)` }] : [alert];
}
