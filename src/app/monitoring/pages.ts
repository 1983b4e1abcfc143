import { CONTENT_TYPE } from '../../monitor/meter.ts';
import type { Page } from '../../monitor/server.ts';
import type { Check } from './progress.ts';

/** The process is alive, or nobody would answer. */
export function healthPage(version: string): Page {
  return json(200, { alive: true, version });
}

/**
 * Whether there is progress, and what is late by how much. A halt is a person's or Magpie's own decision and no failure: it is shown and
 * changes nothing.
 */
export function readyPage(checks: readonly Check[], halted: boolean): Page {
  const late = checks.filter((check) => check.late).map(({ what }) => what);
  return json(late.length === 0 ? 200 : 503, {
    ready: late.length === 0,
    late,
    checks: checks.map(({ what, ageMs, boundMs, ever, late: isLate }) => ({
      ...{ what, late: isLate, ageSeconds: ever ? rounded(ageMs) : null, boundSeconds: rounded(boundMs) },
    })),
    halted,
  });
}

/** How one of several accounts does; why it is down where it is. */
export interface AccountReady {
  readonly account: string;
  readonly down: string | undefined;
  readonly checks: readonly Check[];
  readonly halted: boolean;
}

/** The same of several accounts: any that makes no progress is told, by its name. */
export function readyPageOfAll(accounts: readonly AccountReady[]): Page {
  const told = accounts.map(({ account, down, checks, halted }) => {
    const late = checks.filter((check) => check.late).map(({ what }) => what);
    return { account, ready: down === undefined && late.length === 0, late, down: down ?? null, halted };
  });
  const ready = told.every((each) => each.ready);
  return json(ready ? 200 : 503, {
    ready,
    late: told.filter((each) => !each.ready).map(({ account }) => account),
    accounts: told,
  });
}

/** Whether the rounds of a treasury go on; `ever` false: none has ended yet. */
export function treasuryReadyPage(round: Omit<Check, 'what'>, halted: boolean): Page {
  return json(round.late ? 503 : 200, {
    ready: !round.late,
    roundAgeSeconds: round.ever ? rounded(round.ageMs) : null,
    boundSeconds: rounded(round.boundMs),
    halted,
  });
}

export function metricsPage(text: string): Page {
  return { status: 200, type: CONTENT_TYPE, body: text };
}

function json(status: number, value: unknown): Page {
  return { status, type: 'application/json; charset=utf-8', body: `${JSON.stringify(value)}\n` };
}

/** Seconds with a decimal. */
function rounded(ms: number): number {
  return Math.round(ms / 100) / 10;
}
