import type { EpochMs } from '../domain/clock.ts';
import type { AccountLimits } from '../domain/limits.ts';
import { type Micros, formatDollars } from '../domain/money.ts';
import type { HealthMissing, HealthReading } from '../domain/readings.ts';
import type { ReferenceRecord } from '../domain/reference.ts';
import { type Refusal, capRefusal } from './caps.ts';
import { type HealthPolicy, marketRefusal } from './health.ts';
import { type Approved, type Intent, approve } from './intent.ts';
import { type ReferencePolicy, jumpRefusal } from './reference-guard.ts';
import { type Since, type Taken, claimedElsewhere, takenRefusal } from './taken.ts';
import type { Usage } from './usage.ts';

/** Everything that admission looks at besides the intent itself. */
export interface Situation {
  readonly now: EpochMs;
  /** Why buying is halted; undefined when it is not. */
  readonly halted: string | undefined;
  /** What must be cured before anything is bought, most important first: start checks, clock, journal, stopping. */
  readonly blockers: readonly Refusal[];
  /** Until when the service wants us slow. */
  readonly slowedUntil: EpochMs | undefined;
  readonly health: HealthReading | HealthMissing | undefined;
  readonly healthPolicy: HealthPolicy;
  readonly limits: AccountLimits;
  /** Whether the name is on the `never` list. */
  readonly never: boolean;
  /** The strategy judges by steamPrice. */
  readonly usesReference: boolean;
  /** Our own record of the listing's name, and when it outweighs the steamPrice; missing: nothing is held against it. */
  readonly reference?: { readonly record: ReferenceRecord | undefined; readonly policy: ReferencePolicy | undefined };
  readonly taken: Taken | undefined;
  /** Another account of the same process has it; left out: there is no other. */
  readonly elsewhere?: boolean;
  readonly since: Since;
  readonly usage: Usage;
  /** Balance minus holds; undefined when there is no reading young enough. */
  readonly available: Micros | undefined;
}

export type Admission =
  | { readonly ok: true; readonly intent: Approved<Intent> }
  | { readonly ok: false; readonly refusal: Refusal };

/**
 * The one way to an approved intent. Checks, in the order in which a person would want to hear of them: what stops everything,
 * what is wrong with the listing, what is wrong with its market, and every cap.
 */
export function admit(intent: Intent, situation: Situation): Admission {
  const refusal =
    standstill(situation) ??
    listingRefusal(intent, situation) ??
    (situation.elsewhere === true ? claimedElsewhere : undefined) ??
    takenRefusal(situation.taken, intent.listing.price, situation.since) ??
    marketRefusal(intent.listing.market, situation.health, situation.healthPolicy, situation.now) ??
    capRefusal(intent, situation.limits, situation.usage, situation.available);
  return refusal === undefined ? { ok: true, intent: approve(intent) } : { ok: false, refusal };
}

/** What stops everything, whatever is offered. */
export function standstill(situation: Standing): Refusal | undefined {
  return standstills(situation)[0];
}

type Standing = Pick<Situation, 'now' | 'halted' | 'blockers' | 'slowedUntil'>;

/** All that does, in the order in which a person would want to hear of it. */
export function standstills({ now, halted, blockers, slowedUntil }: Standing): readonly Refusal[] {
  const found: Refusal[] = halted === undefined ? [] : [{ reason: 'halted', detail: halted }];
  found.push(...blockers);
  if (slowedUntil !== undefined && now < slowedUntil) {
    found.push({ reason: 'slowed', detail: `for ${Math.ceil((slowedUntil - now) / 1000)} s more` });
  }
  return found;
}

/** Below 1 % or above 20 times: no market looks like that, so one of the two numbers is wrong (field experience). */
const ODD_REFERENCE = { low: 100, high: 20 } as const;

function listingRefusal(intent: Intent, situation: Situation): Refusal | undefined {
  const { listing } = intent;
  if (situation.never) return { reason: 'never', detail: 'its name is on the list' };
  const { steam, cost } = listing;
  if (!situation.usesReference || steam === undefined) return undefined;
  if (cost * ODD_REFERENCE.low < steam || cost > steam * ODD_REFERENCE.high) {
    return { reason: 'reference-odd', detail: `${formatDollars(cost)} against a steamPrice of ${formatDollars(steam)}` };
  }
  const { record, policy } = situation.reference ?? {};
  return policy && jumpRefusal(steam, record, policy);
}
