import type { EpochMs } from '../domain/clock.ts';
import { DOLLARS_MAX, MICROS_PER_DOLLAR, dollarsFromMicros, micros, sum } from '../domain/money.ts';
import { CHILDREN_TOLD, transferStates, treasuryReasonNames } from '../monitor/labels.ts';
import type { Meter } from '../monitor/meter.ts';
import { DAY_MS, HOUR_MS } from './decide/caps.ts';
import type { TreasuryPolicy } from './decide/policy.ts';
import type { VerdictReason } from './decide/step.ts';
import { isIn } from './decide/transfer.ts';
import type { TreasuryJournal } from './journal.ts';
import type { Round } from './treasury.ts';

/** What is told of a treasury, as far as it is not in its journal. */
export interface TreasuryTold {
  readonly policy: TreasuryPolicy;
  /** undefined before the first. */
  readonly round: Pick<Round, 'top' | 'verdicts'> | undefined;
}

const windows = [
  ['hour', HOUR_MS],
  ['day', DAY_MS],
] as const;

/** A cap that is left out is as much as this in the policy, and bounds nothing. */
const UNBOUNDED = micros(DOLLARS_MAX * MICROS_PER_DOLLAR);

/** Tells what the journal and the last round say, as they are now. Throws what the journal throws. */
export function tellTreasury(meter: Meter, journal: TreasuryJournal, { policy, round }: TreasuryTold, now: EpochMs): void {
  meter.set('magpie_treasury_halted', {}, journal.halted() === undefined ? 0 : 1);
  meter.set('magpie_treasury_reserve_dollars', {}, dollarsFromMicros(policy.reserve));
  const totals = journal.totals();
  for (const state of transferStates) {
    const { count, cents } = totals.get(state) ?? { count: 0, cents: 0 };
    meter.set('magpie_treasury_transfers', { state }, count);
    meter.set('magpie_treasury_transferred_dollars', { state }, cents / 100);
  }
  const oldest = Math.min(now, ...journal.open().map(({ createdAt }) => createdAt));
  meter.set('magpie_treasury_oldest_open_seconds', {}, (now - oldest) / 1_000);
  const rows = journal.transfers(now - DAY_MS);
  for (const [window, ms] of windows) {
    const moved = sum(rows.filter((row) => isIn(row, ms, now)).map(({ amount }) => amount));
    meter.set('magpie_treasury_moved_dollars', { window }, dollarsFromMicros(moved));
    const cap = policy[window];
    if (cap < UNBOUNDED) meter.set('magpie_treasury_moved_limit_dollars', { window }, dollarsFromMicros(cap));
  }
  if (round !== undefined) tellRound(meter, policy, round);
}

function tellRound(meter: Meter, policy: TreasuryPolicy, { top, verdicts }: NonNullable<TreasuryTold['round']>): void {
  meter.clear('magpie_treasury_balance_dollars');
  if (top !== undefined) meter.set('magpie_treasury_balance_dollars', {}, dollarsFromMicros(top.balance));
  const counts = new Map<VerdictReason, number>();
  for (const { reason } of verdicts) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  for (const reason of treasuryReasonNames) meter.set('magpie_treasury_children', { reason }, counts.get(reason) ?? 0);
  const balances = new Map(verdicts.map(({ child, balance }) => [child, balance]));
  // What is not known any more is not told as it once was.
  meter.clear('magpie_treasury_child_balance_dollars');
  for (const { name: child, floor } of policy.children.slice(0, CHILDREN_TOLD)) {
    const balance = balances.get(child);
    if (balance !== undefined) meter.set('magpie_treasury_child_balance_dollars', { child }, dollarsFromMicros(balance));
    meter.set('magpie_treasury_child_floor_dollars', { child }, dollarsFromMicros(floor));
  }
}
