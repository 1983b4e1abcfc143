import { type Micros, dollarsFromMicros } from '../domain/money.ts';
import { type AuditReport, type BalanceStatement, agrees, auditKinds, unreadNext, unreadText } from '../risk/audit/report.ts';

/** `audit --json`: dollars as numbers, times ISO 8601 in UTC, absent values null. */
export function auditJson(report: AuditReport): Record<string, unknown> {
  const { at, differences, more, total, others, balance, compared, unread, uncompared, awaited, notes } = report;
  return {
    ok: agrees(report),
    at: new Date(at).toISOString(),
    total: dollarsFromMicros(total),
    differences: differences.map(({ ours, theirs, difference, ...rest }) => ({
      ...rest,
      text: auditKinds[rest.kind].text,
      next: auditKinds[rest.kind].next,
      ours: dollarsFromMicros(ours),
      theirs: dollarsFromMicros(theirs),
      difference: dollarsFromMicros(difference),
    })),
    more,
    others: {
      baseline: others.baseline,
      adopted: others.adopted.map(({ amount, ...rest }) => ({ ...rest, amount: dollarsFromMicros(amount) })),
    },
    balance: balance && balanceJson(balance),
    unread: unread.map((each) => ({ ...each, text: unreadText(each), next: unreadNext })),
    ...{ compared, uncompared, awaited, notes },
  };
}

function balanceJson({ firstAt, at, mayBeUncertain, ...amounts }: BalanceStatement): Record<string, unknown> {
  const dollars = Object.entries(amounts).map(([name, amount]: [string, Micros | null]) => [
    name,
    amount === null ? null : dollarsFromMicros(amount),
  ]);
  const times = { firstAt: new Date(firstAt).toISOString(), at: new Date(at).toISOString() };
  return { ...times, ...(Object.fromEntries(dollars) as Record<string, number | null>), mayBeUncertain };
}
